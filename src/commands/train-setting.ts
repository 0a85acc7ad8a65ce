import { resolve } from "node:path";
import {
  createRandom,
  errorMessage,
  hashJson,
  inputError,
  isJsonObject,
  TurnwiseError,
  usageError,
  type BudgetPlan,
  type Env,
  type JsonObject,
  type Policy,
  type Scorer,
  type Task,
} from "../core/index.js";
import { runEpisode } from "../rollout/index.js";
import {
  createWordCodec,
  describeLoss,
  gatherCodecEpisodes,
  getObjective,
  listMixBudgets,
  planBudgetMix,
  playDemonstrations,
  readBudgetMix,
  type CodecEpisode,
  type Demonstrations,
  type DemonstrationSetting,
  type EnvRecipe,
  type TrainRecipe,
  type WarmStartRecipe,
  type WordCodec,
} from "../train/index.js";
import { drawTasks } from "./draw-tasks.js";
import { isModulePath } from "./load-module.js";
import { resolveEnv } from "./resolve-env.js";
import { resolveGrader } from "./resolve-grader.js";
import { resolvePolicy } from "./resolve-policy.js";

/** Everything a recipe stands for, before anything is trained. */
export interface ResolvedTraining {
  readonly env: Env;
  readonly tasks: readonly Task[];
  readonly codec: WordCodec;
  readonly demonstrations: Demonstrations | undefined;
  readonly plan: BudgetPlan | undefined;
  /** Judges the episodes of training in place of the env's grade. */
  readonly scorer?: Scorer;
}

/** Tasks whose episodes the codec learns its words from. */
const codecTasks = 200;

/** Returns the policy that demonstrates. */
async function resolveDemonstrator(policy: string | JsonObject): Promise<Policy> {
  const { createScriptedPolicy, createScriptedPreset, scriptedPresetNames } = await import("../policies/index.js");
  if (typeof policy !== "string") {
    try {
      return createScriptedPolicy({ id: "demonstrator", ...policy }); // which checks what it is given
    } catch (error) {
      throw usageError(`Cannot demonstrate with the settings of warmStart.policy: ${errorMessage(error)}`);
    }
  }
  const preset = scriptedPresetNames.find((name) => name === policy.replace(/^scripted:/, ""));
  if (preset !== undefined) return createScriptedPreset(preset);
  if (isModulePath(policy) || policy.startsWith("trained:")) return resolvePolicy(policy, { environment: {} });
  throw usageError(
    `Cannot demonstrate with policy "${policy}"`,
    `Choose one of ${scriptedPresetNames.join(", ")}, give the settings of a scripted policy, a module that exports a policy (./expert.mjs), or trained:CHECKPOINT`,
  );
}

/** Whether the demonstrations come from a file, which may be another one when the run goes on. */
function isDemonstratedByFile({ warmStart }: TrainRecipe): boolean {
  const { policy } = warmStart ?? {};
  return typeof policy === "string" && (isModulePath(policy) || policy.startsWith("trained:"));
}

/** Returns how the demonstration at this position is played: budgets and disclosures in turn, each met with each. */
function getDemonstrationSetting(
  { turnBudgets, disclosures }: WarmStartRecipe,
  seed: number,
  index: number,
): DemonstrationSetting {
  const random = createRandom(seed, "demonstration", index);
  const [envSeed, samplingSeed] = [random.nextUint32() >>> 1, random.nextUint32() >>> 1];
  return {
    envSeed,
    samplingSeed,
    maxTurns: turnBudgets[index % turnBudgets.length],
    disclosure: disclosures[Math.floor(index / turnBudgets.length) % disclosures.length],
  };
}

/** Returns what to do about demonstrations of which most cannot be learnt from, by what became of most of them. */
function findRemedy(
  { filtered, unwritable, failed }: Demonstrations,
  tooLong: number,
  { env, warmStart }: TrainRecipe,
): string {
  const most = Math.max(filtered, unwritable, failed, tooLong);
  if (most === failed) {
    const { policy } = warmStart ?? {};
    const own = typeof policy === "string" && isModulePath(policy) ? ` --policy ${policy}` : "";
    return `Check it with: turnwise doctor --env ${env.id}${own}`;
  }
  if (most === unwritable)
    return "Let the demonstrator call the env's tools, each by its own name, as their parameters say";
  if (most === tooLong) return "Lengthen network.contextLength, or demonstrate with smaller budgets";
  return 'Play more episodes, or keep all of them ("keep": "all")';
}

