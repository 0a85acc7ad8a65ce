import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { inputError, type JsonObject, type Trainer } from "../core/index.js";
import {
  initialTrainingState,
  trainPolicy,
  type TrainingEvent,
  type TrainingOutcome,
  type TrainingState,
  type TrainRecipe,
} from "../train/index.js";
import type { TrainingBackend } from "../trainers/index.js";
import { evaluateCheckpoint, type CheckpointEvaluation } from "./evaluate-checkpoint.js";
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

async function saveDiverged(error: unknown, folder: string): Promise<never> {
  const { TrainingDivergedError } = await import("../trainers/index.js");
  if (!(error instanceof TrainingDivergedError)) throw error;
  const path = join(folder, "diverged-batch.json");
  await writeFile(path, JSON.stringify({ loss: error.loss, lossValue: String(error.lossValue), rows: error.rows }));
  throw inputError(
    `Training stopped: ${error.message}; the batch is saved in "${path}"`,
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
  readonly #evaluations: CheckpointEvaluation[] = [];

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

  async #restore(): Promise<TrainingState> {
    const { latest } = this.#folder;
    if (latest !== undefined) {
      const meta = await this.#trainer.load(this.#folder.getCheckpoint(latest));
      this.#options.events?.onMessage?.(`Going on from ${latest}`);
      return readState(meta, latest);
    }
    const { startFrom } = this.#recipe;
    if (startFrom === undefined) return initialTrainingState;
    await this.#trainer.load(resolve(startFrom));
    this.#options.events?.onMessage?.(`Beginning with the weights in "${startFrom}"`);
    return initialTrainingState;
  }

  async #evaluate(state: TrainingState): Promise<void> {
    const { evaluation } = this.#recipe;
    if (evaluation === undefined) return;
    const checkpoint = nameCheckpoint(state, this.#recipe);
    const found = await evaluateCheckpoint({
      recipe: this.#recipe,
      evaluation,
      env: this.#resolved.env,
      codec: this.#resolved.codec,
      generator: this.#trainer,
      checkpoint,
      folder: this.#folder.getEvaluation(checkpoint),
    });
    this.#evaluations.push(found);
  }

  async #save(state: TrainingState): Promise<void> {
    const name = nameCheckpoint(state, this.#recipe);
    const meta = { recipe: this.#recipe, state, codec: this.#resolved.codec.toJson() };
    await this.#trainer.save(this.#folder.getCheckpoint(name), JSON.parse(JSON.stringify(meta)) as JsonObject); // plain data
    await this.#folder.markLatest(name, countSteps(state, this.#recipe));
  }

  async #onUpdate(event: TrainingEvent): Promise<void> {
    const { phase, update } = event;
    const done = { phase, update: update + 1 };
    const metrics = getMetrics(event);
    await this.#folder.log({ step: countSteps(done, this.#recipe), data: metrics }, Date.now() / 1000);
    const { warmStart, length } = this.#recipe;
    const updates = (phase === "warm_start" ? warmStart?.updates : length?.updates) ?? 0;
    this.#options.events?.onUpdate?.({ phase, update: update + 1, updates, metrics, event });
  }

  async run(): Promise<TrainResult> {
    const { createTokenPolicy } = await import("../trainers/index.js");
    const { env, codec, tasks, plan, demonstrations } = this.#resolved;
    const recipe = this.#recipe;
    const policy = createTokenPolicy({
      id: recipe.name,
      generator: this.#trainer,
      codec,
      temperature: recipe.algorithm?.temperature ?? 1,
    });
    const state = await this.#restore();
    const every = recipe.evaluation?.every ?? 0;
    const { stop } = this.#options;
    const outcome = await trainPolicy(
      {
        recipe,
        trainer: this.#trainer,
        demonstrations: demonstrations?.sequences ?? [],
        env,
        policy,
        tasks,
        ...(plan === undefined ? {} : { plan }),
      },
      {
        onUpdate: (event) => this.#onUpdate(event),
        evaluate: (now) => this.#evaluate(now),
        evaluateEvery: every,
        saveCheckpoint: (now) => this.#save(now),
        now: () => performance.now() / 1000,
        ...(stop?.drain === undefined ? {} : { signal: stop.drain }),
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
      evaluations: this.#evaluations,
      parameters: this.#trainer.parameters,
    };
  }
}

/**
 * Trains a policy by a recipe, going on where a run of the same recipe was stopped, and returns what came of it. The
 * folder holds `train.json` (what decides the run), `plan.json`, `metrics.jsonl`, TensorBoard events, checkpoints, and
 * a run folder for each evaluation.
 *
 * @param recipe a recipe, or the path of a JSON file or module that holds one.
 * @throws {TurnwiseError} (usage) for a recipe that cannot be trained; (input) for a folder of another run, a missing
 * training runtime, and a loss that is no number (the batch is saved beside the run).
 */
export async function train(recipe: string | TrainRecipe, options: TrainOptions = {}): Promise<TrainResult> {
  const { seed, events, backend, threads } = options;
  const loaded = typeof recipe === "string" ? await loadRecipe(recipe) : recipe;
  const own: TrainRecipe = seed === undefined ? loaded : { ...loaded, seed };
  const resolved = await resolveTraining(own, events?.onMessage);
  const path = options.output ?? join("turnwise-runs", `train-${own.name}`);
  const folder = await openTrainingFolder(path, describeTraining(own, resolved));
  await mkdir(path, { recursive: true });
  if (resolved.plan !== undefined) await writeFile(join(path, "plan.json"), `${JSON.stringify(resolved.plan)}\n`);
  const { createEmbeddedTrainer } = await import("../trainers/index.js");
  const trainer = await createEmbeddedTrainer({
    codec: resolved.codec,
    network: { ...own.network, valueHead: own.network.valueHead ?? own.algorithm?.advantage.kind === "gae" },
    seed: own.seed,
    ...(backend === undefined ? {} : { backend }),
    ...(threads === undefined ? {} : { threads }),
  });
  try {
    return await new Training(own, resolved, folder, trainer, options).run();
  } catch (error) {
    return await saveDiverged(error, path);
  } finally {
    await trainer.close();
  }
}
