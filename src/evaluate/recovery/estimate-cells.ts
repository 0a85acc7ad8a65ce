// internal
import type { Estimate, Task, Verdict } from "../../core/index.js";
import { armsInterval, decideVerdict, type Bounds } from "../../stats/index.js";
import { createEstimate, getClusters, resample, type IntervalOptions } from "../task-surface.js";

/** How figures from a pool are estimated. */
export interface PoolFigureOptions extends Required<Omit<IntervalOptions, "intervals">> {
  readonly margin: number;
}

/** What is resampled, and the values it brings: one a cell. */
export interface TaskCells {
  readonly task: Pick<Task, "hash" | "family">;
  readonly values: readonly number[];
}

/** Returns how many tasks (or families) are resampled for figures over these rows; rows of one task count once. */
export function countUnits(rows: readonly { readonly task: Pick<Task, "hash" | "family"> }[]): number {
  const tasks = new Map(rows.map(({ task }) => [task.hash, { taskHash: task.hash, family: task.family }]));
  const clusters = getClusters([...tasks.values()]);
  return clusters === undefined ? tasks.size : new Set(clusters).size;
}

/** Returns the mean of each list, or `undefined` for an empty one. */
export function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Returns the mean over tasks of each cell with its task-bootstrap interval, and a band over all cells. Values and
 * ends are clipped to `range`.
 */
export function estimateCells(
  rows: readonly TaskCells[],
  range: readonly [number, number],
  options: PoolFigureOptions,
): Estimate[] {
  const cellCount = rows[0]?.values.length ?? 0;
  if (cellCount === 0) return [];
  const values = Float64Array.from(rows.flatMap((row) => row.values));
  const units = rows.map(({ task: { hash: taskHash, family } }) => ({ taskHash, family }));
  const intervals = resample(values, units, cellCount, options);
  return Array.from({ length: cellCount }, (_, cell) =>
    createEstimate(values, rows.length, cellCount, cell, intervals, range),
  );
}

/** Returns the one estimate of rows with one value each; `undefined` without rows. */
export function estimateMean(
  rows: readonly TaskCells[],
  range: readonly [number, number],
  options: PoolFigureOptions,
): Estimate | undefined {
  return estimateCells(rows, range, options)[0];
}

/** A ratio of two sums over one task: numerator and denominator of each cell. */
export interface TaskRatio {
  readonly task: Pick<Task, "hash" | "family">;
  readonly numerators: readonly number[];
  readonly denominators: readonly number[];
}

/**
 * Returns ratios of means over tasks: cells whose denominators are all 0 are absent. Intervals are those of the
 * linearised ratio, value + (numerator - value x denominator) / mean denominator.
 */
export function estimateRatios(
  rows: readonly TaskRatio[],
  range: readonly [number, number],
  options: PoolFigureOptions,
): (Estimate | undefined)[] {
  const cellCount = rows[0]?.numerators.length ?? 0;
  const defined: number[] = [];
  const ratios: number[] = [];
  const scales: number[] = [];
  for (let cell = 0; cell < cellCount; cell += 1) {
    const numerator = rows.reduce((sum, row) => sum + row.numerators[cell], 0);
    const denominator = rows.reduce((sum, row) => sum + row.denominators[cell], 0);
    if (denominator === 0) continue;
    defined.push(cell);
    ratios.push(numerator / denominator);
    scales.push(denominator / rows.length);
  }
  const linear = rows.map(({ task, numerators, denominators }) => ({
    task,
    values: defined.map(
      (cell, index) => ratios[index] + (numerators[cell] - ratios[index] * denominators[cell]) / scales[index],
    ),
  }));
  const estimates = estimateCells(linear, range, options);
  return Array.from({ length: cellCount }, (_, cell) => {
    const index = defined.indexOf(cell);
    return index < 0 ? undefined : { ...estimates[index], value: ratios[index] };
  });
}

/**
 * Returns the difference with the interval that its two arms leave, where all tasks showed the same one: both arms
 * certain is no proof that they always are. Differences with an interval of their own are returned as they are.
 */
export function widenByArms(difference: Estimate, means: readonly [number, number], level: number): Estimate {
  if ((difference.standardError ?? 0) > 0 || difference.interval !== undefined) return difference;
  const [a, b] = means.map((mean) => Math.min(1, Math.max(0, mean)));
  const { lower, upper } = armsInterval(a, b, difference.taskCount, level);
  return { ...difference, interval: { lower, upper, level, method: "clopper_pearson" } };
}

/** How a difference is judged. */
export interface JudgeOptions extends Pick<PoolFigureOptions, "margin"> {
  /** Tasks or families that were resampled. */
  readonly unitCount: number;
  /** -1 where less is better; default 1. */
  readonly sign?: 1 | -1;
}

/**
 * Returns the verdict on a difference: by its band where it has one. Where all tasks showed the same difference, the
 * interval that {@linkcode widenByArms} gave it decides; without one it is undecided, as on fewer than ten tasks.
 */
export function judgeDifference(estimate: Estimate, { margin, unitCount, sign = 1 }: JudgeOptions): Verdict {
  const { standardError = 0, interval } = estimate;
  const bounds = estimate.band ?? interval;
  if (bounds === undefined) return "undecided";
  const orient = ({ lower, upper }: Bounds): Bounds =>
    sign === 1 ? { lower, upper } : { lower: -upper, upper: -lower };
  return decideVerdict(orient(bounds), margin, {
    standardError,
    unitCount,
    ...(interval === undefined ? {} : { arms: orient(interval) }),
  });
}
