// internal
import type { TrainingRow } from "../../core/index.js";
import type { RowOutputs } from "./compute-loss.js";

/** A row of single-turn tokens from columns; what is left out is 0. For tests. */
export function testRow(
  mask: string,
  columns: Partial<Pick<TrainingRow, "advantages" | "weights" | "sampledLogProbs">> & Partial<TrainingRow> = {},
): TrainingRow {
  const actionMask = Array.from(mask, (digit) => digit === "1");
  const zeros = actionMask.map(() => 0);
  return {
    ids: actionMask.map((_, i) => i),
    actionMask,
    sampledLogProbs: zeros,
    turnIndex: zeros,
    advantages: zeros,
    weights: actionMask.map((isSampled) => (isSampled ? 1 : 0)),
    ...columns,
  };
}

/** A row of one sampled token with this log-ratio and advantage, and what the network says of it. For tests. */
export function oneToken(logRatio: number, advantage: number): { row: TrainingRow; outputs: RowOutputs } {
  return {
    row: testRow("1", { advantages: [advantage], sampledLogProbs: [-3] }),
    outputs: { logProbs: [logRatio - 3] },
  };
}
