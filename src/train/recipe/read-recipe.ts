import { usageError } from "../../core/index.js";
import { checkObjective } from "../objective/check-objective.js";
import { createAlgorithm, getObjective } from "./algorithms.js";
import { describeIssue } from "./describe-issue.js";
import { recipeInputSchema, type ParsedRecipe, type RecipeInput } from "./recipe-schema.js";
import type { AlgorithmRecipe, TrainRecipe } from "./recipe.js";

/** A recipe as it is written; what is left out takes the defaults. */
export type TrainRecipeInput = RecipeInput;

function buildAlgorithm(parsed: NonNullable<ParsedRecipe["algorithm"]>): AlgorithmRecipe {
  const { preset, ...changes } = parsed;
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return createAlgorithm(preset, given);
}

function checkBatch({ groupSize, groupsPerUpdate, miniBatches, keepShare }: AlgorithmRecipe): string[] {
  const reasons: string[] = [];
  const episodes = groupSize * groupsPerUpdate;
  if (episodes % miniBatches !== 0) {
    reasons.push(
      `an update has ${groupsPerUpdate} x ${groupSize} = ${episodes} episodes, which ${miniBatches} mini-batches do not divide evenly`,
    );
  }
  if (keepShare < 1 && groupSize < 2) reasons.push("keepShare below 1 needs groups of at least 2 to measure a spread");
  return reasons;
}

function checkReward({ reward, advantage }: AlgorithmRecipe): string[] {
  const { scorer, part, shaping } = reward;
  const reasons: string[] = [];
  if (part !== undefined && scorer === undefined) {
    reasons.push("algorithm.reward.part names a part of a scorer's judgement: give reward.scorer");
  }
  if (shaping?.kind !== "potential") return reasons;
  if (advantage.kind !== "gae") {
    reasons.push(
      `shaping by a potential adds the same to every episode of a group, which ${advantage.kind} subtracts again: use an algorithm with gae, or plain shaping`,
    );
  } else if (advantage.level === "token" && advantage.gamma !== 1) {
    reasons.push(
      `shaping by a potential is discounted between turns, and token-level gae with gamma ${advantage.gamma} discounts between tokens: use gamma 1 or another level`,
    );
  }
  return reasons;
}

function checkLoss({ loss }: AlgorithmRecipe): string[] {
  return loss.kind === "sft"
    ? ['algorithm.loss.kind "sft" learns from demonstrations, and reinforcement has none: use warmStart']
    : [];
}

/** Returns why the phases do not fit together. */
function checkPhases({ warmStart, algorithm, startFrom, budgets, length, stop, keepRollouts }: TrainRecipe): string[] {
  const reasons: string[] = [];
  if (warmStart === undefined && algorithm === undefined) {
    reasons.push("it has neither warmStart nor algorithm, so there is nothing to train");
  }
  if (warmStart === undefined && startFrom === undefined && algorithm !== undefined) {
    reasons.push(
      "it reinforces a network of random weights, which hardly ever succeeds: give warmStart, or startFrom with a checkpoint",
    );
  }
  if (warmStart !== undefined && warmStart.episodes < warmStart.batchSize) {
    reasons.push(
      `warmStart.batchSize ${warmStart.batchSize} is more than its ${warmStart.episodes} episodes: an update would repeat demonstrations`,
    );
  }
  if (algorithm !== undefined) {
    if (budgets === undefined) reasons.push("algorithm needs budgets: which turn budgets are trained on");
    if (length === undefined) reasons.push("algorithm needs length: how many updates are made");
  } else {
    if (budgets !== undefined) reasons.push("budgets are given without an algorithm that would play under them");
    if (length !== undefined)
      reasons.push("length is given without an algorithm: warmStart.updates says how long it is");
    if (stop !== undefined) reasons.push("stop is given without an algorithm that it would stop");
    if (keepRollouts === true) reasons.push("keepRollouts is given without an algorithm that would play");
  }
  if (budgets?.terminalRule === "answer_only") {
    reasons.push(
      'budgets.terminalRule "answer_only" asks for a closing answer in words after the last turn, which is no action that could be reinforced: use "act" or "hard"',
    );
  }
  return reasons;
}

/**
 * Returns why a recipe cannot be trained, a sentence for each reason; empty when it can. What depends on the env (its
 * turn cap, its tasks) is checked where the env is known.
 */
export function checkRecipe(recipe: TrainRecipe): string[] {
  const { network, algorithm, evaluation } = recipe;
  const reasons: string[] = [];
  if (network.width % network.heads !== 0) {
    reasons.push(`network.width ${network.width} is not a multiple of network.heads ${network.heads}`);
  }
  if (algorithm?.advantage.kind === "gae" && network.valueHead === false) {
    reasons.push("advantages by gae need a value head, and network.valueHead is false");
  }
  reasons.push(...checkPhases(recipe));
  if (algorithm !== undefined) {
    const ofLoss = checkLoss(algorithm);
    reasons.push(...ofLoss, ...(ofLoss.length > 0 ? [] : checkObjective(getObjective(algorithm))));
    reasons.push(...checkBatch(algorithm), ...checkReward(algorithm));
  }
  for (const name of ["turnBudgets", "disclosures"] as const) {
    const listed: readonly (string | number)[] = evaluation?.[name] ?? [];
    const twice = listed.find((each, index) => listed.indexOf(each) !== index);
    if (twice !== undefined) reasons.push(`evaluation.${name} has ${twice} twice`);
  }
  return reasons;
}

/**
 * Returns the recipe with every default filled in, so that a run's record leaves nothing out.
 *
 * @throws {TurnwiseError} (usage) with every reason: unknown keys, values out of range, and settings that contradict
 * each other. `what` names the recipe in messages.
 *
 * @example
 * readRecipe({ name: "first", env: "vault", warmStart: {} });
 */
export function readRecipe(input: unknown, what = "the recipe"): TrainRecipe {
  const parsed = recipeInputSchema.safeParse(input);
  if (!parsed.success) {
    const reasons = parsed.error.issues.map((issue) => describeIssue(issue, input, recipeInputSchema));
    throw usageError(
      `Cannot train by ${what}: ${reasons.join("; ")}`,
      "docs/guides/train.md lists what a recipe holds",
    );
  }
  const { algorithm, ...rest } = parsed.data;
  const recipe: TrainRecipe = { ...rest, ...(algorithm === undefined ? {} : { algorithm: buildAlgorithm(algorithm) }) };
  const reasons = checkRecipe(recipe);
  if (reasons.length > 0) throw usageError(`Cannot train by ${what}: ${reasons.join("; ")}`);
  return recipe;
}

/** Returns a recipe written in a module, checked; the type helps while writing it. See {@linkcode readRecipe}. */
export function defineRecipe(input: TrainRecipeInput): TrainRecipe {
  return readRecipe(input);
}
