import { join, resolve } from "node:path";
import { inputError, type JsonObject, type Trainer } from "../core/index.js";
import {
  recordReturns,
  trainPolicy,
  type TrainingEvent,
  type TrainingOutcome,
  type TrainingState,
  type TrainRecipe,
} from "../train/index.js";
import type { TrainingBackend } from "../trainers/index.js";
import { evaluateCheckpoint, readEvaluation, type CheckpointEvaluation } from "./evaluate-checkpoint.js";
import { loadRecipe } from "./load-recipe.js";
import type { RunEvents, RunStop } from "./run-events.js";
import { openTrainingFolder, type TrainingFolder } from "./train-folder.js";
import { countSteps, getMetrics } from "./train-metrics.js";
import { describeTraining, resolveTraining, type ResolvedTraining } from "./train-setting.js";

/** How a training run is watched. */
export interface TrainEvents extends RunEvents {
  /** Called after every update. */
  onUpdate?(update: TrainingProgress): void;
}

/** How far training is, for display. */
export interface TrainingProgress {
  readonly phase: TrainingState["phase"];
  /** Updates of the phase that are done, and those planned. */
  readonly update: number;
  readonly updates: number;
  /** How much of the phase is done, in [0, 1]: of its updates or of the tokens it may sample, whichever ends it first. */
  readonly share: number;
  /** By name, as `metrics.jsonl` has them. */
  readonly metrics: { readonly [name: string]: number };
  readonly event: TrainingEvent;
}

/** What `turnwise train` does. */
export interface TrainOptions {
  /** Folder of the run; default `turnwise-runs/train-NAME`. */
  readonly output?: string;
  /** Replaces the recipe's seed. */
  readonly seed?: number;
  readonly backend?: TrainingBackend;
  /** Cores the engine uses. */
  readonly threads?: number;
  readonly events?: TrainEvents;
  readonly stop?: RunStop;
}

/** What a training run did. */
export interface TrainResult {
  readonly folder: string;
  readonly recipe: TrainRecipe;
  readonly end: TrainingOutcome["end"];
  readonly collapse?: TrainingOutcome["collapse"];
  readonly state: TrainingState;
  /** Folder of the last checkpoint. */
  readonly checkpoint: string;
  /** All of the run, in the order of training; those of earlier calls included. */
  readonly evaluations: readonly CheckpointEvaluation[];
  readonly parameters: number;
}

/** Returns the name of a state's checkpoint: `update-0` is where reinforcement learning begins. */
export function nameCheckpoint({ phase, update }: TrainingState, recipe: TrainRecipe): string {
  if (phase === "reinforce") return `update-${update}`;
  return update === recipe.warmStart?.updates && recipe.algorithm !== undefined ? "update-0" : `warm-${update}`;
}

function readState(meta: JsonObject, name: string): TrainingState {
  const { state } = meta;
  const { phase, update } = (state ?? {}) as Partial<TrainingState>; // read to see whether it is one
  if ((phase === "warm_start" || phase === "reinforce") && typeof update === "number") {
    return state as unknown as TrainingState; // written by this module
  }
  throw inputError(`Cannot go on from checkpoint "${name}": it does not say how far training had come`);
}

const divergedFile = "diverged-batch.json";

async function saveDiverged(error: unknown, folder: TrainingFolder): Promise<never> {
  const { TrainingDivergedError } = await import("../trainers/index.js");
  if (!(error instanceof TrainingDivergedError)) throw error;
  const { loss, lossValue, gradNorm, rows } = error;
  const numbers = { lossValue: String(lossValue), gradNorm: String(gradNorm) };
  // JSON has no NaN, and the one that did it must be found: it is written as a text.
  const spelt = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, values]: [string, unknown]) => [
        name,
        Array.isArray(values)
          ? values.map((value: unknown) =>
              typeof value === "number" && !Number.isFinite(value) ? String(value) : value,
            )
          : values,
      ]),
    ),
  );
  await folder.write(divergedFile, { loss, ...numbers, rows: spelt });
  throw inputError(
    `Training stopped: ${error.message}; the batch is saved in "${join(folder.path, divergedFile)}"`,
    "Look at the batch, then lower learningRate or check the rewards; the last checkpoint is sound and the same command goes on from it",
    error,
  );
}

