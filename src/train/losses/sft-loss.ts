import type { TrainingRow } from "../../core/index.js";
import { listTrained, type RowLoss } from "./row-loss.js";

/**
 * Returns the supervised loss of one row: the weighted sum of -log p over trained tokens. Position i is about
 * predicting `ids[i]`, so there is nothing to shift. Advantages and sampling log-probabilities play no part.
 */
export function sftLoss(row: TrainingRow, logProbs: readonly number[]): RowLoss {
  const gradient = row.ids.map(() => 0);
  let loss = 0;
  for (const i of listTrained(row)) {
    loss -= row.weights[i] * logProbs[i];
    gradient[i] = -row.weights[i];
  }
  return { loss, gradient, clippedCount: 0 };
}
