// The job of the bootstrap benchmark: a paired difference surface of simulated tasks.
import { createRandom } from "../../src/core/index.js";
import { passAtK } from "../../src/stats/index.js";

export const taskCount = 2000;
export const samples = 16;
const sampleCounts = [1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 15, 16];
const budgets = [1, 2, 3, 4, 6, 8, 12, 16];
export const cellCount = sampleCounts.length * budgets.length;
export const replicates = 10_000;
export const level = 0.95;

/** Returns [task][cell] pass@k of the second policy minus the first, of episodes that solve with a constant hazard. */
export function makeValues(): Float64Array {
  const random = createRandom(1, "bench bootstrap");
  const countSolved = (hazard: number): number[] => {
    const turns = Array.from({ length: samples }, () => Math.ceil(Math.log(1 - random.next()) / Math.log(1 - hazard)));
    return budgets.map((budget) => turns.filter((turn) => turn <= budget).length);
  };
  const rows = Array.from({ length: taskCount }, () => {
    const difficulty = random.next() ** 3;
    const [first, second] = [countSolved(0.4 * difficulty + 0.001), countSolved(0.5 * difficulty + 0.001)];
    return sampleCounts.flatMap((k) =>
      budgets.map((_, i) => passAtK(samples, second[i], k) - passAtK(samples, first[i], k)),
    );
  });
  return Float64Array.from(rows.flat());
}
