// internal
import type { Estimate, Task, Verdict } from "../../core/index.js";
import { armsInterval, decideVerdict, type Bounds } from "../../stats/index.js";
import { createEstimate, resample, type IntervalOptions } from "../task-surface.js";

/** How figures from a pool are estimated. */
export interface PoolFigureOptions extends Required<Omit<IntervalOptions, "intervals">> {
  readonly margin: number;
}

/** What is resampled, and the values it brings: one a cell. */
export interface TaskCells {
  readonly task: Pick<Task, "hash" | "family">;
  readonly values: readonly number[];
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
 * Returns the verdict on a difference: by its band where it has one. Where all tasks showed the same difference, the
 * two arms' own intervals decide; without arms that are shares it is undecided. `sign` is -1 where less is better.
 */
export function judgeDifference(
  estimate: Estimate,
  means: readonly [number, number] | undefined,
  { margin, level }: PoolFigureOptions,
  sign: 1 | -1 = 1,
): Verdict {
  const { taskCount, standardError = 0 } = estimate;
  const clip = (mean: number): number => Math.min(1, Math.max(0, mean));
  const arms = means === undefined ? undefined : armsInterval(clip(means[0]), clip(means[1]), taskCount, level);
  const bounds = estimate.band ?? estimate.interval ?? arms;
  if (bounds === undefined) return "undecided";
  const orient = ({ lower, upper }: Bounds): Bounds =>
    sign === 1 ? { lower, upper } : { lower: -upper, upper: -lower };
  return decideVerdict(orient(bounds), margin, {
    standardError,
    ...(arms === undefined ? {} : { arms: orient(arms) }),
  });
}
