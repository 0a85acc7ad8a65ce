// internal
import { createRandom, type Estimate } from "../../core/index.js";
import { quantileOfSorted } from "../../stats/index.js";

/** Gives every task a number, and its resampling unit (its family, or the task itself) one too. */
export class TaskNumbers {
  readonly #tasks = new Map<string, number>();
  readonly #units = new Map<string, number>();
  /** [task] number of its unit. */
  readonly unitOfTask: number[] = [];
  /** [task] its content hash. */
  readonly hashes: string[] = [];

  get taskCount(): number {
    return this.unitOfTask.length;
  }
  get unitCount(): number {
    return this.#units.size;
  }

  /** Returns the number of a task, a new one on first sight. */
  add({ hash, family }: { readonly hash: string; readonly family?: string }): number {
    const known = this.#tasks.get(hash);
    if (known !== undefined) return known;
    const name = family === undefined ? `task:${hash}` : `family:${family}`;
    const unit = this.#units.get(name) ?? this.#units.size;
    this.#units.set(name, unit);
    const task = this.#tasks.size;
    this.#tasks.set(hash, task);
    this.unitOfTask.push(unit);
    this.hashes.push(hash);
    return task;
  }
}

/** Resamples of units: how often each one counts. */
export interface UnitDraws {
  /** [replicate][unit] */
  readonly counts: readonly Float64Array[];
  readonly level: number;
}

/** Draws units with replacement. The same seed gives the same draws; the first ones do not depend on how many follow. */
export function drawUnits(unitCount: number, options: { seed: number; replicates: number; level: number }): UnitDraws {
  const { seed, replicates, level } = options;
  const counts = Array.from({ length: replicates }, (_unused, replicate) => {
    const random = createRandom(seed, "unit draws", replicate);
    const row = new Float64Array(unitCount);
    for (let drawn = 0; drawn < unitCount; drawn += 1) row[random.nextInt(unitCount)] += 1;
    return row;
  });
  return { counts, level };
}

/** Share of resamples in which a statistic must exist for its interval to be shown. */
const minDefined = 0.95;

/**
 * Returns a statistic of weighted units with its percentile interval, or `undefined` where it does not exist.
 * `compute` gets [unit] weights and returns `undefined` where the weighted data do not define it. An interval needs two
 * units, some spread, and 95 % of resamples in which the statistic exists.
 */
export function estimateByUnits(
  unitCount: number,
  draws: UnitDraws,
  compute: (weights: Float64Array) => number | undefined,
  involvedUnits = unitCount,
): Estimate | undefined {
  const value = compute(new Float64Array(unitCount).fill(1));
  if (value === undefined) return undefined;
  if (involvedUnits < 2) return { value, taskCount: involvedUnits };
  const drawn = draws.counts.map(compute).filter((one) => one !== undefined);
  if (drawn.length < 2 || drawn.length < minDefined * draws.counts.length) return { value, taskCount: involvedUnits };
  const sorted = Float64Array.from(drawn).sort();
  const mean = sorted.reduce((sum, one) => sum + one, 0) / sorted.length;
  const variance = sorted.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (sorted.length - 1);
  if (!(variance > 1e-24)) return { value, taskCount: involvedUnits, standardError: 0 };
  const tail = (1 - draws.level) / 2;
  return {
    value,
    taskCount: involvedUnits,
    standardError: Math.sqrt(variance),
    interval: {
      lower: quantileOfSorted(sorted, tail),
      upper: quantileOfSorted(sorted, 1 - tail),
      level: draws.level,
      method: "task_bootstrap_percentile",
    },
  };
}

/** Returns the estimate of a ratio of sums over units, e.g. a mean over turns or tokens; absent when nothing is below. */
export function estimateRatio(
  numerators: Float64Array,
  denominators: Float64Array,
  draws: UnitDraws,
): Estimate | undefined {
  let involved = 0;
  for (const one of denominators) if (one > 0) involved += 1;
  return estimateByUnits(
    numerators.length,
    draws,
    (weights) => {
      let above = 0;
      let below = 0;
      for (let unit = 0; unit < weights.length; unit += 1) {
        above += weights[unit] * numerators[unit];
        below += weights[unit] * denominators[unit];
      }
      return below > 0 ? above / below : undefined;
    },
    involved,
  );
}