/** One run from its recipe to its last checkpoint. */
class Training {
  readonly #recipe: TrainRecipe;
  readonly #resolved: ResolvedTraining;
  readonly #folder: TrainingFolder;
  readonly #trainer: Trainer;
  readonly #options: TrainOptions;

  constructor(
    recipe: TrainRecipe,
    resolved: ResolvedTraining,
    folder: TrainingFolder,
    trainer: Trainer,
    options: TrainOptions,
  ) {
    this.#recipe = recipe;
    this.#resolved = resolved;
    this.#folder = folder;
    this.#trainer = trainer;
    this.#options = options;
  }

  /** Loads the weights to go on from; `undefined` where the run begins. */
  async #restore(): Promise<TrainingState | undefined> {
    const { latest, lostSteps } = this.#folder;
    if (lostSteps > 0) {
      this.#options.events?.onMessage?.(
        `metrics.jsonl lacks ${lostSteps} of the steps before ${latest}: curves of this run have a gap there`,
      );
    }
    if (latest !== undefined) {
      const meta = await this.#trainer.load(this.#folder.getCheckpoint(latest));
      this.#options.events?.onMessage?.(`Going on from ${latest}`);
      return readState(meta, latest);
    }
    const { startFrom } = this.#recipe;
    if (startFrom === undefined) return undefined;
    await this.#trainer.load(resolve(startFrom));
    this.#options.events?.onMessage?.(`Beginning with the weights in "${startFrom}"`);
    return undefined;
  }

  async #evaluate(state: TrainingState): Promise<void> {
    const { evaluation } = this.#recipe;
    if (evaluation === undefined) return;
    const checkpoint = nameCheckpoint(state, this.#recipe);
    const { env, codec } = this.#resolved;
    const { stop } = this.#options;
    await evaluateCheckpoint({
      recipe: this.#recipe,
      evaluation,
      env,
      codec,
      generator: this.#trainer,
      checkpoint,
      folder: this.#folder.getEvaluation(checkpoint),
      ...(stop === undefined ? {} : { stop }),
    });
  }

  async #save(state: TrainingState): Promise<void> {
    const name = nameCheckpoint(state, this.#recipe);
    const meta = { recipe: this.#recipe, state, codec: this.#resolved.codec.toJson() };
    await this.#trainer.save(this.#folder.getCheckpoint(name), JSON.parse(JSON.stringify(meta)) as JsonObject); // plain data
    await this.#folder.markLatest(name, countSteps(state, this.#recipe));
  }

  async #onUpdate(event: TrainingEvent): Promise<void> {
    const { phase, update } = event;
    const { warmStart, length, keepRollouts, algorithm } = this.#recipe;
    if (event.phase === "reinforce" && keepRollouts === true && algorithm !== undefined) {
      const episodes = event.groups.flatMap((group) => recordReturns(group, algorithm));
      await this.#folder.keepRollouts(update, episodes);
    }
    const metrics = getMetrics(event);
    await this.#folder.log(
      { step: countSteps({ phase, update: update + 1 }, this.#recipe), data: metrics },
      Date.now() / 1000,
    );
    const updates = (phase === "warm_start" ? warmStart?.updates : length?.updates) ?? 0;
    const tokens = event.phase === "reinforce" ? event.sampledTokens / (length?.sampledTokens ?? Infinity) : 0;
    const share = Math.min(1, Math.max((update + 1) / Math.max(1, updates), tokens));
    this.#options.events?.onUpdate?.({ phase, update: update + 1, updates, share, metrics, event });
  }

  /** Returns every evaluation of the run that is complete, in the order of training. */
  async #readEvaluations(): Promise<CheckpointEvaluation[]> {
    const { evaluation } = this.#recipe;
    if (evaluation === undefined) return [];
    const names = await this.#folder.listEvaluations();
    const known = names.flatMap((name) => {
      const found = /^(warm|update)-(\d+)$/.exec(name);
      return found === null ? [] : [{ name, isWarm: found[1] === "warm", update: Number(found[2]) }];
    });
    known.sort((a, b) => Number(b.isWarm) - Number(a.isWarm) || a.update - b.update);
    const read: CheckpointEvaluation[] = [];
    for (const { name } of known) {
      const found = await readEvaluation(this.#folder.getEvaluation(name), name, evaluation);
      if (found !== undefined) read.push(found);
    }
    return read;
  }

  async run(): Promise<TrainResult> {
    const { createTokenPolicy } = await import("../trainers/index.js");
    const { env, codec, tasks, plan, demonstrations, scorer } = this.#resolved;
    const recipe = this.#recipe;
    const policy = createTokenPolicy({
      id: recipe.name,
      generator: this.#trainer,
      codec,
      temperature: recipe.algorithm?.temperature ?? 1,
    });
    const state = await this.#restore();
    const { drain, abort } = this.#options.stop ?? {};
    const outcome = await trainPolicy(
      {
        recipe,
        trainer: this.#trainer,
        demonstrations: demonstrations?.sequences ?? [],
        env,
        policy,
        tasks,
        ...(plan === undefined ? {} : { plan }),
        ...(scorer === undefined ? {} : { scorer }),
      },
      {
        onUpdate: (event) => this.#onUpdate(event),
        ...(recipe.evaluation === undefined ? {} : { evaluate: (now) => this.#evaluate(now) }),
        evaluateEvery: recipe.evaluation?.every ?? 0,
        saveCheckpoint: (now) => this.#save(now),
        now: () => performance.now() / 1000,
        ...(drain === undefined ? {} : { drain }),
        ...(abort === undefined ? {} : { abort }),
      },
      state,
    );
    return {
      folder: this.#folder.path,
      recipe,
      end: outcome.end,
      ...(outcome.collapse === undefined ? {} : { collapse: outcome.collapse }),
      state: outcome.state,
      checkpoint: this.#folder.getCheckpoint(nameCheckpoint(outcome.state, recipe)),
      evaluations: await this.#readEvaluations(),
      parameters: this.#trainer.parameters,
    };
  }
}

/**
 * Trains a policy by a recipe, going on where a run of the same recipe was stopped, and returns what came of it. The
 * folder holds `train.json` (what decides the run), `plan.json`, `metrics.jsonl`, TensorBoard events, checkpoints, a run
 * folder for each evaluation and, where the recipe keeps them, the episodes of each update.
 *
 * @param recipe a recipe, or the path of a JSON file or module that holds one.
 * @throws {TurnwiseError} (usage) for a recipe that cannot be trained; (input) for a folder of another run or one that
 * cannot be written, weights that do not fit, a missing training runtime, an env in which every episode fails, and a
 * loss that is no number (the batch is saved beside the run).
 */
export async function train(recipe: string | TrainRecipe, options: TrainOptions = {}): Promise<TrainResult> {
  const { seed, events, backend, threads } = options;
  const { createEmbeddedTrainer, loadTrainingRuntime } = await import("../trainers/index.js");
  const loaded = typeof recipe === "string" ? await loadRecipe(recipe) : recipe;
  const own: TrainRecipe = seed === undefined ? loaded : { ...loaded, seed };
  await loadTrainingRuntime(backend); // before minutes go into demonstrations
  const resolved = await resolveTraining(own, events?.onMessage);
  const path = options.output ?? join("turnwise-runs", `train-${own.name}`);
  const folder = await openTrainingFolder(path, describeTraining(own, resolved));
  let trainer: Trainer | undefined;
  try {
    if (resolved.plan !== undefined) await folder.write("plan.json", resolved.plan);
    trainer = await createEmbeddedTrainer({
      codec: resolved.codec,
      network: { ...own.network, valueHead: own.network.valueHead ?? own.algorithm?.advantage.kind === "gae" },
      seed: own.seed,
      ...(backend === undefined ? {} : { backend }),
      ...(threads === undefined ? {} : { threads }),
    });
    return await new Training(own, resolved, folder, trainer, options).run();
  } catch (error) {
    return await saveDiverged(error, folder);
  } finally {
    await trainer?.close();
    await folder.close();
  }
}
