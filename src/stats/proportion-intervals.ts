import type { Interval } from "../core/index.js";
import { betaQuantile, normalQuantile } from "./distributions.js";
import { checkLevel } from "./level.js";

/**
 * Returns Wilson's score interval for a proportion of `c` successes in `n` independent trials. It covers `level` on
 * average over p, not at every p, and stays inside [0, 1]. Throws a `RangeError` unless 0 <= c <= n, n >= 1 and
 * 0 < level < 1.
 *
 * @example
 * wilsonInterval(3, 10); // { lower: 0.10779, upper: 0.60322, level: 0.95, method: "wilson" }, rounded
 */
export function wilsonInterval(c: number, n: number, level = 0.95): Interval {
  checkTrials(c, n, level);
  const z = normalQuantile(0.5 + level / 2);
  const rate = c / n;
  const scale = 1 + (z * z) / n;
  const centre = (rate + (z * z) / (2 * n)) / scale;
  const half = (z / scale) * Math.sqrt((rate * (1 - rate)) / n + (z * z) / (4 * n * n));
  // At the two ends the exact limit is 0 or 1; the formula only reaches it up to rounding.
  const lower = c === 0 ? 0 : Math.max(centre - half, 0);
  const upper = c === n ? 1 : Math.min(centre + half, 1);
  return { lower, upper, level, method: "wilson" };
}

/**
 * Returns the Clopper-Pearson interval for a proportion: it covers at least `level` at every p, so it is wide.
 * A fractional `c` is allowed, for a mean of n values in [0, 1]; the beta quantiles are defined for it.
 * The one-sided bound at 1 - alpha is the bound at level 1 - 2 alpha. Throws a `RangeError` like
 * {@linkcode wilsonInterval}.
 *
 * @example
 * clopperPearsonInterval(0, 20, 0.9).upper; // 0.1391: what 0 of 20 leaves open, 95 % one-sided
 */
export function clopperPearsonInterval(c: number, n: number, level = 0.95): Interval {
  checkTrials(c, n, level);
  const tail = (1 - level) / 2;
  const lower = c === 0 ? 0 : betaQuantile(tail, c, n - c + 1);
  const upper = c === n ? 1 : betaQuantile(1 - tail, c + 1, n - c);
  return { lower, upper, level, method: "clopper_pearson" };
}

/**
 * Returns the equal-tailed interval of the Beta(c + 1/2, n - c + 1/2) posterior (Jeffreys prior), with the end at 0 or
 * 1 when no trial or every trial succeeded (Brown, Cai and DasGupta 2001). Throws a `RangeError` like
 * {@linkcode wilsonInterval}.
 */
export function jeffreysInterval(c: number, n: number, level = 0.95): Interval {
  checkTrials(c, n, level);
  const tail = (1 - level) / 2;
  const lower = c === 0 ? 0 : betaQuantile(tail, c + 0.5, n - c + 0.5);
  const upper = c === n ? 1 : betaQuantile(1 - tail, c + 0.5, n - c + 0.5);
  return { lower, upper, level, method: "jeffreys" };
}

function checkTrials(c: number, n: number, level: number): void {
  checkLevel(level);
  if (!Number.isInteger(n) || n < 1) {
    throw new RangeError(`Cannot make an interval as n must be a whole number above 0: current n is ${n}`);
  }
  if (!(c >= 0 && c <= n)) {
    throw new RangeError(`Cannot make an interval as c must be in 0..${n}: current c is ${c}`);
  }
}
