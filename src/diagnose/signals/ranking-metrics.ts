import { averagePrecision, rankScores, sumConcordance } from "./ranking.js";

function checkLengths(
  what: string,
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  weights: ArrayLike<number> | undefined,
): void {
  if (scores.length !== labels.length || (weights !== undefined && weights.length !== scores.length)) {
    throw new RangeError(
      `Cannot compute ${what} as scores, labels and weights must be of one length: current lengths are ${scores.length}, ${labels.length} and ${weights?.length ?? scores.length}`,
    );
  }
  for (let i = 0; i < scores.length; i += 1) {
    if (Number.isNaN(scores[i])) throw new RangeError(`Cannot compute ${what} as score ${i} is not a number`);
    if (labels[i] !== 0 && labels[i] !== 1)
      throw new RangeError(`Cannot compute ${what} as labels must be 0 or 1: label ${i} is ${labels[i]}`);
  }
}

/**
 * Returns the area under the ROC curve: the chance that a row labelled 1 has the higher score than one labelled 0, ties
 * counting half (Mann-Whitney). In 0..1; `undefined` when a class is missing. Scores may be infinite. `weights` count
 * rows several times.
 *
 * @throws {RangeError} for lengths that differ, a score that is NaN, or a label other than 0 and 1.
 * @example
 * auroc([0.1, 0.4, 0.4, 0.8], [0, 0, 1, 1]); // 0.875
 */
export function auroc(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  weights?: ArrayLike<number>,
): number | undefined {
  checkLengths("an AUROC", scores, labels, weights);
  const { concordant, pairs } = sumConcordance(rankScores(scores), labels, (row) => weights?.[row] ?? 1);
  return pairs > 0 ? concordant / pairs : undefined;
}

/**
 * Returns the area under the precision-recall curve as average precision: precision at each distinct score, weighted by
 * the recall gained there. Tied scores enter together, so the order of rows does not matter. In 0..1; the share of
 * positives is what a useless score has on average; `undefined` without a positive.
 *
 * @throws {RangeError} as {@linkcode auroc} does.
 * @example
 * auprc([0.1, 0.4, 0.4, 0.8], [0, 0, 1, 1]); // 5/6: 1 at .8, then 2/3 at .4, half of the recall each
 */
export function auprc(
  scores: ArrayLike<number>,
  labels: ArrayLike<number>,
  weights?: ArrayLike<number>,
): number | undefined {
  checkLengths("an AUPRC", scores, labels, weights);
  return averagePrecision(rankScores(scores), labels, (row) => weights?.[row] ?? 1);
}
