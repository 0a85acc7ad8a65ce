/**
 * Returns Holm's step-down adjusted p-values, in the order of the input: the family-wise error of all of them together
 * is held whatever their dependence. Throws a `RangeError` for a value outside [0, 1].
 *
 * @example
 * holmAdjust([0.01, 0.04, 0.03]); // [0.03, 0.06, 0.06]
 */
export function holmAdjust(pValues: readonly number[]): number[] {
  for (const p of pValues) {
    if (!(p >= 0 && p <= 1)) throw new RangeError(`Cannot adjust p-values as each must be in [0, 1]: found ${p}`);
  }
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a] - pValues[b] || a - b);
  const adjusted = pValues.map(() => 1);
  let largest = 0;
  order.forEach((index, rank) => {
    largest = Math.max(largest, Math.min(1, (pValues.length - rank) * pValues[index]));
    adjusted[index] = largest;
  });
  return adjusted;
}
