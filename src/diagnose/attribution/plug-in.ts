import type { ChainData } from "./chain-data.js";
import type { LatentClasses } from "./latent-classes.js";
import { modeStride, runChain, turnStride, type ModeChain } from "./mode-chain.js";

/** Observations below which a cell (class, policy, turn, mode) is thin. */
export const thinCell = 20;

/** Which of the two policies supplies each block of a cell; bits as in `attributionCells`. */
function blockPolicies(cell: number): {
  readonly decision: number;
  readonly recovery: number;
  readonly persistence: number;
} {
  return { decision: (cell >> 2) & 1, recovery: (cell >> 1) & 1, persistence: cell & 1 };
}

/**
 * Returns [class][policy][turn][mode][outcome] weighted counts: each task with its weight, spread over classes by its
 * memberships. `totals` has the weight of each class.
 */
export function weighCounts(
  data: ChainData,
  { classCount, memberships }: Pick<LatentClasses, "classCount" | "memberships">,
  taskWeights?: Float64Array,
): { readonly counts: Float64Array; readonly totals: Float64Array } {
  const width = 2 * data.maxTurns * turnStride;
  const { rowStarts, columns, values, taskCount } = data;
  const counts = new Float64Array(classCount * width);
  const totals = new Float64Array(classCount);
  for (let task = 0; task < taskCount; task += 1) {
    const weight = taskWeights === undefined ? 1 : taskWeights[task];
    if (weight === 0) continue;
    for (let k = 0; k < classCount; k += 1) {
      const part = weight * memberships[task * classCount + k];
      if (part === 0) continue;
      totals[k] += part;
      const at = k * width;
      for (let i = rowStarts[task]; i < rowStarts[task + 1]; i += 1) counts[at + columns[i]] += part * values[i];
    }
  }
  return { counts, totals };
}

/**
 * Returns [class][policy][turn][mode][outcome] numbers of events, each task's spread over the classes by its memberships:
 * how much each class's own chances rest on. Unlike `weighCounts` every event counts as one, not every task.
 */
export function countSupport(
  { rowStarts, columns, values, taskCount, maxTurns, episodeCounts }: ChainData,
  { classCount, memberships }: Pick<LatentClasses, "classCount" | "memberships">,
): Float64Array {
  const half = maxTurns * turnStride;
  const support = new Float64Array(classCount * 2 * half);
  for (let task = 0; task < taskCount; task += 1) {
    for (let i = rowStarts[task]; i < rowStarts[task + 1]; i += 1) {
      const events = values[i] * episodeCounts[2 * task + (columns[i] < half ? 0 : 1)];
      for (let k = 0; k < classCount; k += 1)
        support[k * 2 * half + columns[i]] += memberships[task * classCount + k] * events;
    }
  }
  return support;
}

/**
 * Returns the chain of one policy from weighted counts [turn][mode][outcome]. A cell without any count takes the
 * shares of all turns together, and where the mode never occurred it stays in that mode for ever: nothing is known of
 * it, which the support diagnostic says.
 */
export function toModeChain(counts: Float64Array, maxTurns: number): ModeChain {
  const chain = new Float64Array(maxTurns * turnStride);
  const pooled = new Float64Array(turnStride);
  for (let at = 0; at < chain.length; at += 1) pooled[at % turnStride] += counts[at];
  for (let t = 0; t < maxTurns; t += 1) {
    for (let mode = 0; mode < 2; mode += 1) {
      const at = t * turnStride + mode * modeStride;
      writeHazard(chain, at, counts, at, pooled, mode);
      writeShares(chain, at, counts, at, pooled, mode);
    }
  }
  return chain;
}

function sumOf(counts: Float64Array, from: number, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i += 1) sum += counts[from + i];
  return sum;
}

function writeHazard(
  chain: ModeChain,
  to: number,
  counts: Float64Array,
  from: number,
  pooled: Float64Array,
  mode: number,
): void {
  const own = sumOf(counts, from, modeStride);
  if (own > 0) {
    chain[to] = counts[from] / own;
    return;
  }
  const all = sumOf(pooled, mode * modeStride, modeStride);
  chain[to] = all > 0 ? pooled[mode * modeStride] / all : 0;
}

