/**
 * How losses of tokens become one number. `token_mean` divides by the trained tokens of the batch; `sequence_mean` by
 * the tokens of the own sequence, then by the number of sequences; `sequence_sum_mean` sums over a sequence and divides
 * by the number of sequences only; `constant` divides by a fixed length instead of the own one (Dr. GRPO), and with
 * `over: "sequence"` by the number of sequences too.
 */
export type Aggregation =
  | { readonly kind: "token_mean" }
  | { readonly kind: "sequence_mean" }
  | { readonly kind: "sequence_sum_mean" }
  | { readonly kind: "constant"; readonly length: number; readonly over: "batch" | "sequence" };

/** Options of {@linkcode weighRows}. */
export interface WeighRowsOptions {
  /** [row] a factor for each sequence, e.g. its budget's weight; default 1. The denominators stay as they are. */
  readonly factors?: readonly number[];
  /**
   * The number of sequences to divide by; default those with a trained token. Set it where a filter dropped some and
   * the gradient of the others must not grow.
   */
  readonly sequenceCount?: number;
}

/**
 * Returns what each token's loss is multiplied by, so that the batch's loss is a plain sum. Shape [row][token], 0 where
 * the mask is false. Micro-batches need the weights of their whole batch: compute them before cutting it up. A batch
 * without a trained token gets zeros.
 *
 * Dividing by the own length makes a token of a short sequence count for more; dividing by the batch's tokens makes a
 * long sequence count for more. `measureBudgetShares` shows what that does to a mix of budgets.
 *
 * @param masks [row][token] the tokens the loss is taken over.
 * @throws {RangeError} for a length, factor or count that cannot be divided by.
 *
 * @example
 * weighRows([[true, true], [true, false]], { kind: "token_mean" }); // [[1/3, 1/3], [1/3, 0]]
 */
export function weighRows(
  masks: readonly (readonly boolean[])[],
  aggregation: Aggregation,
  options: WeighRowsOptions = {},
): number[][] {
  const counts = masks.map((mask) => mask.filter(Boolean).length);
  const { factors, sequenceCount = counts.filter((count) => count > 0).length } = options;
  if (factors !== undefined && (factors.length !== masks.length || !factors.every(Number.isFinite))) {
    throw new RangeError(
      `Cannot weigh ${masks.length} sequences by factors that are not ${masks.length} finite numbers: found ${factors.join(", ")}`,
    );
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return masks.map((mask) => mask.map(() => 0));
  if (!(sequenceCount > 0)) {
    throw new RangeError(`Cannot weigh sequences as their number must be above 0: current number is ${sequenceCount}`);
  }
  const divisor = getDivisor(aggregation, total, sequenceCount);
  return masks.map((mask, row) => {
    const weight = (factors?.[row] ?? 1) / divisor(counts[row]);
    return mask.map((isTrained) => (isTrained ? weight : 0));
  });
}

function getDivisor(aggregation: Aggregation, total: number, sequenceCount: number): (ownCount: number) => number {
  switch (aggregation.kind) {
    case "token_mean":
      return () => total;
    case "sequence_mean":
      return (ownCount) => ownCount * sequenceCount;
    case "sequence_sum_mean":
      return () => sequenceCount;
    case "constant": {
      const { length, over } = aggregation;
      if (!(length > 0 && Number.isFinite(length))) {
        throw new RangeError(
          `Cannot weigh tokens by a constant length that is not above 0: current length is ${length}`,
        );
      }
      return () => (over === "sequence" ? length * sequenceCount : length);
    }
    default:
      return aggregation satisfies never;
  }
}
