import type { TrainingRow } from "../../core/index.js";
import { clipSurrogate, type ClipBounds } from "./clipped-surrogate.js";
import { listTrained, type RowLoss } from "./row-loss.js";

/**
 * Returns the clipped PPO loss of one row (arXiv 1707.06347; with two bounds as in DAPO, arXiv 2503.14476, eq. 10):
 * the weighted sum of {@linkcode clipSurrogate} over trained tokens, each with the ratio of its own token,
 * exp(log-prob - log-prob at sampling). GRPO and Dr. GRPO use this loss with their own advantages and weights.
 */
export function ppoClipLoss(row: TrainingRow, logProbs: readonly number[], bounds: ClipBounds): RowLoss {
  const gradient = row.ids.map(() => 0);
  let loss = 0;
  let clippedCount = 0;
  for (const i of listTrained(row)) {
    const token = clipSurrogate(logProbs[i] - row.sampledLogProbs[i], row.advantages[i], bounds);
    loss += row.weights[i] * token.loss;
    gradient[i] = row.weights[i] * token.slope;
    if (token.bound !== "none") clippedCount += 1;
  }
  return { loss, gradient, clippedCount };
}
