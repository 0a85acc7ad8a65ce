import { estimateKl, type KlEstimator } from "./kl-estimators.js";

/** KL as part of the reward. */
export interface RewardKl {
  readonly estimator: KlEstimator;
  /** Nats are multiplied by this and taken off the reward. */
  readonly weight: number;
}

/** Rewards of one sequence with KL taken off, and how much that was. */
export interface KlPenalised {
  /** [token] */
  readonly rewards: readonly number[];
  /** Sum over sampled tokens, nats. */
  readonly kl: number;
}

/**
 * Returns token rewards less weight x KL at every sampled token; others are passed on as they are. The KL here is a
 * number, not a function: no gradient flows through it, so only k1 gives the gradient of the divergence.
 */
export function penaliseRewards(
  actionMask: readonly boolean[],
  rewards: readonly number[],
  logProbs: readonly number[],
  referenceLogProbs: readonly number[],
  { estimator, weight }: RewardKl,
): KlPenalised {
  let kl = 0;
  const penalised = rewards.map((reward, i) => {
    if (!actionMask[i]) return reward;
    const { value } = estimateKl(estimator, logProbs[i], referenceLogProbs[i]);
    kl += value;
    return reward - weight * value;
  });
  return { rewards: penalised, kl };
}
