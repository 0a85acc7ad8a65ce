import type { RestartRow } from "../../core/index.js";
import type { ChainData } from "./chain-data.js";
import { modeStride, outcomeIndex, turnStride } from "./mode-chain.js";
import { drawTaskWeights } from "./plug-in-bootstrap.js";

/** The restart depth that costs the fewest turns per success. */
export interface RestartDepth {
  /** [T - 1] expected turns per success when restarting after T turns; `Infinity` where nothing is solved by then. */
  readonly costs: readonly number[];
  /** The best T, the smallest of equals; `undefined` when nothing is solved. */
  readonly bestTurns: number | undefined;
}

/**
 * Returns the expected turns per success, C(T) = sum over t <= T of S(t) / F(T), when an attempt that is not solved
 * within T turns is begun anew, from [t] the share of episodes that play turn t and that are solved in it.
 * Throws a `RangeError` for lists of different lengths.
 *
 * @example
 * findRestartDepth([1, 0.8], [0.5, 0.1]).costs; // [2, 3]
 */
export function findRestartDepth(played: ArrayLike<number>, solved: ArrayLike<number>): RestartDepth {
  if (played.length !== solved.length) {
    throw new RangeError(
      `Cannot find a restart depth from ${played.length} and ${solved.length} turns: the lists must be as long`,
    );
  }
  const costs: number[] = [];
  let turns = 0;
  let success = 0;
  for (let t = 0; t < played.length; t += 1) {
    turns += played[t];
    success += solved[t];
    costs.push(success > 0 ? turns / success : Infinity);
  }
  const least = Math.min(...costs);
  return { costs, bestTurns: Number.isFinite(least) ? costs.indexOf(least) + 1 : undefined };
}

/** Returns [t] shares of episodes that play turn t and that are solved in it, each task weighing the same. */
function readCourse(data: ChainData, policy: number, taskWeights: Float64Array | undefined) {
  const { maxTurns, rowStarts, columns, values, taskCount } = data;
  const played = new Float64Array(maxTurns);
  const solved = new Float64Array(maxTurns);
  let total = 0;
  for (let task = 0; task < taskCount; task += 1) {
    const weight = taskWeights === undefined ? 1 : taskWeights[task];
    total += weight;
    if (weight === 0) continue;
    for (let i = rowStarts[task]; i < rowStarts[task + 1]; i += 1) {
      const column = columns[i] - policy * maxTurns * turnStride;
      if (column < 0 || column >= maxTurns * turnStride) continue;
      const t = Math.floor(column / turnStride);
      played[t] += weight * values[i];
      if (column % modeStride === outcomeIndex.solved) solved[t] += weight * values[i];
    }
  }
  return { played: played.map((value) => value / total), solved: solved.map((value) => value / total) };
}

/**
 * Returns for A and B the turns per success at every restart depth, the best depth, and the depths that are best in
 * the middle 95 % of resamples of tasks.
 */
export function findRestartRows(
  data: ChainData,
  options: { readonly seed: number; readonly replicates: number },
): RestartRow[] {
  return (["a", "b"] as const).map((policy, index) => {
    const course = readCourse(data, index, undefined);
    const { costs, bestTurns } = findRestartDepth(course.played, course.solved);
    const drawn: number[] = [];
    for (let r = 0; r < options.replicates; r += 1) {
      const resample = readCourse(data, index, drawTaskWeights(data, options.seed, r));
      const best = findRestartDepth(resample.played, resample.solved).bestTurns;
      if (best !== undefined) drawn.push(best);
    }
    drawn.sort((x, y) => x - y);
    const range: [number, number] | undefined =
      drawn.length === 0
        ? undefined
        : [drawn[Math.floor(0.025 * drawn.length)], drawn[Math.ceil(0.975 * drawn.length) - 1]];
    return {
      policy,
      costs: costs.map((cost, t) => ({ maxTurns: t + 1, ...(Number.isFinite(cost) ? { turnsPerSuccess: cost } : {}) })),
      ...(bestTurns === undefined ? {} : { bestTurns, bestCost: costs[bestTurns - 1] }),
      ...(range === undefined ? {} : { bestTurnsRange: range }),
    };
  });
}