/** Says how many demonstrations there are to learn from, and why the others are left out. */
function describeDemonstrations(demonstrations: Demonstrations): string {
  const { played, solved, filtered, unwritable, failed, firstFailure, sequences } = demonstrations;
  const tooLong = played - filtered - unwritable - failed - sequences.length;
  const reasons = [
    [filtered, "not solved"],
    [unwritable, "with actions the codec cannot write"],
    [failed, `failed (the first: ${firstFailure ?? "unknown"})`],
    [tooLong, "longer than network.contextLength"],
  ] as const;
  const left = reasons.filter(([count]) => count > 0).map(([count, reason]) => `${count} ${reason}`);
  const leftOut = left.length === 0 ? "" : `; left out are ${left.join(", ")}`;
  return `${played} demonstrations, ${solved} of them solved: ${sequences.length} can be learnt from${leftOut}`;
}

/** Plays the demonstrations of a recipe. */
async function demonstrate(
  recipe: TrainRecipe,
  policy: Policy,
  { env, tasks, codec }: Pick<ResolvedTraining, "env" | "tasks" | "codec">,
): Promise<Demonstrations | undefined> {
  const { warmStart, seed } = recipe;
  if (warmStart === undefined) return undefined;
  const { episodes, keep } = warmStart;
  const played = await playDemonstrations({
    env,
    policy,
    tasks: Array.from({ length: episodes }, (_, index) => tasks[index % tasks.length]),
    codec,
    keep,
    getSetting: (index) => getDemonstrationSetting(warmStart, seed, index),
  });
  const fitting = played.sequences.filter(({ ids }) => ids.length <= recipe.network.contextLength);
  if (fitting.length < warmStart.batchSize) {
    const failure = played.firstFailure === undefined ? "" : `; the first failure: ${played.firstFailure}`;
    throw inputError(
      `Cannot warm start: of ${played.played} demonstrations ${fitting.length} can be learnt from, fewer than one batch of ${warmStart.batchSize} (${played.filtered} were not solved, ${played.unwritable} hold actions the codec cannot write, ${played.failed} failed, ${played.sequences.length - fitting.length} are longer than the context of ${recipe.network.contextLength} tokens)${failure}`,
      findRemedy(played, played.sequences.length - fitting.length, recipe),
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
    groupSize: algorithm.groupSize,
    baseline: algorithm.advantage.kind === "gae" ? "value" : "group",
    disclosure: budgets.disclosure,
    terminalRule: budgets.terminalRule,
    seed,
  });
}

/** Refuses budgets that the env would cut short: they would be told, and never given. */
function checkCap({ warmStart, evaluation }: TrainRecipe, { id, maxTurns = Infinity }: Env): void {
  const named = { "warmStart.turnBudgets": warmStart?.turnBudgets, "evaluation.turnBudgets": evaluation?.turnBudgets };
  for (const [name, budgets = []] of Object.entries(named)) {
    const over = budgets.find((budget) => budget > maxTurns);
    if (over === undefined) continue;
    throw usageError(
      `Cannot play T=${over} of ${name} in env "${id}": it ends every episode after ${maxTurns} turns`,
      `Choose budgets of at most ${maxTurns}`,
    );
  }
}

/** Returns episodes that the codec learns its words from: by the env's oracle, else by who demonstrates. */
async function gatherEpisodes(
  env: Env,
  tasks: readonly Task[],
  { recipe, policy }: { readonly recipe: TrainRecipe; readonly policy: Policy | undefined },
): Promise<CodecEpisode[]> {
  const { warmStart, seed } = recipe;
  if (env.oracle !== undefined || policy === undefined || warmStart === undefined) {
    try {
      return await gatherCodecEpisodes(env, tasks, { seed: recipe.env.taskSeed });
    } catch (error) {
      if (error instanceof TurnwiseError) throw error;
      throw inputError(
        `Cannot train in env "${env.id}": playing it to learn its words failed: ${errorMessage(error)}`,
        `Check it with: turnwise doctor --env ${recipe.env.id}`,
        error,
      );
    }
  }
  const episodes: CodecEpisode[] = [];
  for (const [index, task] of tasks.entries()) {
    const { maxTurns, ...setting } = getDemonstrationSetting(warmStart, seed, index);
    const played = await runEpisode(env, policy, task, { budget: { maxTurns }, ...setting, disclosure: "hidden" });
    if (played.finalObservation !== undefined) {
      episodes.push({ turns: played.turns, finalObservation: played.finalObservation });
    }
  }
  return episodes;
}

