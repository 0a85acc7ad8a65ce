import { readRecipe, type TrainRecipe, type TrainRecipeInput } from "../src/train/index.js";

/** The envs of the experiment. */
export type ExperimentEnv = "vault" | "lookup";

/** What is compared. Every arm but `base` begins from the base of its own seed. */
export const armNames = [
  "base",
  "rl-large",
  "rl-tight",
  "curriculum",
  "budgetmix",
  "ppo-large",
  "budgetmix-hidden",
  "more-sft",
] as const;

/** The name of an arm. */
export type ArmName = (typeof armNames)[number];

/** Arms that are trained in each env; the further ones in one env only, as the question they answer is about the method. */
export const armsOf: { readonly [env in ExperimentEnv]: readonly ArmName[] } = {
  vault: armNames,
  lookup: ["base", "rl-large", "rl-tight", "curriculum", "budgetmix"],
};

/** How large an experiment is. */
export interface ExperimentSize {
  readonly seeds: readonly number[];
  /** Sampled tokens of each arm that reinforces: the same for all. */
  readonly sampledTokens: { readonly [env in ExperimentEnv]: number };
  readonly warmUpdates: { readonly [env in ExperimentEnv]: number };
  readonly demonstrations: number;
  readonly evaluationTasks: number;
  readonly evaluationSamples: number;
}

/** The whole experiment: 10 training seeds. */
export const fullSize: ExperimentSize = {
  seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  sampledTokens: { vault: 200_000, lookup: 200_000 },
  warmUpdates: { vault: 500, lookup: 500 },
  demonstrations: 2048,
  evaluationTasks: 100,
  evaluationSamples: 4,
};

/** What fits into five minutes: one env, two seeds. */
export const reducedSize: ExperimentSize = {
  ...fullSize,
  seeds: [1, 2],
  sampledTokens: { vault: 25_000, lookup: 40_000 },
  warmUpdates: { vault: 250, lookup: 250 },
  demonstrations: 1024,
  evaluationTasks: 40,
  evaluationSamples: 2,
};

/** Turn budgets that are evaluated; the last one is the large budget of training. */
export const evaluatedBudgets = [1, 2, 3, 4, 6, 8, 12];

/** The tight budget: fewer turns than a careful agent takes. */
export const tightBudget = 2;

/** Arms whose gap to the base is explained, and the budgets it is explained at. */
export const explainedArms = ["rl-large", "budgetmix"] as const satisfies readonly ArmName[];
export const explainedBudgets = [2, 3, 4, 8, 12] as const;

const largeBudget = 12;

const contexts: { readonly [env in ExperimentEnv]: number } = { vault: 160, lookup: 320 };

/** More updates than the tokens allow: the token limit ends each arm. */
const mostUpdates = 2000;

function getBudgets(arm: ArmName): TrainRecipeInput["budgets"] {
  switch (arm) {
    case "rl-large":
    case "ppo-large":
      return { mix: { type: "fixed", budgets: [largeBudget] }, disclosure: "hidden" };
    case "rl-tight":
      return { mix: { type: "fixed", budgets: [tightBudget] }, disclosure: "hidden" };
    case "curriculum":
      return { mix: { type: "curriculum", caps: [tightBudget, 4, largeBudget], every: 80 }, disclosure: "hidden" };
    case "budgetmix":
    case "budgetmix-hidden":
      return {
        mix: { type: "fixed", budgets: [1, 2, 4, largeBudget] },
        disclosure: arm === "budgetmix" ? "static" : "hidden",
      };
    default:
      return undefined;
  }
}

/**
 * Returns the recipe of one run. Arms differ in their budgets and in who is told them; `ppo-large` in its algorithm
 * too. The supervised arm makes as many further updates as the base made.
 */
export function createArmRecipe(
  env: ExperimentEnv,
  arm: ArmName,
  { seed, size, base }: { readonly seed: number; readonly size: ExperimentSize; readonly base?: string },
): TrainRecipe {
  const warmStart = {
    policy: "base",
    episodes: size.demonstrations,
    turnBudgets: [2, 4, 8, largeBudget],
    disclosures: ["hidden" as const, "static" as const],
    updates: size.warmUpdates[env],
    batchSize: 32,
    learningRate: 3e-3,
  };
  const isSupervised = arm === "base" || arm === "more-sft";
  const algorithm = {
    preset: arm === "ppo-large" ? ("ppo" as const) : ("grpo" as const),
    groupSize: 8,
    groupsPerUpdate: 8,
    learningRate: 1e-3,
    // Reaches its end with the tokens, so that every arm settles before it is judged.
    schedule: { kind: "linear" as const, warmUpdates: 5, endShare: 0.05 },
  };
  return readRecipe({
    name: `${env}-${arm}`,
    seed,
    env: { id: env, trainTasks: 2048 },
    network: { width: 48, layers: 2, heads: 4, contextLength: contexts[env], valueHead: true },
    ...(base === undefined ? {} : { startFrom: base }),
    ...(isSupervised ? { warmStart } : {}),
    ...(isSupervised
      ? {}
      : {
          algorithm,
          budgets: getBudgets(arm),
          length: { updates: mostUpdates, sampledTokens: size.sampledTokens[env] },
        }),
    evaluation: {
      tasks: size.evaluationTasks,
      samples: size.evaluationSamples,
      turnBudgets: evaluatedBudgets,
      disclosures: ["hidden", "static"],
      every: 0,
    },
    checkpointEvery: 0,
  });
}
