import type { IntervalMethod } from "../core/index.js";
import { normalCdf, normalQuantile } from "./distributions.js";
import { checkLevel } from "./level.js";
import { quantileOfSorted } from "./quantile.js";
import { resampleMeans } from "./resample.js";
import type { TaskValues } from "./task-values.js";
import { collectUnits, computePulls, type Units } from "./units.js";

/** Options of {@linkcode bootstrapMeans}. */
export interface BootstrapOptions {
  readonly seed: number;
  /** Resamples, 2000 by default, at least 100. */
  readonly replicates?: number;
  /** Coverage aimed at, .95 by default. */
  readonly level?: number;
  /** Pointwise intervals: `percentile` (default) or `bca`, bias-corrected and accelerated (Efron 1987). */
  readonly method?: "percentile" | "bca";
}

/** Means over tasks with intervals and a simultaneous band. Arrays are by cell. */
export interface SurfaceIntervals {
  readonly mean: Float64Array;
  /** 0 when every resampled unit has the same mean: there is then no interval to speak of. */
  readonly standardError: Float64Array;
  /** Pointwise interval: holds for one cell alone. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Simultaneous (sup-t) band: holds for all cells together. mean -+ criticalValue x standardError; it is not clipped. */
  readonly bandLower: Float64Array;
  readonly bandUpper: Float64Array;
  /** Width of the band in standard errors; `undefined` when no cell varies. */
  readonly criticalValue: number | undefined;
  /** Tasks or families: what was resampled. */
  readonly unitCount: number;
  readonly level: number;
  /** How the pointwise intervals were made. */
  readonly method: IntervalMethod;
}

/**
 * Returns the mean of each cell over tasks with task-bootstrap intervals and a sup-t band over all cells. Tasks (or
 * families) are resampled with everything they hold, so a cell keeps its task's estimate fixed and the cells of one
 * replicate belong together; values may be one policy's surface or a paired difference. With families a replicate's mean
 * is the mean over the tasks drawn, so families weigh by size.
 *
 * The standard error is the standard deviation of the replicates. The critical value is the `level` quantile over
 * replicates of the largest |replicate - mean| / standard error over cells. Cells without variance are left out of it and
 * have lower = upper = mean. Quantiles are of type 7. The replicates of all cells are held, 8 bytes each (10,000
 * replicates of 96 cells: 7.7 MB), beside a copy of the values. The same seed gives the same bytes.
 * With fewer than some 10 units, such as training seeds, intervals and band are too narrow: use `studentTInterval`.
 * Throws a `RangeError` for unusable values or options.
 *
 * @example
 * bootstrapMeans({ values: [0, 1, 1, 1], taskCount: 4, cellCount: 1 }, { seed: 1 }).mean; // Float64Array [0.75]
 */
export function bootstrapMeans(input: TaskValues, options: BootstrapOptions): SurfaceIntervals {
  const { seed, replicates = 2000, level = 0.95, method = "percentile" } = options;
  checkLevel(level);
  if (!Number.isInteger(replicates) || replicates < 100) {
    throw new RangeError(`Cannot bootstrap as at least 100 replicates are needed: current count is ${replicates}`);
  }
  const units = collectUnits(input);
  const { mean, cellCount, unitCount } = units;
  const pulls = computePulls(units);
  const means = resampleMeans(units, replicates, seed);
  const standardError = new Float64Array(cellCount);
  const lower = mean.slice();
  const upper = mean.slice();
  const largest = new Float64Array(replicates);
  for (let cell = 0; cell < cellCount; cell += 1) {
    if (!varies(pulls, cell, cellCount)) continue;
    const sample = means.subarray(cell * replicates, (cell + 1) * replicates);
    standardError[cell] = standardDeviation(sample);
    raiseToDistance(largest, sample, mean[cell], standardError[cell]);
    sample.sort(); // in place: only its quantiles are needed from here on
    const [low, high] =
      method === "bca"
        ? bcaProbabilities(sample, mean[cell], accelerationOf(units, cell), level)
        : [(1 - level) / 2, (1 + level) / 2];
    lower[cell] = quantileOfSorted(sample, low);
    upper[cell] = quantileOfSorted(sample, high);
  }
  const criticalValue = standardError.some((error) => error > 0) ? quantileOfSorted(largest.sort(), level) : undefined;
  return {
    mean,
    standardError,
    lower,
    upper,
    bandLower: mean.map((value, cell) => value - (criticalValue ?? 0) * standardError[cell]),
    bandUpper: mean.map((value, cell) => value + (criticalValue ?? 0) * standardError[cell]),
    criticalValue,
    unitCount,
    level,
    method: method === "bca" ? "task_bootstrap_bca" : "task_bootstrap_percentile",
  };
}

function varies(pulls: Float64Array, cell: number, cellCount: number): boolean {
  for (let i = cell; i < pulls.length; i += cellCount) if (pulls[i] !== 0) return true;
  return false;
}

function standardDeviation(sample: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < sample.length; i += 1) sum += sample[i];
  const centre = sum / sample.length;
  let squares = 0;
  for (let i = 0; i < sample.length; i += 1) squares += (sample[i] - centre) ** 2;
  return Math.sqrt(squares / (sample.length - 1));
}

/** Raises each replicate's largest standardised distance over the cells seen so far. */
function raiseToDistance(largest: Float64Array, sample: Float64Array, mean: number, standardError: number): void {
  for (let i = 0; i < sample.length; i += 1) {
    const distance = Math.abs(sample[i] - mean) / standardError;
    if (distance > largest[i]) largest[i] = distance;
  }
}

/**
 * Returns the two probabilities at which BCa reads the sorted replicates. Ties with the mean count half; sums of the same
 * values in another order differ by rounding, so a tie is anything within 1e-12 of the largest replicate.
 */
function bcaProbabilities(sorted: Float64Array, mean: number, acceleration: number, level: number): [number, number] {
  const tie = 1e-12 * Math.max(Math.abs(sorted[0]), Math.abs(sorted[sorted.length - 1]));
  let below = 0;
  for (let i = 0; i < sorted.length; i += 1) {
    if (sorted[i] < mean - tie) below += 1;
    else if (sorted[i] <= mean + tie) below += 0.5;
  }
  const half = 0.5 / sorted.length;
  const bias = normalQuantile(Math.min(Math.max(below / sorted.length, half), 1 - half));
  const adjust = (p: number): number => {
    const shifted = bias + normalQuantile(p);
    return normalCdf(bias + shifted / (1 - acceleration * shifted));
  };
  return [adjust((1 - level) / 2), adjust((1 + level) / 2)];
}

/** Returns BCa's acceleration of one cell from the means with each unit left out. */
function accelerationOf({ unitCount, cellCount, sums, sizes, taskCount, mean }: Units, cell: number): number {
  if (unitCount < 2) return 0;
  const left = new Float64Array(unitCount);
  let sum = 0;
  for (let unit = 0; unit < unitCount; unit += 1) {
    left[unit] = (mean[cell] * taskCount - sums[unit * cellCount + cell]) / (taskCount - sizes[unit]);
    sum += left[unit];
  }
  let squares = 0;
  let cubes = 0;
  for (let unit = 0; unit < unitCount; unit += 1) {
    const distance = sum / unitCount - left[unit];
    squares += distance ** 2;
    cubes += distance ** 3;
  }
  return squares > 0 ? cubes / (6 * squares ** 1.5) : 0;
}
