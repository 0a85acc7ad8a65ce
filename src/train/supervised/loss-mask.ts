/** Leaves sampled tokens out of training; `undefined` entries exclude nothing. */
export interface LossMaskOptions {
  /** Turns that are not trained on, by turn index, e.g. those with an invalid action in demonstrations. */
  readonly withoutTurns?: ReadonlySet<number>;
  /** Train only turns up to this index, e.g. until the first error. */
  readonly lastTurn?: number;
}

/**
 * Returns the loss mask: the action mask less the turns that training leaves out. It can only lose positions: what the
 * policy (or the demonstrator) did not write is never trained on. Shape [token].
 */
export function makeLossMask(
  tokens: { readonly actionMask: readonly boolean[]; readonly turnIndex: readonly number[] },
  { withoutTurns, lastTurn = Infinity }: LossMaskOptions = {},
): boolean[] {
  return tokens.actionMask.map((isSampled, i) => {
    const turn = tokens.turnIndex[i];
    return isSampled && turn <= lastTurn && withoutTurns?.has(turn) !== true;
  });
}

/**
 * Returns a mask by the position whose output predicts the token instead of by the token: entry i says whether
 * `ids[i + 1]` is trained. This is what trainers use that take logits at position t for the label at t + 1; it begins at
 * the last position of a prompt and ends before the last sampled token. A sampled first token has no predictor, which
 * is an error.
 *
 * @throws {RangeError} when the first token is marked, as nothing comes before it.
 *
 * @example
 * toPredictorMask([false, false, true, true, false]); // [false, true, true, false, false]
 */
export function toPredictorMask(mask: readonly boolean[]): boolean[] {
  if (mask[0])
    throw new RangeError("Cannot shift a mask whose first token is trained: nothing comes before it to predict it");
  return mask.map((_, i) => mask[i + 1] ?? false);
}

/**
 * Returns log-probabilities by token from the rows of a network's output: entry i is log p of `ids[i]`, read from the
 * row at position i - 1; the first, which nothing predicts, is 0. Shape [token].
 *
 * @param logits [position][id] Unnormalised; row t is about the token that follows position t.
 */
export function readLogProbs(logits: readonly (readonly number[])[], ids: readonly number[]): number[] {
  return ids.map((id, i) => {
    if (i === 0) return 0;
    const row = logits[i - 1];
    const highest = row.reduce((most, logit) => Math.max(most, logit), -Infinity);
    const sum = row.reduce((total, logit) => total + Math.exp(logit - highest), 0);
    return row[id] - highest - Math.log(sum);
  });
}
