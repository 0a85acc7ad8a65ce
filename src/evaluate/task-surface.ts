// internal
import type { Estimate } from "../core/index.js";
import {
  bootstrapMeans,
  clopperPearsonInterval,
  multiplierBand,
  widenBand,
  passAtK,
  type SurfaceIntervals,
  type TaskValues,
} from "../stats/index.js";
import type { GridTask } from "./grid.js";

/** How intervals are made. */
export interface IntervalOptions {
  /** Coverage aimed at; default .95. */
  readonly level?: number;
  /** Bootstrap resamples; default 2,000. */
  readonly replicates?: number;
  /** Seed of the resampling; default 1. */
  readonly seed?: number;
  /**
   * How intervals and bands are made: task bootstrap with percentile (default) or BCa intervals, or the Gaussian
   * multiplier bootstrap, which is several times faster and covers as well on many tasks.
   */
  readonly intervals?: "percentile" | "bca" | "multiplier";
}

/** What tells tasks and families apart when they are resampled. */
export type ResampledTask = Pick<GridTask, "taskHash" | "family">;

/** Returns pass@k of each task and cell, budgets varying fastest: [task][k][T]. */
export function getTaskValues(tasks: readonly GridTask[], sampleCounts: readonly number[]): Float64Array {
  const budgetCount = tasks[0]?.counts.length ?? 0;
  const values = new Float64Array(tasks.length * sampleCounts.length * budgetCount);
  let at = 0;
  for (const { counts } of tasks) {
    for (const k of sampleCounts) {
      for (const { samples, successes } of counts) {
        values[at] = passAtK(samples, successes, k);
        at += 1;
      }
    }
  }
  return values;
}

/** Returns the family number of each task, or `undefined` when no task names one. Tasks without a family stand alone. */
export function getClusters(tasks: readonly ResampledTask[]): Int32Array | undefined {
  if (tasks.every((task) => task.family === undefined)) return undefined;
  const numbers = new Map<string, number>();
  return Int32Array.from(tasks, ({ family, taskHash }) => {
    const name = family === undefined ? `task:${taskHash}` : `family:${family}`;
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
}

/**
 * Returns bootstrap intervals over tasks and a band that is widened where there are few, or `undefined` when there are
 * fewer than two units to resample.
 */
export function resample(
  values: Float64Array,
  tasks: readonly ResampledTask[],
  cellCount: number,
  { level = 0.95, replicates = 2000, seed = 1, intervals = "percentile" }: IntervalOptions,
): SurfaceIntervals | undefined {
  const clusters = getClusters(tasks);
  const unitCount = clusters === undefined ? tasks.length : new Set(clusters).size;
  if (unitCount < 2) return undefined;
  const input: TaskValues = {
    values,
    taskCount: tasks.length,
    cellCount,
    ...(clusters === undefined ? {} : { clusters }),
  };
  if (intervals === "multiplier") return widenBand(multiplierBand(input, { level, replicates, seed }));
  return widenBand(bootstrapMeans(input, { level, replicates, seed, method: intervals }));
}

/** Returns the mean of cell `cell` over tasks, without an interval. */
export function getMean(values: Float64Array, taskCount: number, cellCount: number, cell: number): number {
  let sum = 0;
  for (let task = 0; task < taskCount; task += 1) sum += values[task * cellCount + cell];
  return sum / taskCount;
}

/** Returns cell `cell` as an estimate; values and interval ends are clipped to [least, most]. */
export function createEstimate(
  values: Float64Array,
  taskCount: number,
  cellCount: number,
  cell: number,
  intervals: SurfaceIntervals | undefined,
  [least, most]: readonly [number, number],
): Estimate {
  const value = getMean(values, taskCount, cellCount, cell);
  if (intervals === undefined || intervals.standardError[cell] === 0) {
    const isShare = least === 0 && most === 1;
    return {
      value,
      taskCount,
      ...(intervals === undefined ? {} : { standardError: 0 }),
      // Tasks that all agree leave nothing to resample, but 0 of 100 still leaves several points open.
      ...(isShare && taskCount > 0
        ? { interval: clopperPearsonInterval(value * taskCount, taskCount, intervals?.level) }
        : {}),
    };
  }
  const { level, method } = intervals;
  const clip = (end: number): number => Math.min(most, Math.max(least, end));
  return {
    value,
    taskCount,
    standardError: intervals.standardError[cell],
    interval: { lower: clip(intervals.lower[cell]), upper: clip(intervals.upper[cell]), level, method },
    band: { lower: clip(intervals.bandLower[cell]), upper: clip(intervals.bandUpper[cell]), level, method },
  };
}
