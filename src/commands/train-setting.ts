import {
  createRandom,
  hashJson,
  inputError,
  isJsonObject,
  usageError,
  type Env,
  type Policy,
  type Task,
} from "../core/index.js";
import {
  createWordCodec,
  gatherCodecEpisodes,
  getObjective,
  describeLoss,
  listMixBudgets,
  planBudgetMix,
  playDemonstrations,
  readBudgetMix,
  type Demonstrations,
  type TrainRecipe,
  type WordCodec,
} from "../train/index.js";
import type { BudgetPlan, JsonObject } from "../core/index.js";
import { drawTasks } from "./draw-tasks.js";
import { resolveEnv } from "./resolve-env.js";

/** Everything a recipe stands for, before anything is trained. */
export interface ResolvedTraining {
  readonly env: Env;
  readonly tasks: readonly Task[];
  readonly codec: WordCodec;
  readonly demonstrations: Demonstrations | undefined;
  readonly plan: BudgetPlan | undefined;
}

/** Tasks whose episodes the codec learns its words from. */
const codecTasks = 200;

/** Returns the policy that demonstrates. */
async function resolveDemonstrator(policy: string | JsonObject): Promise<Policy> {
  const { createScriptedPolicy, createScriptedPreset, scriptedPresetNames } = await import("../policies/index.js");
  if (typeof policy !== "string") {
    // createScriptedPolicy() checks what it is given.
    return createScriptedPolicy({ id: "demonstrator", ...policy } as Parameters<typeof createScriptedPolicy>[0]);
  }
  const preset = scriptedPresetNames.find((name) => name === policy.replace(/^scripted:/, ""));
  if (preset !== undefined) return createScriptedPreset(preset);
  throw usageError(
    `Cannot demonstrate with policy "${policy}"`,
    `Choose one of ${scriptedPresetNames.join(", ")}, or give the settings of a scripted policy`,
  );
}

/** Plays the demonstrations of a recipe: budgets and disclosures in turn, so that each is met with each. */
async function demonstrate(
  recipe: TrainRecipe,
  { env, tasks, codec }: Pick<ResolvedTraining, "env" | "tasks" | "codec">,
): Promise<Demonstrations | undefined> {
  const { warmStart, seed } = recipe;
  if (warmStart === undefined) return undefined;
  const { episodes, turnBudgets, disclosures, keep } = warmStart;
  const policy = await resolveDemonstrator(warmStart.policy);
  if (policy.needsOracle === true && env.oracle === undefined) {
    throw usageError(
      `Cannot demonstrate in env "${env.id}": scripted policies need an oracle, and the env has none`,
      "Begin from a checkpoint with startFrom",
    );
  }
  const played = await playDemonstrations({
    env,
    policy,
    tasks: Array.from({ length: episodes }, (_, index) => tasks[index % tasks.length]),
    codec,
    keep,
    getSetting(index) {
      const random = createRandom(seed, "demonstration", index);
      const [envSeed, samplingSeed] = [random.nextUint32() >>> 1, random.nextUint32() >>> 1];
      return {
        envSeed,
        samplingSeed,
        maxTurns: turnBudgets[index % turnBudgets.length],
        disclosure: disclosures[Math.floor(index / turnBudgets.length) % disclosures.length],
      };
    },
  });
  const fitting = played.sequences.filter(({ ids }) => ids.length <= recipe.network.contextLength);
  if (fitting.length < warmStart.batchSize) {
    throw inputError(
      `Cannot warm start: of ${played.played} demonstrations ${fitting.length} can be learnt from, fewer than one batch of ${warmStart.batchSize} (${played.filtered} were not solved, ${played.unwritable} hold actions the codec cannot write, ${played.failed} failed, ${played.sequences.length - fitting.length} are longer than the context of ${recipe.network.contextLength} tokens)`,
      "Play more episodes, keep all of them, or lengthen network.contextLength",
    );
  }
  return { ...played, sequences: fitting };
}

/** Returns the plan of a recipe's reinforcement learning. */
export function planTraining(recipe: TrainRecipe, env: Env, tasks: readonly Task[]): BudgetPlan | undefined {
  const { algorithm, budgets, length, seed } = recipe;
  if (algorithm === undefined || budgets === undefined || length === undefined) return undefined;
  return planBudgetMix({
    env,
    tasks,
    mix: readBudgetMix(budgets.mix),
    updates: length.updates,
    batchSize: algorithm.groupSize * algorithm.groupsPerUpdate,
    groupSize: Math.max(algorithm.groupSize, 1),
    disclosure: budgets.disclosure,
    terminalRule: budgets.terminalRule,
    seed,
  });
}

/**
 * Returns what a recipe stands for: env, training tasks, the codec learnt from them, demonstrations and plan. The same
 * recipe gives the same bytes. Progress is told in words.
 *
 * @throws {TurnwiseError} for an env, demonstrator or mix that cannot be used.
 */
export async function resolveTraining(
  recipe: TrainRecipe,
  onMessage: (message: string) => void = () => undefined,
): Promise<ResolvedTraining> {
  const { id, level, trainTasks, taskSeed } = recipe.env;
  const env = await resolveEnv(id);
  const tasks = drawTasks(env, { split: "train", level, taskCount: trainTasks, seed: taskSeed });
  if (tasks.length === 0)
    throw usageError(`Cannot train in env "${env.id}": it made no training tasks at level ${level}`);
  const episodes = await gatherCodecEpisodes(env, tasks.slice(0, codecTasks), { seed: taskSeed });
  const codec = createWordCodec({ env, episodes });
  onMessage(`Vocabulary of ${codec.vocabulary.length} tokens from ${episodes.length} training tasks of ${env.id}`);
  const plan = planTraining(recipe, env, tasks);
  const demonstrations = await demonstrate(recipe, { env, tasks, codec });
  if (demonstrations !== undefined) {
    const { played, solved, sequences } = demonstrations;
    onMessage(`${sequences.length} of ${played} demonstrations can be learnt from; ${solved} of them solved the task`);
  }
  return { env, tasks, codec, demonstrations, plan };
}

/** Returns everything that decides a training run, as its folder records it. */
export function describeTraining(recipe: TrainRecipe, { env, codec, plan, tasks }: ResolvedTraining): JsonObject {
  const description = {
    recipe,
    env: { id: env.id, version: env.version },
    tasksHash: hashJson(tasks.map(({ hash }) => hash)),
    codecHash: codec.hash,
    ...(plan === undefined ? {} : { planHash: plan.hash, budgets: listMixBudgets(readBudgetMix(plan.mix)) }),
    ...(recipe.algorithm === undefined ? {} : { objective: describeLoss(getObjective(recipe.algorithm)) }),
  };
  const json: unknown = JSON.parse(JSON.stringify(description));
  if (!isJsonObject(json)) throw new TypeError("A description is an object");
  return json;
}
