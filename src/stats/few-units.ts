import type { SurfaceIntervals } from "./bootstrap.js";
import { normalCdf, studentTQuantile } from "./distributions.js";

/**
 * Returns the width of an interval or band, in bootstrap standard errors, corrected for few resampled units. A bootstrap
 * over n units underestimates the standard error by sqrt((n - 1) / n) and takes it for known, so the width is read as a
 * normal quantile and exchanged for that of Student's t on n - 1 degrees of freedom. Without it bands on 10 tasks miss
 * two to three times as often as they say; from some 100 tasks on it changes nothing that can be seen.
 * Throws a `RangeError` for a negative width or fewer than 2 units.
 *
 * @example
 * widenForFewUnits(1.96, 10); // 2.385: 2.262 for the t, times sqrt(10 / 9)
 */
export function widenForFewUnits(criticalValue: number, unitCount: number): number {
  if (!(criticalValue >= 0) || !(unitCount >= 2)) {
    throw new RangeError(`Cannot widen a band of ${criticalValue} standard errors over ${unitCount} units`);
  }
  if (criticalValue === 0) return 0;
  // The lower tail keeps its digits where 1 - p has lost them.
  const quantile = -studentTQuantile(normalCdf(-criticalValue), unitCount - 1);
  return quantile * Math.sqrt(unitCount / (unitCount - 1));
}

/**
 * Returns the same means and intervals with the band widened by {@linkcode widenForFewUnits}. Two identical policies on
 * 10 tasks of 8 samples at six budgets are told apart in 15 % of comparisons by the band as it is, and in 5 % by this one.
 * The pointwise intervals stay as they are.
 */
export function widenBand(intervals: SurfaceIntervals): SurfaceIntervals {
  const { mean, standardError, criticalValue, unitCount } = intervals;
  if (criticalValue === undefined) return intervals;
  const widened = widenForFewUnits(criticalValue, unitCount);
  return {
    ...intervals,
    bandLower: mean.map((value, cell) => value - widened * standardError[cell]),
    bandUpper: mean.map((value, cell) => value + widened * standardError[cell]),
    criticalValue: widened,
  };
}
