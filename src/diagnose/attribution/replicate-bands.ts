// internal
import type { Estimate, IntervalMethod } from "../../core/index.js";
import { quantileOfSorted, widenForFewUnits } from "../../stats/index.js";

const method: IntervalMethod = "task_bootstrap_percentile";

/**
 * Returns an estimate for each value with a percentile interval of its own and a sup-t band that holds for all of them
 * together, from bootstrap replicates [cell][replicate]. The band is widened for few units, so that identical policies are
 * told apart as seldom as it says on ten tasks too. Cells that never vary get neither. Ends are clipped to -1..1.
 */
export function estimateWithBands(
  values: readonly number[],
  replicates: readonly Float64Array[],
  unitCount: number,
  level: number,
): Estimate[] {
  const draws = replicates[0]?.length ?? 0;
  if (draws === 0 || unitCount < 2) return values.map((value) => ({ value, taskCount: unitCount }));
  const errors = replicates.map(deviationOf);
  const largest = new Float64Array(draws);
  for (const [cell, sample] of replicates.entries()) {
    if (errors[cell] === 0) continue;
    for (let r = 0; r < draws; r += 1)
      largest[r] = Math.max(largest[r], Math.abs(sample[r] - values[cell]) / errors[cell]);
  }
  const critical = widenForFewUnits(quantileOfSorted(largest.sort(), level), unitCount);
  const clip = (end: number): number => Math.min(1, Math.max(-1, end));
  return values.map((value, cell) => {
    const standardError = errors[cell];
    if (standardError === 0) return { value, taskCount: unitCount, standardError };
    const sorted = replicates[cell].slice().sort();
    const [low, high] = [(1 - level) / 2, (1 + level) / 2].map((p) => quantileOfSorted(sorted, p));
    return {
      value,
      taskCount: unitCount,
      standardError,
      interval: { lower: clip(low), upper: clip(high), level, method },
      band: {
        lower: clip(value - critical * standardError),
        upper: clip(value + critical * standardError),
        level,
        method,
      },
    };
  });
}

/** Returns the standard deviation; exactly 0 where values differ by rounding only. */
function deviationOf(sample: Float64Array): number {
  let sum = 0;
  for (const value of sample) sum += value;
  const mean = sum / sample.length;
  let squares = 0;
  for (const value of sample) squares += (value - mean) ** 2;
  const deviation = Math.sqrt(squares / (sample.length - 1));
  return deviation < 1e-12 ? 0 : deviation;
}