function writeShares(
  chain: ModeChain,
  to: number,
  counts: Float64Array,
  from: number,
  pooled: Float64Array,
  mode: number,
): void {
  const own = sumOf(counts, from + 1, modeStride - 1);
  const source = own > 0 ? counts : pooled;
  const start = own > 0 ? from : mode * modeStride;
  const total = own > 0 ? own : sumOf(pooled, start + 1, modeStride - 1);
  for (let o = 1; o < modeStride; o += 1)
    chain[to + o] = total > 0 ? source[start + o] / total : o === 2 + mode ? 1 : 0;
}

/** The eight cells of a plug-in estimate. */
export interface PlugInCells {
  /** [cell][T - 1] values v(m; T) in the order of `attributionCells`. */
  readonly values: Float64Array;
  /** [cell][T - 1] share of the turns played within T whose chances rest on thin cells; filled where asked for. */
  readonly thinShares: Float64Array;
}

/**
 * Returns the values of the eight cells from weighted counts: class by class, averaged with the classes' weights. The
 * values of AAA and BBB are exactly the mean over tasks of the observed success, whatever the classes are. With
 * `support` (of `countSupport`) the share of turns in thin cells is measured too, each class by its own events: the
 * chances of a class are what must be known, as its tasks are alike only with each other.
 */
export function computeCells(
  { counts, totals }: { readonly counts: Float64Array; readonly totals: Float64Array },
  maxTurns: number,
  support?: Float64Array,
): PlugInCells {
  const half = maxTurns * turnStride;
  const values = new Float64Array(8 * maxTurns);
  const thin = new Float64Array(8 * maxTurns);
  const played = new Float64Array(8 * maxTurns);
  const all = totals.reduce((sum, total) => sum + total, 0);
  for (let k = 0; k < totals.length; k += 1) {
    const share = totals[k] / all;
    if (share === 0) continue;
    const chains = [0, 1].map((policy) =>
      toModeChain(counts.subarray((2 * k + policy) * half, (2 * k + policy + 1) * half), maxTurns),
    );
    for (let cell = 0; cell < 8; cell += 1) {
      const policies = blockPolicies(cell);
      const { decision, recovery, persistence } = policies;
      const course = runChain(
        { decision: chains[decision], recovery: chains[recovery], persistence: chains[persistence] },
        maxTurns,
      );
      for (let t = 0; t < maxTurns; t += 1) values[cell * maxTurns + t] += share * course.values[t];
      if (support !== undefined) {
        const own = support.subarray(2 * k * half, 2 * (k + 1) * half);
        addThin(thin, played, cell, share, course.occupation, own, policies, maxTurns);
      }
    }
  }
  const thinShares = new Float64Array(8 * maxTurns);
  for (let cell = 0; cell < 8; cell += 1) {
    let thinSum = 0;
    let playedSum = 0;
    for (let t = 0; t < maxTurns; t += 1) {
      thinSum += thin[cell * maxTurns + t];
      playedSum += played[cell * maxTurns + t];
      thinShares[cell * maxTurns + t] = playedSum > 0 ? thinSum / playedSum : 0;
    }
  }
  return { values, thinShares };
}

/** Adds the mass of one class and cell, and what of it reads a hazard or an outcome from fewer than 20 observations. */
function addThin(
  thin: Float64Array,
  played: Float64Array,
  cell: number,
  share: number,
  occupation: Float64Array,
  support: Float64Array,
  policies: ReturnType<typeof blockPolicies>,
  maxTurns: number,
): void {
  for (let t = 0; t < maxTurns; t += 1) {
    for (let mode = 0; mode < 2; mode += 1) {
      const mass = share * occupation[2 * t + mode];
      const acting = mode === 0 ? policies.decision : policies.recovery;
      const quitAt = (policies.persistence * maxTurns + t) * turnStride + mode * modeStride;
      const actAt = (acting * maxTurns + t) * turnStride + mode * modeStride;
      const isThin =
        sumOf(support, quitAt, modeStride) < thinCell || sumOf(support, actAt + 1, modeStride - 1) < thinCell;
      played[cell * maxTurns + t] += mass;
      if (isThin) thin[cell * maxTurns + t] += mass;
    }
  }
}
