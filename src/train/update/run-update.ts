import {
  createRandom,
  inputError,
  type SequenceScore,
  type Trainer,
  type TrainingRow,
  type UpdateMetrics,
} from "../../core/index.js";
import { measureBudgetShares, weighSequence, type BudgetShare } from "../aggregation/budget-shares.js";
import { weighRows } from "../aggregation/weigh-rows.js";
import { filterByVariance } from "../filters/variance-filter.js";
import type { PlayedGroup } from "../play-groups.js";
import type { AlgorithmRecipe } from "../recipe/recipe.js";
import { buildRows, selectLearnable, type LearnableEpisode, type UnweighedRow } from "./build-rows.js";
import { compareGroups, type GroupComparison } from "./compare-groups.js";
import { measureGroups, type GroupMeasures } from "./measure-groups.js";

/** What one update of reinforcement learning did. */
export interface UpdateReport extends GroupComparison {
  readonly measures: GroupMeasures;
  /** Optimiser steps taken; 0 when no group had anything to learn from. */
  readonly steps: readonly UpdateMetrics[];
  /** Over the episodes that are learnt from; absent when there is none. */
  readonly meanReturn?: number;
  /** Groups the variance filter left out, and groups that lost too many episodes to errors. */
  readonly filteredGroups: number;
  readonly droppedGroups: number;
  /** Mean k1 estimate against the reference over sampled tokens, nats; absent without a reference. */
  readonly referenceKl?: number;
  /** What each budget got of the gradient. */
  readonly budgetShares: readonly BudgetShare[];
  /** Process signal and outcome of each episode; empty without shaping. */
  readonly signals: readonly { readonly signal: number; readonly success: boolean }[];
}

/** Settings of one update. */
export interface UpdateOptions {
  readonly trainer: Trainer;
  readonly algorithm: AlgorithmRecipe;
  readonly learningRate: number;
  /** Whether the trainer holds a frozen reference to score with. */
  readonly hasReference: boolean;
  /** Orders the mini-batches. */
  readonly seed: number;
}

/** Returns the episodes of the groups whose returns spread most. */
function keepSpread(episodes: readonly LearnableEpisode[], keepShare: number): readonly LearnableEpisode[] {
  if (keepShare >= 1 || episodes.length === 0) return episodes;
  const returns = new Map<string, number[]>();
  for (const { group, episodeReturn } of episodes) returns.set(group, [...(returns.get(group) ?? []), episodeReturn]);
  const { kept } = filterByVariance([...returns.values()], keepShare);
  const names = [...returns.keys()];
  const wanted = new Set(kept.map((index) => names[index]));
  return episodes.filter(({ group }) => wanted.has(group));
}

/** Returns the rows in `count` parts of nearly equal size, none of them empty. */
function splitRows<T>(rows: readonly T[], count: number): T[][] {
  const parts = Math.min(count, rows.length);
  return Array.from({ length: parts }, (_, part) =>
    rows.slice(Math.floor((part * rows.length) / parts), Math.floor(((part + 1) * rows.length) / parts)),
  );
}

function weigh(rows: readonly UnweighedRow[], aggregation: AlgorithmRecipe["aggregation"]): TrainingRow[] {
  const weights = weighRows(
    rows.map(({ actionMask }) => actionMask),
    aggregation,
  );
  return rows.map(({ maxTurns: _maxTurns, ...row }, index) => ({ ...row, weights: weights[index] }));
}

/** Returns the mean k1 estimate against the reference over all sampled tokens, in nats; 0 where there is none. */
function meanKl(episodes: readonly LearnableEpisode[], references: readonly SequenceScore[]): number {
  let sum = 0;
  let count = 0;
  for (const [index, { sequence }] of episodes.entries()) {
    for (const [i, isSampled] of sequence.actionMask.entries()) {
      if (!isSampled) continue;
      sum += sequence.sampledLogProbs[i] - references[index].logProbs[i];
      count += 1;
    }
  }
  return count === 0 ? 0 : sum / count;
}

