import type { SequenceScore, TrainingRow } from "../../core/index.js";
import { batchAdvantages } from "../advantages/batch-advantages.js";
import type { RecordedSequence } from "../episode-stream.js";
import { penaliseRewards, type RewardKl } from "../kl/reward-kl.js";
import { findRewardKl, type GaeAdvantage } from "../objective/objective-spec.js";
import type { PlayedGroup } from "../play-groups.js";
import type { AlgorithmRecipe } from "../recipe/recipe.js";
import { bilevelGae, tokenGae, turnGae, type TokenAdvantages } from "../returns/gae.js";
import { placeRewards } from "../returns/token-rewards.js";
import { whitenAdvantages } from "../returns/whiten.js";
import { rewardGroup } from "./reward-group.js";

/** An episode that can be trained on. */
export interface LearnableEpisode {
  readonly group: string;
  readonly maxTurns: number;
  readonly sequence: RecordedSequence;
  /** [turn] */
  readonly turnRewards: readonly number[];
  readonly episodeReturn: number;
  readonly success?: boolean;
  /** Sum of the process signal that shaping adds; see {@linkcode rewardGroup}. */
  readonly signal?: number;
}

/** The learnable episodes of an update, and what was left out of it. */
export interface LearnableBatch {
  readonly episodes: readonly LearnableEpisode[];
  /** Episodes that ended in an error, without an outcome or without a token: not learnt from, never counted as failures. */
  readonly unusable: number;
  /** Groups dropped whole since fewer than two episodes were left. */
  readonly droppedGroups: number;
}

/** A row before its weights are known; they depend on the optimiser step it falls into. */
export type UnweighedRow = Omit<TrainingRow, "weights"> & { readonly maxTurns: number };

/** Returns the episodes an update can learn from. `least` is the smallest group that is kept. */
export function selectLearnable(
  groups: readonly PlayedGroup[],
  algorithm: Pick<AlgorithmRecipe, "reward" | "advantage">,
  least: number,
): LearnableBatch {
  const episodes: LearnableEpisode[] = [];
  let unusable = 0;
  let droppedGroups = 0;
  for (const group of groups) {
    const { row, episodes: played } = group;
    const rewards = rewardGroup(group, algorithm);
    const learnable = played.flatMap(({ trajectory, sequence }, index): LearnableEpisode[] => {
      const rewarded = rewards[index];
      if (rewarded === undefined || sequence?.actionMask.includes(true) !== true) return [];
      const { rewards: turnRewards, signal } = rewarded;
      const { success } = trajectory;
      return [
        {
          group: row.group,
          maxTurns: row.maxTurns,
          sequence,
          turnRewards,
          episodeReturn: turnRewards.reduce((sum, each) => sum + each, 0),
          ...(success === undefined ? {} : { success }),
          ...(signal === undefined ? {} : { signal }),
        },
      ];
    });
    unusable += played.length - learnable.length;
    if (learnable.length < least) droppedGroups += 1;
    else episodes.push(...learnable);
  }
  return { episodes, unusable, droppedGroups };
}

/** The KL penalty that acts in the reward, and the reference it is measured against. */
interface RewardPenalty extends RewardKl {
  readonly references: readonly SequenceScore[];
}

/** Returns the penalty of each token of an episode: 0 where nothing was sampled. Shape [token]. */
function getPenalties(sequence: RecordedSequence, index: number, penalty: RewardPenalty): number[] {
  const { logProbs } = penalty.references[index];
  const none = sequence.ids.map(() => 0);
  const { rewards } = penaliseRewards(sequence.actionMask, none, sequence.sampledLogProbs, logProbs, penalty);
  return rewards.map((reward) => 0 - reward);
}

function estimateRow(episode: LearnableEpisode, penalties: readonly number[], gae: GaeAdvantage): TokenAdvantages {
  const { sequence, turnRewards } = episode;
  const { actionMask, sampledValues } = sequence;
  if (gae.level === "token") {
    const rewards = placeRewards(sequence, turnRewards).map((reward, i) => reward - penalties[i]);
    return tokenGae(actionMask, rewards, sampledValues, gae);
  }
  const rewards = [...turnRewards];
  penalties.forEach((penalty, i) => {
    if (actionMask[i]) rewards[sequence.turnIndex[i]] -= penalty;
  });
  if (gae.level === "turn") return turnGae(sequence, rewards, sampledValues, gae);
  return bilevelGae(sequence, rewards, sampledValues, { ...gae, turnGamma: gae.turnGamma ?? gae.gamma });
}

function whiten(rows: readonly UnweighedRow[], { whitening }: GaeAdvantage): readonly UnweighedRow[] {
  if (whitening === undefined) return rows;
  const advantages = whitenAdvantages(
    rows.map((row) => row.advantages),
    rows.map((row) => row.actionMask),
    whitening,
  );
  return rows.map((row, index) => ({ ...row, advantages: advantages[index] }));
}

/**
 * Returns the rows of an update with their advantages. Group advantages stand on every sampled token of the episode;
 * GAE gives each token its own, from the value head's estimates at sampling. `references` are the frozen reference's
 * scores of the same episodes, needed wherever KL is placed; `proximal` those of the weights that are about to learn, for
 * the decoupled loss.
 *
 * @throws {RangeError} when KL is placed and no references are given.
 */
export function buildRows(
  episodes: readonly LearnableEpisode[],
  algorithm: Pick<AlgorithmRecipe, "advantage" | "loss" | "flatGroups">,
  references?: readonly SequenceScore[],
  proximal?: readonly SequenceScore[],
): readonly UnweighedRow[] {
  const { advantage, loss, flatGroups } = algorithm;
  if (loss.klPlacement !== "none" && references === undefined) {
    throw new RangeError(`Cannot place KL in the ${loss.klPlacement} without the reference's log-probabilities`);
  }
  const inReward = findRewardKl({ loss });
  const penalties = episodes.map(({ sequence }, index) =>
    inReward === undefined || references === undefined
      ? sequence.ids.map(() => 0)
      : getPenalties(sequence, index, { ...inReward, references }),
  );
  const sums = penalties.map((row) => row.reduce((sum, each) => sum + each, 0));
  const { advantages, groups } = batchAdvantages(
    episodes.map((episode, index) => ({ ...episode, episodeReturn: episode.episodeReturn - sums[index] })),
    advantage.kind === "gae" ? { kind: "dr_grpo" } : advantage,
    { singletons: "zero" },
  );
  const rows = episodes.map((episode, index): UnweighedRow => {
    const { sampledValues, ...sequence } = episode.sequence;
    const logProbs = loss.klPlacement === "loss" ? references?.[index].logProbs : undefined;
    const head = {
      ...sequence,
      maxTurns: episode.maxTurns,
      ...(logProbs === undefined ? {} : { referenceLogProbs: logProbs }),
      ...(proximal === undefined ? {} : { proximalLogProbs: proximal[index].logProbs }),
    };
    if (advantage.kind === "gae") {
      return { ...head, ...estimateRow(episode, penalties[index], advantage), oldValues: sampledValues };
    }
    return { ...head, advantages: sequence.actionMask.map((isSampled) => (isSampled ? advantages[index] : 0)) };
  });
  if (advantage.kind === "gae") return whiten(rows, advantage);
  if (flatGroups === "keep") return rows;
  const flat = new Set(groups.filter(({ isFlat }) => isFlat).map(({ group }) => group));
  return rows.filter((_, index) => !flat.has(episodes[index].group));
}
