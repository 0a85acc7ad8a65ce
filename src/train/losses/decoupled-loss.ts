import type { TrainingRow } from "../../core/index.js";
import { clipSurrogate, type ClipBounds } from "./clipped-surrogate.js";
import { listTrained, type RowLoss } from "./row-loss.js";

/**
 * Returns the decoupled loss of one row for rollouts of an older policy (AReaL, arXiv 2505.24298, eq. 4): the clipped
 * surrogate around the proximal policy, each token multiplied by the constant exp(proximal - sampled log-probability).
 * With fresh rollouts (both equal) it is {@linkcode ppoClipLoss}. Tokens whose factor is too large are dealt with
 * before, by {@linkcode filterStaleTokens}. Throws a `RangeError` for a row without proximal log-probabilities.
 */
export function decoupledLoss(row: TrainingRow, logProbs: readonly number[], bounds: ClipBounds): RowLoss {
  const { proximalLogProbs, sampledLogProbs, advantages, weights } = row;
  if (proximalLogProbs === undefined) {
    throw new RangeError("Cannot compute the decoupled loss of a row without proximalLogProbs: score it first");
  }
  const gradient = row.ids.map(() => 0);
  let loss = 0;
  let clippedCount = 0;
  for (const i of listTrained(row)) {
    const token = clipSurrogate(logProbs[i] - proximalLogProbs[i], advantages[i], bounds);
    const factor = weights[i] * Math.exp(proximalLogProbs[i] - sampledLogProbs[i]);
    loss += token.loss === 0 ? 0 : factor * token.loss;
    gradient[i] = token.slope === 0 ? 0 : factor * token.slope;
    if (token.bound !== "none") clippedCount += 1;
  }
  return { loss, gradient, clippedCount };
}

/** What is done with tokens whose factor exp(proximal - sampled) exceeds a bound. */
export interface StaleFilter {
  /** The bound, above 0; AReaL takes 5. */
  readonly maxFactor: number;
  /** `mask` trains them not at all, `clamp` with the bound as their factor. */
  readonly mode: "mask" | "clamp";
}

/** A filtered row and the number of tokens it changed. */
export interface StaleFilterResult {
  readonly row: TrainingRow;
  readonly filteredCount: number;
}

/**
 * Returns the row with the weights of its stale tokens changed. All other weights stay as they are, so the denominator
 * remains the number of tokens before filtering: the gradient of the tokens that are kept does not grow because others
 * were dropped. Throws a `RangeError` for a row without proximal log-probabilities or a bound not above 0.
 */
export function filterStaleTokens(row: TrainingRow, { maxFactor, mode }: StaleFilter): StaleFilterResult {
  const { proximalLogProbs, sampledLogProbs, weights } = row;
  if (proximalLogProbs === undefined) {
    throw new RangeError("Cannot filter stale tokens of a row without proximalLogProbs: score it first");
  }
  if (!(maxFactor > 0)) {
    throw new RangeError(`Cannot filter stale tokens as the bound must be above 0: current bound is ${maxFactor}`);
  }
  const changed = [...weights];
  let filteredCount = 0;
  for (const i of listTrained(row)) {
    const logFactor = proximalLogProbs[i] - sampledLogProbs[i];
    if (!(logFactor > Math.log(maxFactor))) continue;
    filteredCount += 1;
    changed[i] = mode === "mask" ? 0 : weights[i] * maxFactor * Math.exp(-logFactor);
  }
  return { row: { ...row, weights: changed }, filteredCount };
}
