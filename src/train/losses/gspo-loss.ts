import type { TrainingRow } from "../../core/index.js";
import { clipSurrogate, type ClipBounds } from "./clipped-surrogate.js";
import { listTrained, type RowLoss } from "./row-loss.js";

/**
 * Returns the GSPO loss of one row (arXiv 2507.18071, eq. 5 and 7): every token has the ratio of its whole sequence,
 * s = exp(mean of log-prob - log-prob at sampling over sampled tokens), and all tokens are clipped alike. The mean runs
 * over every sampled token, those of weight 0 included: they are part of the sequence whose likelihood changed.
 * Bounds are far tighter than for single tokens, e.g. 3e-4 and 4e-4 in the paper.
 */
export function gspoLoss(row: TrainingRow, logProbs: readonly number[], bounds: ClipBounds): RowLoss {
  const gradient = row.ids.map(() => 0);
  const sampled = row.actionMask.flatMap((isSampled, i) => (isSampled ? [i] : []));
  let sum = 0;
  for (const i of sampled) sum += logProbs[i] - row.sampledLogProbs[i];
  const logRatio = sum / sampled.length;
  let loss = 0;
  let slope = 0;
  let clippedCount = 0;
  for (const i of listTrained(row)) {
    const token = clipSurrogate(logRatio, row.advantages[i], bounds);
    loss += row.weights[i] * token.loss;
    slope += row.weights[i] * token.slope;
    if (token.bound !== "none") clippedCount += 1;
  }
  for (const i of sampled) gradient[i] = slope / sampled.length;
  return { loss, gradient, clippedCount };
}
