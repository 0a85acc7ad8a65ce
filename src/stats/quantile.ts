/**
 * Returns the `p` quantile of values sorted in ascending order, by linear interpolation between order statistics at
 * position (n - 1) p (Hyndman and Fan's type 7, the default of R and NumPy).
 * Throws a `RangeError` for no values and for a `p` outside [0, 1].
 *
 * @example
 * quantileOfSorted([1, 2, 3, 4], 0.5); // 2.5
 */
export function quantileOfSorted(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) throw new RangeError("Cannot take a quantile of no values");
  if (!(p >= 0 && p <= 1)) {
    throw new RangeError(`Cannot take a quantile as its probability must be in [0, 1]: current value is ${p}`);
  }
  const position = (sorted.length - 1) * p;
  const index = Math.floor(position);
  const fraction = position - index;
  const below = sorted[index];
  return fraction === 0 ? below : below + fraction * (sorted[index + 1] - below);
}

/** Returns the `p` quantile of values in any order, of the type of {@linkcode quantileOfSorted}. */
export function quantile(values: ArrayLike<number>, p: number): number {
  return quantileOfSorted(Float64Array.from(values).sort(), p);
}
