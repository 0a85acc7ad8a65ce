import {
  createRandom,
  type BudgetPlan,
  type Env,
  type Task,
  type Trainer,
  type TrainingRow,
  type TrainingSequence,
  type UpdateMetrics,
} from "../core/index.js";
import { weighRows } from "./aggregation/weigh-rows.js";
import { playGroups, type PlayedGroup, type SamplingPolicy } from "./play-groups.js";
import type { AlgorithmRecipe, TrainRecipe, WarmStartRecipe } from "./recipe/recipe.js";
import { countCollapse, findCollapse, noCollapse, type CollapseCounts, type CollapseSign } from "./update/collapse.js";
import { runUpdate, type UpdateReport } from "./update/run-update.js";
import { getLearningRate } from "./update/schedule.js";

/** The two phases of a run. */
export type TrainingPhase = "warm_start" | "reinforce";

/** How far a run has come; saved with every checkpoint, so that it goes on as if it had never stopped. */
export interface TrainingState {
  readonly phase: TrainingPhase;
  /** Updates of the phase that are done. */
  readonly update: number;
  /** Tokens sampled so far. */
  readonly sampledTokens: number;
  readonly collapse: CollapseCounts;
}

/** Where every run begins. */
export const initialTrainingState: TrainingState = {
  phase: "warm_start",
  update: 0,
  sampledTokens: 0,
  collapse: noCollapse,
};

/** One update as it happened. */
export type TrainingEvent =
  | { readonly phase: "warm_start"; readonly update: number; readonly metrics: UpdateMetrics }
  | {
      readonly phase: "reinforce";
      readonly update: number;
      readonly report: UpdateReport;
      readonly groups: readonly PlayedGroup[];
      readonly sampledTokens: number;
      readonly learningRate: number;
      /** Seconds spent sampling and learning; 0 without a clock. */
      readonly seconds: { readonly sampling: number; readonly learning: number };
    };

/** What a run is made of. */
export interface TrainingSetting {
  readonly recipe: Pick<TrainRecipe, "seed" | "warmStart" | "algorithm" | "length" | "stop" | "checkpointEvery">;
  readonly trainer: Trainer;
  /** What the warm start learns from. */
  readonly demonstrations: readonly TrainingSequence[];
  readonly env: Env;
  readonly policy: SamplingPolicy;
  readonly tasks: readonly Task[];
  /** Who plays what in each update of reinforcement learning. */
  readonly plan?: BudgetPlan;
}

/** What the caller does while a run goes on. */
export interface TrainingHooks {
  onUpdate?(event: TrainingEvent): void | Promise<void>;
  /** Called at the end of a phase and every so many updates of reinforcement learning; must not change the weights. */
  evaluate?(state: TrainingState): Promise<void>;
  /** Updates of reinforcement learning between two calls of `evaluate`; 0 or absent: at the ends of phases only. */
  readonly evaluateEvery?: number;
  saveCheckpoint?(state: TrainingState): Promise<void>;
  /** Returns the time in seconds. */
  readonly now?: () => number;
  /** When aborted, the update in hand is finished and saved. */
  readonly signal?: AbortSignal;
}

/** How a run ended. */
export interface TrainingOutcome {
  readonly state: TrainingState;
  readonly end: "finished" | "token_limit" | "collapse" | "interrupted";
  readonly collapse?: CollapseSign;
}

/** Returns the demonstrations of one update: each epoch goes through all of them in an order of its own. */
export function pickDemonstrations<T>(
  demonstrations: readonly T[],
  { batchSize, update, seed }: { readonly batchSize: number; readonly update: number; readonly seed: number },
): T[] {
  const perEpoch = Math.max(1, Math.floor(demonstrations.length / batchSize));
  const epoch = Math.floor(update / perEpoch);
  const order = createRandom(seed, "demonstrations", epoch).shuffle(demonstrations);
  const start = (update % perEpoch) * batchSize;
  return order.slice(start, start + batchSize);
}

function toSftRows(sequences: readonly TrainingSequence[]): TrainingRow[] {
  const weights = weighRows(
    sequences.map(({ actionMask }) => actionMask),
    { kind: "token_mean" },
  );
  return sequences.map(({ ids, actionMask, allowed, sampledLogProbs, turnIndex }, index) => ({
    ids,
    actionMask,
    ...(allowed === undefined ? {} : { allowed }),
    sampledLogProbs,
    turnIndex,
    advantages: ids.map(() => 0),
    weights: weights[index],
  }));
}

/** Drives one run; a method for each phase. */
class TrainingRun {
  readonly #setting: TrainingSetting;
  readonly #hooks: TrainingHooks;
  #state: TrainingState;

  constructor(setting: TrainingSetting, hooks: TrainingHooks, state: TrainingState) {
    this.#setting = setting;
    this.#hooks = hooks;
    this.#state = state;
  }

