import type { TrainingRow } from "../../core/index.js";
import { listTrained, type RowLoss } from "./row-loss.js";

/** Bounds of CISPO's ratio. The paper bounds it from above only. */
export interface CispoBounds {
  readonly clipHigh: number;
  /** Absent: no lower bound. */
  readonly clipLow?: number;
}

/**
 * Returns the CISPO loss of one row (MiniMax-M1, arXiv 2506.13585, eq. 4): -w clip(r) A log p summed over trained
 * tokens, where the clipped ratio is a constant. No token is shut out: one beyond a bound still moves, with the bound
 * as its weight. The loss value itself says little; only its gradient is meant.
 */
export function cispoLoss(row: TrainingRow, logProbs: readonly number[], bounds: CispoBounds): RowLoss {
  const { clipHigh, clipLow = 1 } = bounds;
  const gradient = row.ids.map(() => 0);
  let loss = 0;
  let clippedCount = 0;
  for (const i of listTrained(row)) {
    const ratio = Math.exp(logProbs[i] - row.sampledLogProbs[i]);
    const held = Math.min(Math.max(ratio, 1 - clipLow), 1 + clipHigh);
    if (row.advantages[i] !== 0) {
      gradient[i] = -row.weights[i] * held * row.advantages[i];
      loss += gradient[i] * logProbs[i];
    }
    if (held !== ratio) clippedCount += 1;
  }
  return { loss, gradient, clippedCount };
}
