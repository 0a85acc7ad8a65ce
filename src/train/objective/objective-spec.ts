import type { JsonObject, LossSpec } from "../../core/index.js";
import type { BatchAdvantageOptions } from "../advantages/batch-advantages.js";
import type { GroupAdvantage } from "../advantages/group-advantages.js";
import type { Aggregation } from "../aggregation/weigh-rows.js";
import { nameKlGradient } from "../kl/kl-estimators.js";
import type { RewardKl } from "../kl/reward-kl.js";
import type { Whitening } from "../returns/whiten.js";

/** Advantages from a value head. */
export interface GaeAdvantage {
  readonly kind: "gae";
  readonly level: "token" | "turn" | "bilevel";
  readonly gamma: number;
  readonly lambda: number;
  /** Discount between turns; `bilevel` needs it. */
  readonly turnGamma?: number;
  /** Over the sampled tokens of the batch. Absent: advantages stay as they are. */
  readonly whitening?: Whitening;
}

/** Advantages from groups. */
export type GroupedAdvantage = GroupAdvantage &
  BatchAdvantageOptions & {
    /** Episodes of a group; at least 2. */
    readonly groupSize: number;
    /**
     * Rows of groups without spread: `keep` them with advantage 0, so that denominators stay and KL and entropy still
     * act on them; or `drop` them, with denominators over what is left.
     */
    readonly flatGroups: "keep" | "drop";
  };

/** Everything that decides the gradient of an update. */
export interface Objective {
  readonly loss: LossSpec;
  /** Absent for supervised training only. */
  readonly advantage?: GroupedAdvantage | GaeAdvantage;
  readonly aggregation: Aggregation;
  /** KL in the reward beside the loss's own. Where the loss says `klPlacement: "reward"`, its settings are these. */
  readonly rewardKl?: RewardKl;
  /** Must be set to have KL both in the reward and in the loss. */
  readonly allowDoubleKl?: true;
}

/** Returns the KL that acts in the reward, whichever field states it; `undefined` when none does. */
export function findRewardKl({ loss, rewardKl }: Pick<Objective, "loss" | "rewardKl">): RewardKl | undefined {
  const { klPlacement, klEstimator, klWeight } = loss;
  if (rewardKl !== undefined) return rewardKl;
  if (klPlacement !== "reward" || klEstimator === undefined || klWeight === undefined) return undefined;
  return { estimator: klEstimator, weight: klWeight };
}

function describeKl(objective: Objective): JsonObject {
  const { klPlacement, klEstimator, klWeight } = objective.loss;
  const inReward = findRewardKl(objective);
  const inLoss = klPlacement === "loss" && klEstimator !== undefined;
  const placements = [...(inReward === undefined ? [] : ["reward"]), ...(inLoss ? ["loss"] : [])];
  return {
    placement: placements.length === 0 ? "none" : placements.join(" and "),
    ...(inReward === undefined
      ? {}
      : {
          reward: {
            estimator: inReward.estimator,
            weight: inReward.weight,
            gradient: nameKlGradient(inReward.estimator, "reward").text,
          },
        }),
    ...(inLoss
      ? { loss: { estimator: klEstimator, weight: klWeight, gradient: nameKlGradient(klEstimator, "loss").text } }
      : {}),
  };
}

function describeAdvantage(advantage: Objective["advantage"]): JsonObject {
  if (advantage === undefined) return { kind: "none" };
  if (advantage.kind === "gae") {
    const { kind, level, gamma, lambda, turnGamma, whitening } = advantage;
    return {
      kind,
      level,
      gamma,
      lambda,
      ...(turnGamma === undefined ? {} : { turnGamma }),
      skipsObservations: true,
      whitening: whitening === undefined ? "none" : { ...whitening, keepMean: whitening.keepMean ?? false },
    };
  }
  const { kind, groupSize, flatGroups, singletons = "refuse", mixBudgets = false } = advantage;
  const scale =
    advantage.kind === "grpo"
      ? { ddof: advantage.ddof, epsilon: advantage.epsilon, varianceFloor: advantage.varianceFloor ?? 0 }
      : { ddof: "none", epsilon: "none" };
  return { kind, groupSize, ...scale, flatGroups, singletons, mixBudgets };
}

/**
 * Returns an objective as a training record states it: nothing is left to a default that a reader would have to know.
 * It names ddof and epsilon ("none" where nothing is divided), the aggregation, where KL stands and what its gradient
 * is, and what happens to groups without spread. Also the record of a spec that would be refused.
 */
export function describeLoss(objective: Objective): JsonObject {
  const { loss, aggregation } = objective;
  const { kind, clipLow, clipHigh, dualClip, entropyWeight = 0, valueWeight = 0, valueClip } = loss;
  return {
    loss: kind,
    clip: kind === "sft" ? "none" : { low: clipLow ?? "none", high: clipHigh ?? "none", dual: dualClip ?? "none" },
    advantage: describeAdvantage(objective.advantage),
    aggregation: { ...aggregation },
    kl: describeKl(objective),
    entropyWeight,
    value: valueWeight === 0 ? "none" : { weight: valueWeight, clip: valueClip ?? "none" },
  };
}
