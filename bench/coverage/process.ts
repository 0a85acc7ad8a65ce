// The process that the coverage study draws its data from, and the exact truth about it.
import type { Random } from "../../src/core/index.js";
import { attributionCells, splitGap, type ShapleySplit } from "../../src/diagnose/index.js";
import { normalQuantile } from "../../src/stats/index.js";

export const maxTurns = 8;

/** Chances at difficulty 0: quit, then solved, clean, error, wrong among turns that do not quit; clean mode, then error mode. */
const base = {
  a: [
    [0.02, 0.15, 0.45, 0.35, 0.05],
    [0.3, 0.02, 0.18, 0.75, 0.05],
  ],
  b: [
    [0.01, 0.13, 0.45, 0.37, 0.05],
    [0.05, 0.05, 0.4, 0.5, 0.05],
  ],
} as const;

/** What is varied. */
export interface Process {
  /** Standard deviation of the tasks' difficulty on the logit scale. */
  readonly spread: number;
  /** Factor on the odds of a good outcome in error for each earlier spell in error, the present one not counted; 1 is Markov. */
  readonly memory: number;
}

/**
 * Writes the five chances of a policy's turn: difficulty z multiplies the odds of a good outcome (solved or clean)
 * by exp(-z) and shifts the logit of quitting by z / 2; in error, each earlier spell in error multiplies the odds by `memory`.
 */
function writeChances(out: Float64Array, at: number, policy: number, mode: number, z: number, odds: number): void {
  const [quit, solved, clean, error, wrong] = (policy === 0 ? base.a : base.b)[mode];
  const factor = Math.exp(-z) * odds;
  const total = factor * (solved + clean) + error + wrong;
  out[at] = 1 / (1 + ((1 - quit) / quit) * Math.exp(-z / 2));
  out[at + 1] = (factor * solved) / total;
  out[at + 2] = (factor * clean) / total;
  out[at + 3] = error / total;
  out[at + 4] = wrong / total;
}

/** More spells in error than an episode can have. */
const depth = maxTurns + 1;

/** Returns [policy][mode][earlier spells in error][outcome] chances at difficulty z. */
export function getChances({ memory }: Process, z: number): Float64Array {
  const chances = new Float64Array(2 * 2 * depth * 5);
  for (let policy = 0; policy < 2; policy += 1) {
    for (let mode = 0; mode < 2; mode += 1) {
      for (let errors = 0; errors < depth; errors += 1) {
        writeChances(
          chances,
          ((policy * 2 + mode) * depth + errors) * 5,
          policy,
          mode,
          z,
          mode === 0 ? 1 : memory ** errors,
        );
      }
    }
  }
  return chances;
}

/** Returns where the chances of a cell's turn stand: who persists, and who acts. `errors` counts the spells before the present one. */
function locate(cell: number, mode: number, errors: number): { quitAt: number; actAt: number } {
  const acting = mode === 0 ? (cell >> 2) & 1 : (cell >> 1) & 1;
  return { quitAt: (((cell & 1) * 2 + mode) * depth + errors) * 5, actAt: ((acting * 2 + mode) * depth + errors) * 5 };
}

/** Plays one episode of a cell and returns its events. */
export function playCell(chances: Float64Array, cell: number, random: Random): Uint8Array {
  const events: number[] = [];
  let mode = 0;
  let onsets = 0;
  for (let t = 0; t < maxTurns; t += 1) {
    const { quitAt, actAt } = locate(cell, mode, mode === 0 ? 0 : onsets - 1);
    let outcome = 0;
    if (random.next() >= chances[quitAt]) {
      let rest = random.next();
      outcome = 1;
      while (outcome < 4 && (rest -= chances[actAt + outcome]) >= 0) outcome += 1;
    }
    events.push(mode * 5 + outcome);
    if (outcome !== 2 && outcome !== 3) break;
    if (mode === 0 && outcome === 3) onsets += 1;
    mode = outcome - 2;
  }
  return Uint8Array.from(events);
}

/** Returns [T - 1] the exact value of a cell at one difficulty, by recursion over mode and number of spells in error. */
function computeValues(chances: Float64Array, cell: number): number[] {
  let mass = new Float64Array(2 * depth);
  mass[0] = 1;
  let value = 0;
  return Array.from({ length: maxTurns }, () => {
    const next = new Float64Array(2 * depth);
    for (let mode = 0; mode < 2; mode += 1) {
      for (let onsets = mode; onsets < depth; onsets += 1) {
        const { quitAt, actAt } = locate(cell, mode, mode === 0 ? 0 : onsets - 1);
        const going = mass[mode * depth + onsets] * (1 - chances[quitAt]);
        if (going === 0) continue;
        value += going * chances[actAt + 1];
        next[onsets] += going * chances[actAt + 2];
        const after = Math.min(depth - 1, mode === 0 ? onsets + 1 : onsets);
        next[depth + after] += going * chances[actAt + 3];
      }
    }
    mass = next;
    return value;
  });
}

/** Returns [T - 1] the true shares: cells averaged over 4,001 equally likely difficulties. */
export function computeTruth(process: Process): ShapleySplit[] {
  const points =
    process.spread === 0
      ? [0]
      : Array.from({ length: 4001 }, (_unused, i) => process.spread * normalQuantile((i + 0.5) / 4001));
  const sums = Array.from({ length: maxTurns }, () => new Float64Array(8));
  for (const z of points) {
    const chances = getChances(process, z);
    for (const cell of attributionCells.keys()) {
      for (const [t, value] of computeValues(chances, cell).entries()) sums[t][cell] += value / points.length;
    }
  }
  return sums.map(splitGap);
}