/** Returns the codec: that of the weights training begins with, else one learnt from the env. */
async function makeCodec(
  recipe: TrainRecipe,
  { env, tasks, policy }: { readonly env: Env; readonly tasks: readonly Task[]; readonly policy: Policy | undefined },
  onMessage: (message: string) => void,
): Promise<WordCodec> {
  if (recipe.startFrom !== undefined) {
    const { readStartCodec } = await import("./stored-codec.js");
    const codec = readStartCodec(resolve(recipe.startFrom), env);
    onMessage(`Vocabulary of ${codec.vocabulary.length} tokens, as the weights in "${recipe.startFrom}" know them`);
    return codec;
  }
  const episodes = await gatherEpisodes(env, tasks.slice(0, codecTasks), { recipe, policy });
  const codec = createWordCodec({ env, episodes });
  onMessage(`Vocabulary of ${codec.vocabulary.length} tokens from ${episodes.length} training tasks of ${env.id}`);
  return codec;
}

function checkDemonstrator(env: Env, policy: Policy | undefined): void {
  const mismatch = policy?.findMismatch?.(env);
  if (mismatch !== undefined) {
    throw inputError(
      `Cannot demonstrate in env "${env.id}": ${mismatch}`,
      "Let warmStart.policy name weights of this env, a scripted policy or a module",
    );
  }
  if (policy?.needsOracle !== true || env.oracle !== undefined) return;
  throw usageError(
    `Cannot demonstrate in env "${env.id}": scripted policies need an oracle, and the env has none`,
    "Let warmStart.policy name a module that exports a policy (./expert.mjs), or begin from a checkpoint with startFrom",
  );
}

/** Returns the tasks that are trained on. */
function drawTrainingTasks(env: Env, { level, trainTasks, taskSeed }: EnvRecipe): readonly Task[] {
  if (env.makeTasks === undefined) {
    throw usageError(`Cannot train in env "${env.id}": it makes no tasks`, "Give the env makeTasks(request)");
  }
  const tasks = drawTasks(env, { split: "train", level, taskCount: trainTasks, seed: taskSeed });
  if (tasks.length > 0) return tasks;
  throw usageError(`Cannot train in env "${env.id}": it made no training tasks at level ${level}`);
}

/**
 * Returns what a recipe stands for: env, training tasks, the codec learnt from them, demonstrations and plan. The same
 * recipe gives the same bytes. Progress is told in words.
 *
 * @throws {TurnwiseError} for an env, demonstrator, scorer or mix that cannot be used.
 */
export async function resolveTraining(
  recipe: TrainRecipe,
  onMessage: (message: string) => void = () => undefined,
): Promise<ResolvedTraining> {
  const { warmStart, algorithm } = recipe;
  const env = await resolveEnv(recipe.env.id);
  checkCap(recipe, env);
  const scorerPath = algorithm?.reward.scorer;
  const scorer = scorerPath === undefined ? undefined : await resolveGrader(scorerPath);
  const policy = warmStart === undefined ? undefined : await resolveDemonstrator(warmStart.policy);
  checkDemonstrator(env, policy);
  const tasks = drawTrainingTasks(env, recipe.env);
  const plan = planTraining(recipe, env, tasks);
  const codec = await makeCodec(recipe, { env, tasks, policy }, onMessage);
  const demonstrations = policy === undefined ? undefined : await demonstrate(recipe, policy, { env, tasks, codec });
  if (demonstrations !== undefined) {
    onMessage(describeDemonstrations(demonstrations));
  }
  return { env, tasks, codec, demonstrations, plan, ...(scorer === undefined ? {} : { scorer }) };
}

/** Returns everything that decides a training run, as its folder records it. */
export function describeTraining(recipe: TrainRecipe, resolved: ResolvedTraining): JsonObject {
  const { env, codec, plan, tasks, scorer, demonstrations } = resolved;
  const description = {
    recipe,
    env: { id: env.id, version: env.version },
    tasksHash: hashJson(tasks.map(({ hash }) => hash)),
    codecHash: codec.hash,
    ...(plan === undefined ? {} : { planHash: plan.hash, budgets: listMixBudgets(readBudgetMix(plan.mix)) }),
    ...(scorer === undefined ? {} : { scorer: { id: scorer.id, version: scorer.version } }),
    ...(isDemonstratedByFile(recipe)
      ? {
          demonstrationsHash: hashJson(demonstrations?.sequences.map(({ ids, actionMask }) => [ids, actionMask]) ?? []),
        }
      : {}),
    ...(recipe.algorithm === undefined ? {} : { objective: describeLoss(getObjective(recipe.algorithm)) }),
  };
  const json: unknown = JSON.parse(JSON.stringify(description));
  if (!isJsonObject(json)) throw new TypeError("A description is an object");
  return json;
}
