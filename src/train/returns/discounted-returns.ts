/**
 * Returns the discounted sum of rewards from each turn on: G_t = r_t + gamma G_{t+1}. Shape [turn].
 *
 * @example
 * discountRewards([0, 0, 1], 0.9); // [0.81, 0.9, 1]
 */
export function discountRewards(rewards: readonly number[], gamma: number): number[] {
  checkUnitRange("gamma", gamma);
  const sums = [...rewards];
  for (let turn = sums.length - 2; turn >= 0; turn -= 1) sums[turn] += gamma * sums[turn + 1];
  return sums;
}

/** Throws a `RangeError` unless a discount or trace decay is in [0, 1]. */
export function checkUnitRange(name: string, value: number): void {
  if (!(value >= 0 && value <= 1)) {
    throw new RangeError(`Cannot compute returns as ${name} must be in [0, 1]: current ${name} is ${value}`);
  }
}
