/**
 * Returns the expected share of groups whose episodes all succeed or all fail, so that centred returns are all 0: the mean
 * over tasks of p^G + (1 - p)^G. Tasks that differ raise it by themselves, which is why it takes per-task
 * probabilities and not their mean. Throws a `RangeError` for no task, a p outside [0, 1] or a group size below 1.
 *
 * @example
 * uniformGroupShare([0.5], 8); // 0.0078125
 */
export function uniformGroupShare(probabilities: readonly number[], groupSize: number): number {
  if (probabilities.length === 0 || !probabilities.every((p) => p >= 0 && p <= 1)) {
    throw new RangeError("Cannot compute a share of uniform groups as it needs probabilities in [0, 1], one a task");
  }
  if (!Number.isInteger(groupSize) || groupSize < 1) {
    throw new RangeError(
      `Cannot compute a share of uniform groups of ${groupSize} episodes: a whole number from 1 is needed`,
    );
  }
  const sum = probabilities.reduce((total, p) => total + p ** groupSize + (1 - p) ** groupSize, 0);
  return sum / probabilities.length;
}
