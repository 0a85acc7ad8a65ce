import type { Disclosure, Env, TokenCodec } from "../core/index.js";
import type { EvaluationRecipe, TrainRecipe } from "../train/index.js";
import { createTokenPolicy, type TokenGenerator } from "../trainers/index.js";
import { analyze } from "./analyze.js";
import { playRun } from "./eval-budget.js";
import type { RunStop } from "./run-events.js";
import { createRunSource } from "./run-source.js";

/** One evaluation of a checkpoint: a run folder that every other command reads. */
export interface CheckpointEvaluation {
  readonly checkpoint: string;
  readonly folder: string;
  readonly rates: readonly {
    readonly disclosure: Disclosure;
    readonly maxTurns: number;
    /** Sampling width K. */
    readonly k: number;
    /** Pass@(K,T), mean over tasks. */
    readonly rate: number;
    readonly tasks: number;
    /** Episodes under this disclosure that ended in an error and are not counted. */
    readonly errored: number;
  }[];
}

/** A checkpoint to be evaluated. */
export interface CheckpointToEvaluate {
  readonly recipe: TrainRecipe;
  readonly evaluation: EvaluationRecipe;
  readonly env: Env;
  readonly codec: TokenCodec;
  readonly generator: TokenGenerator;
  readonly checkpoint: string;
  readonly folder: string;
  readonly stop?: RunStop;
}

/** Seed of the evaluation's tasks, envs and draws: the same for all checkpoints and training seeds, so that they pair. */
const evaluationSeed = 1;

/** Returns the success rate of each disclosure and turn budget, by the estimators that reports use. */
async function readRates(folder: string, { turnBudgets }: EvaluationRecipe): Promise<CheckpointEvaluation["rates"]> {
  const options = { budgets: turnBudgets, replicates: 100 };
  const { surfaces } = await analyze([await createRunSource(folder)], options);
  return surfaces.flatMap(({ disclosure, cells, denominator }) =>
    cells.map(({ k, maxTurns, estimate }) => ({
      disclosure,
      maxTurns,
      k,
      rate: estimate.value,
      tasks: estimate.taskCount,
      errored: denominator.erroredEpisodes,
    })),
  );
}

/**
 * Returns the success rates of an evaluation that was played into `folder`; `undefined` when no episode of it can be
 * counted. Episodes that are missing as it was cut off are in no denominator.
 */
export async function readEvaluation(
  folder: string,
  checkpoint: string,
  evaluation: EvaluationRecipe,
): Promise<CheckpointEvaluation | undefined> {
  const rates = await readRates(folder, evaluation);
  return rates.length === 0 ? undefined : { checkpoint, folder, rates };
}

/** Plays the evaluation of a recipe with these weights into a run folder, as far as it is not there yet. */
export async function evaluateCheckpoint(options: CheckpointToEvaluate): Promise<void> {
  const { recipe, evaluation, env, codec, generator, checkpoint, folder, stop } = options;
  const policy = createTokenPolicy({
    id: recipe.name,
    generator,
    codec,
    checkpoint,
    config: { recipe: recipe.name, trainingSeed: recipe.seed },
  });
  try {
    await playRun({
      env,
      policies: [policy],
      budgets: evaluation.turnBudgets,
      samples: evaluation.samples,
      disclosures: evaluation.disclosures,
      taskCount: evaluation.tasks,
      difficulty: recipe.env.level,
      seed: evaluationSeed,
      concurrency: 1,
      batchSize: 128,
      output: folder,
      ...(stop === undefined ? {} : { stop }),
    });
  } finally {
    await policy.endEpisodes();
  }
}