  get #isStopped(): boolean {
    return this.#hooks.signal?.aborted === true;
  }

  /** Evaluates and saves where the state has come to a point for it. */
  async #pause(isEnd: boolean): Promise<void> {
    const { evaluate, evaluateEvery = 0, saveCheckpoint } = this.#hooks;
    const { checkpointEvery } = this.#setting.recipe;
    const { phase, update } = this.#state;
    const isDue = (every: number): boolean => isEnd || (every > 0 && update > 0 && update % every === 0);
    if (isDue(phase === "reinforce" ? evaluateEvery : 0)) await evaluate?.(this.#state);
    if (isDue(checkpointEvery) || this.#isStopped) await saveCheckpoint?.(this.#state);
  }

  async #warmUp(warmStart: WarmStartRecipe): Promise<boolean> {
    const { trainer, demonstrations, recipe } = this.#setting;
    const { updates, batchSize, learningRate, schedule } = warmStart;
    while (this.#state.update < updates) {
      if (this.#isStopped) return false;
      const { update } = this.#state;
      const picked = pickDemonstrations(demonstrations, { batchSize, update, seed: recipe.seed });
      const rate = getLearningRate(learningRate, schedule, update, updates);
      const metrics = await trainer.update(toSftRows(picked), { kind: "sft", klPlacement: "none" }, rate);
      this.#state = { ...this.#state, update: update + 1 };
      await this.#hooks.onUpdate?.({ phase: "warm_start", update, metrics });
      await this.#pause(update + 1 === updates);
    }
    return true;
  }

  async #reinforceOnce(algorithm: AlgorithmRecipe, plan: BudgetPlan, updates: number): Promise<void> {
    const { trainer, env, policy, tasks, recipe } = this.#setting;
    const { now = () => 0, signal: _signal, onUpdate } = this.#hooks;
    const { update, sampledTokens, collapse } = this.#state;
    const rows = plan.rows.filter((row) => row.update === update);
    const began = now();
    const setting = { env, policy, plan, tasks: new Map(tasks.map((task) => [task.hash, task])) };
    const groups = await playGroups(setting, rows);
    const sampled = now();
    const learningRate = getLearningRate(algorithm.learningRate, algorithm.schedule, update, updates);
    const hasReference = algorithm.loss.klPlacement !== "none" || recipe.stop?.klAbove !== undefined;
    const seed = createRandom(recipe.seed, "update", update).nextUint32();
    const report = await runUpdate(groups, { trainer, algorithm, learningRate, hasReference, seed });
    this.#state = {
      phase: "reinforce",
      update: update + 1,
      sampledTokens: sampledTokens + report.measures.sampledTokens,
      collapse: recipe.stop === undefined ? collapse : countCollapse(collapse, report, recipe.stop),
    };
    await onUpdate?.({
      phase: "reinforce",
      update,
      report,
      groups,
      sampledTokens: this.#state.sampledTokens,
      learningRate,
      seconds: { sampling: sampled - began, learning: now() - sampled },
    });
  }

  async #reinforce(algorithm: AlgorithmRecipe, plan: BudgetPlan): Promise<TrainingOutcome["end"]> {
    const { recipe } = this.#setting;
    const planned = plan.rows.reduce((most, row) => Math.max(most, row.update + 1), 0);
    const { updates = planned, sampledTokens: tokenLimit = Infinity } = recipe.length ?? {};
    for (;;) {
      const { update, sampledTokens, collapse } = this.#state;
      if (recipe.stop !== undefined && findCollapse(collapse, recipe.stop) !== undefined) return "collapse";
      if (sampledTokens >= tokenLimit) return "token_limit";
      if (update >= Math.min(updates, planned)) return "finished";
      if (this.#isStopped) return "interrupted";
      await this.#reinforceOnce(algorithm, plan, updates);
      const { update: done, sampledTokens: spent } = this.#state;
      await this.#pause(done >= Math.min(updates, planned) || spent >= tokenLimit);
    }
  }

  async run(): Promise<TrainingOutcome> {
    const { recipe, trainer, plan } = this.#setting;
    if (this.#state.phase === "warm_start") {
      const isDone = recipe.warmStart === undefined || (await this.#warmUp(recipe.warmStart));
      if (!isDone) return { state: this.#state, end: "interrupted" };
      if (recipe.algorithm === undefined || plan === undefined) return { state: this.#state, end: "finished" };
      this.#state = { ...this.#state, phase: "reinforce", update: 0 };
    }
    if (recipe.algorithm === undefined || plan === undefined) return { state: this.#state, end: "finished" };
    if (this.#state.update === 0) await trainer.freezeReference();
    const end = await this.#reinforce(recipe.algorithm, plan);
    const sign = recipe.stop === undefined ? undefined : findCollapse(this.#state.collapse, recipe.stop);
    return { state: this.#state, end, ...(end === "collapse" && sign !== undefined ? { collapse: sign } : {}) };
  }
}

/**
 * Trains a policy: first on demonstrations, then on what it plays itself, and returns how it ended. All draws are
 * derived from the recipe's seed and the update, so that a run that goes on from a saved state equals one that was never
 * stopped. What trainer, env and hooks throw stops the run at the last saved state.
 */
export function trainPolicy(
  setting: TrainingSetting,
  hooks: TrainingHooks = {},
  state: TrainingState = initialTrainingState,
): Promise<TrainingOutcome> {
  return new TrainingRun(setting, hooks, state).run();
}
