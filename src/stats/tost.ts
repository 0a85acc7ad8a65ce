import { studentTCdf } from "./distributions.js";
import { studentTInterval } from "./student-t-interval.js";

/** Two one-sided tests that a mean difference lies inside plus or minus a margin. */
export interface TostResult {
  readonly mean: number;
  readonly standardError: number;
  /** p of "the mean is at or below -margin". */
  readonly pLower: number;
  /** p of "the mean is at or above margin". */
  readonly pUpper: number;
  /** The larger of the two: below alpha, the difference is inside the margin. */
  readonly pValue: number;
  readonly isEquivalent: boolean;
}

/** Options of {@linkcode tostPaired}. */
export interface TostOptions {
  /** Largest difference that does not matter, in the unit of the values; .03 by default. Declare it before looking. */
  readonly margin?: number;
  /** Error level of each test, .05 by default. */
  readonly alpha?: number;
}

/**
 * Returns two one-sided t tests on per-task differences (Schuirmann 1987). They reject together exactly when the t interval at level
 * 1 - 2 alpha lies inside the margin. Differences that are all equal give p = 1: no observed variance is no
 * evidence of equivalence. Throws a `RangeError` for fewer than 2 differences or a margin or alpha out of range.
 */
export function tostPaired(differences: readonly number[], options: TostOptions = {}): TostResult {
  const { margin = 0.03, alpha = 0.05 } = options;
  if (!(margin > 0 && margin < Infinity && alpha > 0 && alpha < 0.5)) {
    throw new RangeError(`Cannot test equivalence with margin ${margin} and alpha ${alpha}`);
  }
  const { mean, standardError, degrees } = studentTInterval(differences);
  if (standardError === 0) return { mean, standardError, pLower: 1, pUpper: 1, pValue: 1, isEquivalent: false };
  const pLower = studentTCdf(-(mean + margin) / standardError, degrees);
  const pUpper = studentTCdf((mean - margin) / standardError, degrees);
  const pValue = Math.max(pLower, pUpper);
  return { mean, standardError, pLower, pUpper, pValue, isEquivalent: pValue < alpha };
}
