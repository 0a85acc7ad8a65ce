import { expect, test } from "vitest";
import { createRandom } from "../core/index.js";
import { fixedBenchmarkInterval } from "./fixed-benchmark.js";
import { jeffreysInterval } from "./proportion-intervals.js";

const share = (flags: readonly boolean[]): number => flags.filter(Boolean).length / flags.length;

test("fixedBenchmarkInterval() of one task at k = 1 around the posterior is Jeffreys' interval", () => {
  const options = { seed: 1, draws: 40_000, centre: "posterior" } as const;
  const { interval } = fixedBenchmarkInterval([{ successes: 3, samples: 10 }], 1, options);
  const { lower, upper } = jeffreysInterval(3, 10);
  expect(Math.abs(interval.lower - lower)).toBeLessThan(0.005);
  expect(Math.abs(interval.upper - upper)).toBeLessThan(0.005);
});
test("fixedBenchmarkInterval() covers fixed tasks around the estimate; around the posterior many unsolved tasks mislead it", () => {
  const random = createRandom(13, "fixed");
  const chances = Array.from({ length: 40 }, (_, task) => (task < 20 ? 0 : 0.1 + 0.8 * random.next()));
  const truth = chances.reduce((sum, p) => sum + 1 - (1 - p) ** 4, 0) / chances.length;
  const covered = { estimate: [] as boolean[], posterior: [] as boolean[] };
  for (let seed = 0; seed < 120; seed += 1) {
    const tasks = chances.map((p) => ({
      successes: Array.from({ length: 16 }, () => random.next() < p).filter(Boolean).length,
      samples: 16,
    }));
    for (const centre of ["estimate", "posterior"] as const) {
      const { lower, upper } = fixedBenchmarkInterval(tasks, 4, { seed, draws: 150, centre }).interval;
      covered[centre].push(lower <= truth && truth <= upper);
    }
  }
  expect(share(covered.estimate)).toBeGreaterThan(0.93);
  expect(share(covered.posterior)).toBeLessThan(0.5);
});
test("fixedBenchmarkInterval() is repeatable, grows with k and refuses impossible counts and k above n", () => {
  const tasks = [
    { successes: 1, samples: 4 },
    { successes: 0, samples: 8 },
  ];
  const made = [1, 2, 4].map((k) => fixedBenchmarkInterval(tasks, k, { seed: 1 }));
  expect(made.map(({ estimate }) => estimate)).toEqual([0.125, 0.25, 0.5]);
  expect(made[0].interval.upper).toBeLessThan(made[2].interval.upper);
  expect(fixedBenchmarkInterval(tasks, 2, { seed: 1 })).toEqual(made[1]);
  expect(() => fixedBenchmarkInterval(tasks, 5, { seed: 1 })).toThrow(RangeError);
  expect(() => fixedBenchmarkInterval([], 2, { seed: 1 })).toThrow(RangeError);
  expect(() => fixedBenchmarkInterval([{ successes: 3, samples: 2 }], 2, { seed: 1 })).toThrow(RangeError);
});
