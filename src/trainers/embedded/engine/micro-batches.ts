// internal
/** Sequences that run together, padded on the right to one length. */
export interface MicroBatch {
  /** Positions in the list of all sequences. */
  readonly rows: readonly number[];
  /** Predicting positions of each row: one less than its tokens, rounded up. */
  readonly time: number;
}

/**
 * Partial sums of a gradient. Their number is fixed and not that of the threads, so that sums are taken in one order
 * whatever the machine.
 */
export const gradientSlots = 4;
/** Fewer padded tokens than this are not worth a run of their own. */
const leastTokens = 256;
/** Lengths are rounded up to a multiple of this, so that few shapes occur. */
const lengthStep = 8;

/**
 * Returns the batches in which sequences run: shortest first, each of at least one row and at most `maxTokens` padded
 * tokens, fewer when there would not be one for each slot. Sequences of less than two tokens predict nothing and are in
 * none.
 */
export function planMicroBatches(
  sequences: readonly { readonly ids: ArrayLike<number> }[],
  contextLength: number,
  maxTokens: number,
): MicroBatch[] {
  const times = sequences.map(({ ids }) =>
    Math.min(Math.ceil((ids.length - 1) / lengthStep) * lengthStep, contextLength),
  );
  const order = sequences.map((_, row) => row).filter((row) => sequences[row].ids.length > 1);
  order.sort((a, b) => times[a] - times[b] || a - b);
  const total = times.reduce((sum, time) => sum + time, 0);
  const share = Math.min(maxTokens, Math.max(leastTokens, Math.ceil(total / gradientSlots)));
  const batches: MicroBatch[] = [];
  let rows: number[] = [];
  let time = 0;
  for (const row of order) {
    if (rows.length > 0 && (rows.length + 1) * times[row] > share) {
      batches.push({ rows, time });
      rows = [];
    }
    rows.push(row);
    time = times[row];
  }
  if (rows.length > 0) batches.push({ rows, time });
  return batches;
}
