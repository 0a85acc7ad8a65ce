import {
  createRandom,
  inputError,
  usageError,
  type BudgetPlan,
  type Env,
  type Scorer,
  type Task,
  type Trainer,
  type TrainingSequence,
  type UpdateMetrics,
} from "../core/index.js";
import { pickDemonstrations, toSftRows } from "./pick-demonstrations.js";
import { playGroups, type PlayedGroup, type SamplingPolicy } from "./play-groups.js";
import type { AlgorithmRecipe, TrainRecipe, WarmStartRecipe } from "./recipe/recipe.js";
import { SignalOutcomeLog, type SignalDivergenceAlert, type SignalOutcome } from "./shaping/signal-outcome-log.js";
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
  /** How the process signal and the outcome went so far; absent without shaping. */
  readonly signals?: readonly SignalOutcome[];
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
      /** How the process signal and the outcome went together; absent without shaping. */
      readonly signal?: { readonly outcome: SignalOutcome; readonly alerts: readonly SignalDivergenceAlert[] };
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
  /** Judges the episodes of training in place of the env's grade. */
  readonly scorer?: Scorer;
}

/** What the caller does while a run goes on. */
export interface TrainingHooks {
  onUpdate?(event: TrainingEvent): void | Promise<void>;
  /**
   * Called at the end of a phase and every so many updates of reinforcement learning, after that state was saved; must
   * not change the weights. A run that goes on from such a state calls it again, as it may have been cut off.
   */
  evaluate?(state: TrainingState): Promise<void>;
  /** Updates of reinforcement learning between two calls of `evaluate`; 0 or absent: at the ends of phases only. */
  readonly evaluateEvery?: number;
  saveCheckpoint?(state: TrainingState): Promise<void>;
  /** Returns the time in seconds. */
  readonly now?: () => number;
  /** When aborted, the update in hand is finished and saved. */
  readonly drain?: AbortSignal;
  /** When aborted, the episodes in hand are given up too, and the update before them is saved. */
  readonly abort?: AbortSignal;
}

/** How a run ended. */
export interface TrainingOutcome {
  readonly state: TrainingState;
  readonly end: "finished" | "token_limit" | "collapse" | "interrupted";
  readonly collapse?: CollapseSign;
}

/** Throws when an update has nothing to show for itself but errors: training on would only waste time. */
function refuseErrors(groups: readonly PlayedGroup[], update: number): void {
  const reasons = groups.flatMap(({ episodes }) => episodes.map(({ trajectory }) => trajectory.stopReason));
  const errors = reasons.flatMap((reason) => (reason.type === "error" ? [reason] : []));
  if (errors.length < reasons.length || errors.length === 0) return;
  const [{ boundary, errorClass, message }] = errors;
  throw inputError(
    `Cannot go on training: all ${errors.length} episodes of update ${update + 1} ended in an error, the first one of the ${boundary}: ${errorClass}: ${message}`,
    boundary === "env"
      ? "Check the env with: turnwise doctor --env PATH; the same command goes on from the last checkpoint"
      : "Mend it and run the same command: it goes on from the last checkpoint",
  );
}

/** Throws when nothing says how any episode went: training on would leave the weights as they are, update for update. */
function refuseUnjudged({ meanReturn, measures }: UpdateReport, update: number, part: string | undefined): void {
  const { episodes, unjudged } = measures;
  if (meanReturn !== undefined || episodes === 0 || unjudged < episodes) return;
  throw inputError(
    `Cannot go on training: none of the ${episodes} episodes of update ${update + 1} has ${part === undefined ? "an outcome" : `a number as part "${part}" of its judgement`}`,
    part === undefined
      ? "Let the env give solvedAfter with every step, or name a scorer in algorithm.reward.scorer"
      : "Let the scorer give that part, or name another one in algorithm.reward.part",
  );
}

/** Drives one run; a method for each phase. */
class TrainingRun {
  readonly #setting: TrainingSetting;
  readonly #hooks: TrainingHooks;
  #state: TrainingState;
  /** Which state was saved last. */
  #saved: TrainingState | undefined;

  constructor(setting: TrainingSetting, hooks: TrainingHooks, state: TrainingState) {
    this.#setting = setting;
    this.#hooks = hooks;
    this.#state = state;
  }

