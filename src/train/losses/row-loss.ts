import type { TrainingRow } from "../../core/index.js";

/**
 * The loss of one row: weighted sum over its trained tokens, the derivative with respect to each log-probability, and
 * how many trained tokens a bound kept from moving.
 */
export interface RowLoss {
  readonly loss: number;
  /** Length of the row's ids; exactly 0 where no token is trained. */
  readonly gradient: readonly number[];
  readonly clippedCount: number;
}

/**
 * Returns the positions whose loss counts: sampled by the policy, with a weight. A sampled token of weight 0 was left
 * out of training, e.g. by a filter.
 */
export function listTrained({ actionMask, weights }: Pick<TrainingRow, "actionMask" | "weights">): number[] {
  const positions: number[] = [];
  actionMask.forEach((isSampled, i) => {
    if (isSampled && weights[i] !== 0) positions.push(i);
  });
  return positions;
}

/**
 * Throws a `RangeError` unless every list of a row is as long as its ids: a list that is shorter or longer is about
 * other tokens.
 */
export function checkRowLengths(row: TrainingRow, logProbs: readonly number[]): void {
  const { ids, actionMask, sampledLogProbs, advantages, weights, turnIndex } = row;
  const { referenceLogProbs, proximalLogProbs, returns, oldValues } = row;
  const lists = { actionMask, sampledLogProbs, advantages, weights, turnIndex };
  const optional = { referenceLogProbs, proximalLogProbs, returns, oldValues };
  for (const [name, list] of Object.entries({ logProbs, ...lists, ...optional })) {
    if (list !== undefined && list.length !== ids.length) {
      throw new RangeError(
        `Cannot compute a loss as "${name}" must have one entry for each of the ${ids.length} ids: found ${list.length}`,
      );
    }
  }
}
