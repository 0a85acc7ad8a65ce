/** One answer of a pair: log-probabilities of its tokens, and which of them were written by the policy. */
export interface PreferredTokens {
  /** [token] */
  readonly logProbs: readonly number[];
  /** [token] under the frozen reference, or as recorded when the tokens were sampled. */
  readonly referenceLogProbs: readonly number[];
  /** [token] prompt, observations and padding are false. */
  readonly mask: readonly boolean[];
}

/** A better and a worse continuation of the same history. */
export interface PreferencePair {
  readonly chosen: PreferredTokens;
  readonly rejected: PreferredTokens;
}

/** The loss of one pair with its gradients. */
export interface DpoLoss {
  readonly loss: number;
  /** beta x (log-ratio of chosen - log-ratio of rejected), the implicit reward's margin; above 0 when the pair is ordered right. */
  readonly margin: number;
  /** Derivatives with respect to the log-probabilities; exactly 0 outside the masks. */
  readonly gradients: { readonly chosen: readonly number[]; readonly rejected: readonly number[] };
}

function sumRatio({ logProbs, referenceLogProbs, mask }: PreferredTokens): number {
  if (logProbs.length !== mask.length || referenceLogProbs.length !== mask.length) {
    throw new RangeError(
      `Cannot compute a preference loss from lists of unequal length: ${logProbs.length}, ${referenceLogProbs.length} and ${mask.length}`,
    );
  }
  return mask.reduce((sum, isOwn, i) => (isOwn ? sum + (logProbs[i] - referenceLogProbs[i]) : sum), 0);
}

/**
 * Returns the DPO loss of one pair (arXiv 2305.18290, eq. 7): -log sigmoid(beta x (sum over chosen of log p - log
 * p_ref, less the same of rejected)). Sums over tokens, not means: a mean would weigh answers by their length. For
 * whole answers the masks cover them; for step-level pairs (Agent Q, arXiv 2408.07199, eq. 4) they cover the one turn
 * after the shared history, and `referenceLogProbs` may be those recorded at generation.
 *
 * @throws {RangeError} for a beta not above 0 or lists of unequal length.
 */
export function dpoLoss({ chosen, rejected }: PreferencePair, beta: number): DpoLoss {
  if (!(beta > 0))
    throw new RangeError(`Cannot compute a preference loss as beta must be above 0: current beta is ${beta}`);
  const margin = beta * (sumRatio(chosen) - sumRatio(rejected));
  // log(1 + exp(-m)) without overflow on either side.
  const loss = Math.max(-margin, 0) + Math.log1p(Math.exp(-Math.abs(margin)));
  const pull = margin >= 0 ? Math.exp(-margin) / (1 + Math.exp(-margin)) : 1 / (1 + Math.exp(margin));
  const spread = (mask: readonly boolean[], slope: number): number[] => mask.map((isOwn) => (isOwn ? slope : 0));
  return {
    loss,
    margin,
    gradients: { chosen: spread(chosen.mask, -beta * pull), rejected: spread(rejected.mask, beta * pull) },
  };
}