/** Whether the loss has a term that acts where all advantages are 0. */
function hasOtherTerm({ klPlacement, entropyWeight = 0, valueWeight = 0 }: AlgorithmRecipe["loss"]): boolean {
  return klPlacement === "loss" || entropyWeight !== 0 || valueWeight !== 0;
}

/** Returns the episodes whose signal and outcome are known. */
function listSignals(episodes: readonly LearnableEpisode[]): UpdateReport["signals"] {
  return episodes.flatMap(({ signal, success }) =>
    signal === undefined || success === undefined ? [] : [{ signal, success }],
  );
}

/** Returns beyond this are no numbers that single precision can square and sum. */
const mostReturn = 1e12;

/** Refuses returns that would make advantages infinite, or 0 for everybody without a word. */
function refuseHugeReturns(episodes: readonly LearnableEpisode[]): void {
  const isHuge = (value: number): boolean => !(Math.abs(value) <= mostReturn); // NaN is
  const odd = episodes.find(({ turnRewards, episodeReturn }) => turnRewards.some(isHuge) || isHuge(episodeReturn));
  if (odd === undefined) return;
  throw inputError(
    `Cannot learn from group "${odd.group}": an episode of it has return ${odd.episodeReturn}, and returns must lie between -1e12 and 1e12`,
    "Bound what the scorer gives, and the numbers that rewards are shaped with; then the same command goes on from the last checkpoint",
  );
}

/**
 * Learns from the groups of one update and returns what happened. Groups with equal returns have advantage 0; when all
 * groups are flat and the loss has no term beside the advantages, no optimiser step is taken at all.
 *
 * @throws {TurnwiseError} (input) for returns that cannot be calculated with.
 */
export async function runUpdate(groups: readonly PlayedGroup[], options: UpdateOptions): Promise<UpdateReport> {
  const { trainer, algorithm, learningRate, hasReference, seed } = options;
  const { loss, aggregation, epochs, miniBatches, keepShare } = algorithm;
  const least = algorithm.advantage.kind === "gae" && keepShare === 1 ? 1 : 2;
  const { episodes, droppedGroups } = selectLearnable(groups, algorithm, least);
  refuseHugeReturns(episodes);
  const kept = keepSpread(episodes, keepShare);
  const references = hasReference ? await trainer.scoreReference(kept.map(({ sequence }) => sequence)) : undefined;
  const proximal = loss.kind === "decoupled" ? await trainer.score(kept.map(({ sequence }) => sequence)) : undefined;
  const rows = buildRows(kept, algorithm, references, proximal);
  const moves = rows.some(({ advantages }) => advantages.some((advantage) => advantage !== 0));
  const steps: UpdateMetrics[] = [];
  if (moves || (hasOtherTerm(loss) && rows.length > 0)) {
    for (let epoch = 0; epoch < epochs; epoch += 1) {
      for (const part of splitRows(createRandom(seed, "order", epoch).shuffle(rows), miniBatches)) {
        steps.push(await trainer.update(weigh(part, aggregation), loss, learningRate));
      }
    }
  }
  const weighed = weigh(rows, aggregation);
  const returns = episodes.map(({ episodeReturn }) => episodeReturn);
  return {
    measures: measureGroups(groups),
    steps,
    ...(returns.length === 0 ? {} : { meanReturn: returns.reduce((sum, each) => sum + each, 0) / returns.length }),
    ...compareGroups(episodes),
    filteredGroups: new Set(episodes.map(({ group }) => group)).size - new Set(kept.map(({ group }) => group)).size,
    droppedGroups,
    ...(references === undefined ? {} : { referenceKl: meanKl(kept, references) }),
    budgetShares: measureBudgetShares(weighed.map((row, index) => weighSequence(rows[index].maxTurns, row))),
    signals: listSignals(episodes),
  };
}
