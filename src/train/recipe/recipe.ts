import type { Disclosure, JsonObject, LossSpec, TerminalRule } from "../../core/index.js";
import type { GroupAdvantage } from "../advantages/group-advantages.js";
import type { Aggregation } from "../aggregation/weigh-rows.js";
import type { DemonstrationFilter } from "../demonstrations.js";
import type { GaeAdvantage } from "../objective/objective-spec.js";

/** Version that every recipe carries. */
export const recipeSchema = "turnwise-recipe/1";

/** Where episodes come from. */
export interface EnvRecipe {
  /** Name of a built-in env, or the path of a module. */
  readonly id: string;
  /** Difficulty, from 1. */
  readonly level: number;
  /** Tasks of the train split that are trained on. */
  readonly trainTasks: number;
  readonly taskSeed: number;
}

/** The network: a decoder-only transformer over the codec's vocabulary. */
export interface NetworkRecipe {
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  /** Longest episode in tokens. */
  readonly contextLength: number;
  /** An estimate of the return at each token; `gae` needs it. Default: where the algorithm needs it. */
  readonly valueHead?: boolean;
}

/** How the learning rate moves over a phase. */
export interface ScheduleRecipe {
  readonly kind: "constant" | "linear" | "cosine";
  /** Updates over which it rises from 0 to its peak. */
  readonly warmUpdates: number;
  /** Share of the peak it ends at; of no matter for a constant one. */
  readonly endShare: number;
}

/** Learning from demonstrations, before any reward: cross-entropy on the demonstrated actions. */
export interface WarmStartRecipe {
  /** Who demonstrates: a scripted policy's name or settings, `trained:CHECKPOINT`, or a module that exports a policy. */
  readonly policy: string | JsonObject;
  readonly episodes: number;
  /** Turn budgets of the demonstrations, taken in turn. */
  readonly turnBudgets: readonly number[];
  /** What the network reads of them; taken in turn, so that both forms are known. */
  readonly disclosures: readonly Disclosure[];
  readonly keep: DemonstrationFilter;
  readonly updates: number;
  readonly batchSize: number;
  readonly learningRate: number;
  readonly schedule: ScheduleRecipe;
}

/** How an update makes advantages of what was played: by groups, or by a value head over sampled tokens. */
export type AdvantageRecipe = GroupAdvantage | GaeAdvantage;

/** A potential of states: minus the oracle's distance. It helps the value head and changes no best policy. */
export interface PotentialShaping {
  readonly kind: "potential";
  /** Potential of a state: minus this times its distance. */
  readonly weight: number;
  /** Larger distances, and those of hopeless states, count as this; default 8. */
  readonly farthest: number;
}

/** A signal of each turn, added as it is: it may be collected in place of the outcome, which the metrics watch. */
export interface PlainShaping {
  readonly kind: "plain";
  /** `progress`: by how much the oracle's distance fell; `regret`: minus the chance of success that the turn lost. */
  readonly signal: "progress" | "regret";
  readonly weight: number;
  /** As for {@linkcode PotentialShaping}. */
  readonly farthest: number;
}

/** How a process signal enters the reward. */
export type ShapingRecipe = PotentialShaping | PlainShaping;

/** What an episode is rewarded with. */
export interface RewardRecipe {
  /** Reward of success; failure has 0. */
  readonly success: number;
  /** Added for each turn that could not be carried out; not above 0. */
  readonly invalidTurn: number;
  /** Module with a scorer that judges each episode of training in place of the env's grade. */
  readonly scorer?: string;
  /** Part of the scorer's judgement whose number, times `success`, takes the place of success. */
  readonly part?: string;
  readonly shaping?: ShapingRecipe;
}

/** Reinforcement learning, spelled out: the record of a run says all of it. */
export interface AlgorithmRecipe {
  /** Name it is known by, for records. */
  readonly name: string;
  readonly advantage: AdvantageRecipe;
  readonly loss: LossSpec;
  readonly aggregation: Aggregation;
  readonly reward: RewardRecipe;
  /** Episodes of a group, at least 2 for group advantages. */
  readonly groupSize: number;
  /** Groups with equal returns: kept with advantage 0, so that denominators stay, or dropped. Group advantages only. */
  readonly flatGroups: "keep" | "drop";
  readonly groupsPerUpdate: number;
  /** Passes over the episodes of an update. */
  readonly epochs: number;
  /** Optimiser steps of a pass; divides the episodes of an update. */
  readonly miniBatches: number;
  readonly learningRate: number;
  readonly schedule: ScheduleRecipe;
  /** Share of groups kept, those whose returns spread most (StarPO-S); 1 keeps all. */
  readonly keepShare: number;
  /** Temperature of sampling in training. */
  readonly temperature: number;
}

/** Turn budgets of training and who is told them. The mix has the form of a BudgetMix plan's. */
export interface BudgetRecipe {
  readonly mix: JsonObject;
  readonly disclosure: Disclosure;
  readonly terminalRule: TerminalRule;
}

/** When training ends: after so many updates, or once so many tokens were sampled, whichever comes first. */
export interface LengthRecipe {
  readonly updates: number;
  readonly sampledTokens?: number;
}

/** Evaluation during and after training, on tasks of the eval split. */
export interface EvaluationRecipe {
  readonly tasks: number;
  readonly samples: number;
  readonly turnBudgets: readonly number[];
  readonly disclosures: readonly Disclosure[];
  /** Updates between evaluations; 0 evaluates at the end only. */
  readonly every: number;
}

/** Signs of collapse that stop a run. */
export interface StopRecipe {
  /** Consecutive updates a sign must last. */
  readonly patience: number;
  /** Mean entropy below this, nats. */
  readonly entropyBelow?: number;
  /** Share of groups with equal returns above this. */
  readonly flatShareAbove?: number;
  /** Divergence from the start above this, nats. */
  readonly klAbove?: number;
}

/** Everything a training run is made from. */
export interface TrainRecipe {
  readonly schema: typeof recipeSchema;
  readonly name: string;
  readonly seed: number;
  readonly env: EnvRecipe;
  readonly network: NetworkRecipe;
  /** Folder of a checkpoint to begin from; instead of demonstrations, or before them. */
  readonly startFrom?: string;
  readonly warmStart?: WarmStartRecipe;
  readonly algorithm?: AlgorithmRecipe;
  readonly budgets?: BudgetRecipe;
  readonly length?: LengthRecipe;
  readonly evaluation?: EvaluationRecipe;
  readonly stop?: StopRecipe;
  /** Updates between checkpoints. */
  readonly checkpointEvery: number;
  /** Keeps every episode of training, a file for each update; default: none is kept. */
  readonly keepRollouts?: boolean;
}
