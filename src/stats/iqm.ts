/**
 * Returns the interquartile mean: the mean of the middle half, with floor(n/4) values cut from each end (the 25 % trimmed
 * mean of SciPy and rliable). Feed it per-task rates; on single binary outcomes it is degenerate.
 * Throws a `RangeError` for no values.
 *
 * @example
 * interquartileMean([0, 1, 2, 9]); // 1.5
 */
export function interquartileMean(values: ArrayLike<number>): number {
  if (values.length === 0) throw new RangeError("Cannot take the interquartile mean of no values");
  const sorted = Float64Array.from(values).sort();
  const cut = Math.floor(sorted.length / 4);
  const middle = sorted.subarray(cut, sorted.length - cut);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}