  get #isStopped(): boolean {
    const { drain, abort } = this.#hooks;
    return drain?.aborted === true || abort?.aborted === true;
  }

  /** Updates of reinforcement learning that the recipe asks for. */
  get #updates(): number {
    const { plan, recipe } = this.#setting;
    const planned = plan?.rows.reduce((most, row) => Math.max(most, row.update + 1), 0) ?? 0;
    return Math.min(planned, recipe.length?.updates ?? planned);
  }

  /** Returns why reinforcement learning has come to its end, or `undefined`. */
  #findEnd(): TrainingOutcome["end"] | undefined {
    const { update, sampledTokens, collapse } = this.#state;
    const { stop, length } = this.#setting.recipe;
    if (stop !== undefined && findCollapse(collapse, stop) !== undefined) return "collapse";
    if (sampledTokens >= (length?.sampledTokens ?? Infinity)) return "token_limit";
    return update >= this.#updates ? "finished" : undefined;
  }

  #isPhaseEnd(): boolean {
    const { phase, update } = this.#state;
    if (phase === "reinforce") return this.#findEnd() !== undefined;
    return update === (this.#setting.recipe.warmStart?.updates ?? NaN);
  }

  #isEvaluationDue(): boolean {
    const { evaluate, evaluateEvery = 0 } = this.#hooks;
    if (evaluate === undefined) return false;
    const { phase, update } = this.#state;
    return this.#isPhaseEnd() || (phase === "reinforce" && evaluateEvery > 0 && update % evaluateEvery === 0);
  }

  async #save(): Promise<void> {
    if (this.#saved === this.#state) return;
    await this.#hooks.saveCheckpoint?.(this.#state);
    this.#saved = this.#state;
  }

  async #evaluate(): Promise<void> {
    if (this.#isEvaluationDue() && !this.#isStopped) await this.#hooks.evaluate?.(this.#state);
  }

  /** Saves and evaluates where the state has come to a point for it. */
  async #pause(): Promise<void> {
    const { checkpointEvery } = this.#setting.recipe;
    const isDue = checkpointEvery > 0 && this.#state.update % checkpointEvery === 0;
    if (isDue || this.#isPhaseEnd() || this.#isEvaluationDue() || this.#isStopped) await this.#save();
    await this.#evaluate();
  }

  async #warmUp(warmStart: WarmStartRecipe): Promise<void> {
    const { trainer, demonstrations, recipe } = this.#setting;
    const { updates, batchSize, learningRate, schedule } = warmStart;
    while (this.#state.update < updates && !this.#isStopped) {
      const { update } = this.#state;
      const picked = pickDemonstrations(demonstrations, { batchSize, update, seed: recipe.seed });
      const rate = getLearningRate(learningRate, schedule, update, updates);
      const metrics = await trainer.update(toSftRows(picked), { kind: "sft", klPlacement: "none" }, rate);
      this.#state = { ...this.#state, update: update + 1 };
      await this.#hooks.onUpdate?.({ phase: "warm_start", update, metrics });
      await this.#pause();
    }
  }

  /** Logs the process signal of an update beside its outcome; nothing without shaping. */
  #logSignals(algorithm: AlgorithmRecipe, { signals }: UpdateReport, update: number) {
    const { shaping } = algorithm.reward;
    if (shaping === undefined) return undefined;
    const name = shaping.kind === "plain" ? shaping.signal : "progress";
    if (signals.length === 0) {
      if (update > 0) return undefined;
      throw usageError(
        `Cannot shape rewards by ${name} in env "${this.#setting.env.id}": no step of its first episodes told ${name === "regret" ? "a regret" : "distanceBefore and distanceAfter"}`,
        "Leave out algorithm.reward.shaping, or give the numbers with every step of the env",
      );
    }
    const log = new SignalOutcomeLog(name, { entries: this.#state.signals });
    const alerts = log.add(update, signals);
    return { entries: log.entries, outcome: log.entries[log.entries.length - 1], alerts };
  }

  async #reinforceOnce(algorithm: AlgorithmRecipe, plan: BudgetPlan): Promise<void> {
    const { trainer, env, policy, tasks, scorer, recipe } = this.#setting;
    const { now = () => 0, abort, onUpdate } = this.#hooks;
    const { update, sampledTokens, collapse } = this.#state;
    const rows = plan.rows.filter((row) => row.update === update);
    const began = now();
    const setting = { env, policy, plan, tasks: new Map(tasks.map((task) => [task.hash, task])), scorer };
    const groups = await playGroups({ ...setting, ...(abort === undefined ? {} : { signal: abort }) }, rows);
    if (abort?.aborted === true) return; // the episodes were given up: the update is made when the run goes on
    refuseErrors(groups, update);
    const sampled = now();
    const tokenShare = sampledTokens / (recipe.length?.sampledTokens ?? Infinity);
    const { learningRate: peak, schedule } = algorithm;
    const learningRate = getLearningRate(peak, schedule, update, this.#updates, tokenShare);
    const hasReference = algorithm.loss.klPlacement !== "none" || recipe.stop?.klAbove !== undefined;
    const seed = createRandom(recipe.seed, "update", update).nextUint32();
    const report = await runUpdate(groups, { trainer, algorithm, learningRate, hasReference, seed });
    refuseUnjudged(report, update, algorithm.reward.part);
    const signal = this.#logSignals(algorithm, report, update);
    this.#state = {
      ...this.#state,
      update: update + 1,
      sampledTokens: sampledTokens + report.measures.sampledTokens,
      collapse: recipe.stop === undefined ? collapse : countCollapse(collapse, report, recipe.stop),
      ...(signal === undefined ? {} : { signals: signal.entries }),
    };
    await onUpdate?.({
      phase: "reinforce",
      update,
      report,
      groups,
      sampledTokens: this.#state.sampledTokens,
      learningRate,
      seconds: { sampling: sampled - began, learning: now() - sampled },
      ...(signal === undefined ? {} : { signal: { outcome: signal.outcome, alerts: signal.alerts } }),
    });
  }

  async #reinforce(algorithm: AlgorithmRecipe, plan: BudgetPlan): Promise<TrainingOutcome["end"]> {
    for (;;) {
      const end = this.#findEnd();
      if (end !== undefined) return end;
      if (this.#isStopped) return "interrupted";
      const { update } = this.#state;
      await this.#reinforceOnce(algorithm, plan);
      if (this.#state.update > update) await this.#pause();
    }
  }

  async #begin(isResumed: boolean): Promise<TrainingOutcome["end"]> {
    const { recipe, trainer, plan } = this.#setting;
    const { warmStart, algorithm } = recipe;
    if (isResumed) {
      this.#saved = this.#state;
      await this.#evaluate();
    }
    if (this.#state.phase === "warm_start") {
      if (warmStart !== undefined) await this.#warmUp(warmStart);
      if (warmStart !== undefined && this.#state.update < warmStart.updates) return "interrupted";
      if (algorithm === undefined || plan === undefined) return "finished";
      const isSaved = this.#saved === this.#state;
      this.#state = { ...this.#state, phase: "reinforce", update: 0 };
      await trainer.freezeReference();
      // Without a warm start nobody has looked at the weights that training begins with.
      if (warmStart === undefined) await this.#pause();
      else if (isSaved) this.#saved = this.#state; // the same weights, under another name for where they stand
    }
    return algorithm === undefined || plan === undefined ? "finished" : this.#reinforce(algorithm, plan);
  }

  async run(isResumed: boolean): Promise<TrainingOutcome> {
    const end = await this.#begin(isResumed);
    if (end === "interrupted") await this.#save();
    const { stop } = this.#setting.recipe;
    const sign = stop === undefined ? undefined : findCollapse(this.#state.collapse, stop);
    return { state: this.#state, end, ...(end === "collapse" && sign !== undefined ? { collapse: sign } : {}) };
  }
}

/**
 * Trains a policy: first on demonstrations, then on what it plays itself, and returns how it ended. All draws are
 * derived from the recipe's seed and the update, so that a run that goes on from a saved state equals one that was never
 * stopped. What trainer, env and hooks throw stops the run at the last saved state.
 *
 * @param state where the run goes on, as `saveCheckpoint` was given it; absent: the run begins.
 * @throws {TurnwiseError} (input) when all episodes of an update ended in errors or without an outcome, when returns are
 * beyond all numbers, or the env is not the planned one;
 * (usage) for shaping by what the env does not tell.
 */
export function trainPolicy(
  setting: TrainingSetting,
  hooks: TrainingHooks = {},
  state?: TrainingState,
): Promise<TrainingOutcome> {
  return new TrainingRun(setting, hooks, state ?? initialTrainingState).run(state !== undefined);
}
