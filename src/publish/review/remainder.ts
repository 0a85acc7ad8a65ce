import { normalQuantile } from "../../stats/index.js";

/** How many defects two independent reviewers probably both missed. Information, never a gate. */
export interface RemainderEstimate {
  readonly first: number;
  readonly second: number;
  readonly both: number;
  /** Estimated number of defects, found or not. */
  readonly total: number;
  /** Estimated number nobody found, and its interval; at least 0. */
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly method: "chapman-log-normal";
}

/**
 * Estimates how many defects remain from what two independent reviewers of one text found: Chapman's form of capture
 * and recapture, (a + 1)(b + 1) / (m + 1) - 1, with Seber's variance. The interval is log-normal in the number not
 * found (Chao 1987), so that it never reaches below what was seen. With no overlap it is wide, as it should be.
 *
 * @param level Coverage asked of the interval. Default 0.95.
 * @throws {RangeError} when the overlap exceeds a count, or a count is no whole number from 0.
 * @example
 * estimateRemainder(10, 8, 6).total; // 13.14...
 */
export function estimateRemainder(first: number, second: number, both: number, level = 0.95): RemainderEstimate {
  for (const value of [first, second, both]) {
    if (!Number.isInteger(value) || value < 0)
      throw new RangeError(
        `Cannot estimate a remainder from counts that are no whole numbers from 0: current value is ${value}`,
      );
  }
  if (both > Math.min(first, second))
    throw new RangeError(`Cannot estimate a remainder: ${both} found by both exceeds ${first} or ${second}`);
  const found = first + second - both;
  const total = ((first + 1) * (second + 1)) / (both + 1) - 1;
  const variance = ((first + 1) * (second + 1) * (first - both) * (second - both)) / ((both + 1) ** 2 * (both + 2));
  const unseen = Math.max(0, total - found);
  if (unseen === 0)
    return { first, second, both, total: found, estimate: 0, low: 0, high: 0, level, method: "chapman-log-normal" };
  const spread = Math.exp(normalQuantile(0.5 + level / 2) * Math.sqrt(Math.log(1 + variance / unseen ** 2)));
  return {
    first,
    second,
    both,
    total: found + unseen,
    estimate: unseen,
    low: unseen / spread,
    high: unseen * spread,
    level,
    method: "chapman-log-normal",
  };
}
