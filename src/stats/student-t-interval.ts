import type { Interval } from "../core/index.js";
import { studentTQuantile } from "./distributions.js";
import { checkLevel } from "./level.js";

/** A mean over independent values, e.g. one value a training seed. */
export interface StudentTEstimate {
  readonly mean: number;
  readonly standardError: number;
  /** One less than the number of values. */
  readonly degrees: number;
  readonly interval: Interval;
}

/**
 * Returns the mean of a few independent values with its t interval on n - 1 degrees of freedom: the interval for
 * fewer than ten training seeds, where a percentile bootstrap is too short (over 5 seeds it covers .84 for .95).
 * Values that are all equal give an interval of no width, which is no evidence of precision.
 * Throws a `RangeError` for fewer than 2 values or one that is not finite.
 *
 * @example
 * studentTInterval([0.4, 0.5, 0.6]).interval; // 0.5 -+ 4.303 x 0.0577
 */
export function studentTInterval(values: readonly number[], level = 0.95): StudentTEstimate {
  checkLevel(level);
  const { mean, standardError, degrees } = summarize(values);
  const half = studentTQuantile(0.5 + level / 2, degrees) * standardError;
  return {
    mean,
    standardError,
    degrees,
    interval: { lower: mean - half, upper: mean + half, level, method: "student_t" },
  };
}

/** Mean of at least two values with its standard error. Equal values have a standard error of exactly 0. */
function summarize(values: readonly number[]): { mean: number; standardError: number; degrees: number } {
  if (values.length < 2 || !values.every(Number.isFinite)) {
    throw new RangeError(`Cannot use a t distribution as it needs 2 finite values or more: found ${values.join(", ")}`);
  }
  const count = values.length;
  if (values.every((value) => value === values[0])) return { mean: values[0], standardError: 0, degrees: count - 1 };
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, standardError: Math.sqrt(squares / (count - 1) / count), degrees: count - 1 };
}
