import { binnedError, rankScores } from "./ranking.js";

/**
 * Returns the Brier score: the mean squared distance between probability and label (0 or 1). In 0..1, lower is better;
 * always predicting the share of positives p scores p (1 - p). `undefined` without rows or weight.
 *
 * @throws {RangeError} for lengths that differ or a probability outside 0..1.
 * @example
 * brierScore([0.1, 0.4, 0.4, 0.8], [0, 0, 1, 1]); // 0.1425
 */
export function brierScore(
  probabilities: ArrayLike<number>,
  labels: ArrayLike<number>,
  weights?: ArrayLike<number>,
): number | undefined {
  checkProbabilities("a Brier score", probabilities, labels);
  let sum = 0;
  let total = 0;
  for (let i = 0; i < probabilities.length; i += 1) {
    const weight = weights?.[i] ?? 1;
    sum += weight * (probabilities[i] - labels[i]) ** 2;
    total += weight;
  }
  return total > 0 ? sum / total : undefined;
}

/**
 * Returns the expected calibration error over bins of equal mass: rows sorted by probability are cut into `binCount`
 * (default 10) bins of about equal weight, and the distances between a bin's mean probability and its share of
 * positives are averaged by weight. Rows of equal probability stay in one bin, so the order of rows does not matter. In
 * 0..1; `undefined` without rows or weight. With few rows a bin, chance alone makes it larger than 0.
 *
 * @throws {RangeError} for lengths that differ, a probability outside 0..1, or less than 1 bin.
 * @example
 * equalMassEce([0.2, 0.2, 0.8, 0.8], [0, 0, 1, 1], { binCount: 2 }); // 0.2
 */
export function equalMassEce(
  probabilities: ArrayLike<number>,
  labels: ArrayLike<number>,
  options: { readonly binCount?: number; readonly weights?: ArrayLike<number> } = {},
): number | undefined {
  const { binCount = 10, weights } = options;
  checkProbabilities("a calibration error", probabilities, labels);
  if (!Number.isInteger(binCount) || binCount < 1) {
    throw new RangeError(
      `Cannot compute a calibration error as at least 1 bin is needed: current count is ${binCount}`,
    );
  }
  return binnedError(rankScores(probabilities), probabilities, labels, binCount, (row) => weights?.[row] ?? 1);
}

function checkProbabilities(what: string, probabilities: ArrayLike<number>, labels: ArrayLike<number>): void {
  if (probabilities.length !== labels.length) {
    throw new RangeError(
      `Cannot compute ${what} as each probability needs a label: current lengths are ${probabilities.length} and ${labels.length}`,
    );
  }
  for (let i = 0; i < probabilities.length; i += 1) {
    if (!(probabilities[i] >= 0 && probabilities[i] <= 1)) {
      throw new RangeError(
        `Cannot compute ${what} as probabilities must be in 0..1: number ${i} is ${probabilities[i]}`,
      );
    }
  }
}
