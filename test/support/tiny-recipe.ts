import type { TrainRecipeInput } from "../../src/train/index.js";

/** A recipe that trains in a second: it learns next to nothing, and takes every step there is. For tests. */
export const tinyRecipe = {
  name: "tiny",
  env: { id: "vault", trainTasks: 48 },
  network: { width: 16, layers: 1, heads: 2, contextLength: 160 },
  warmStart: { episodes: 48, turnBudgets: [2, 4], updates: 6, batchSize: 16, learningRate: 5e-3 },
  algorithm: { preset: "grpo", groupSize: 4, groupsPerUpdate: 4, learningRate: 2e-3 },
  budgets: { mix: { type: "fixed", budgets: [2, 4] }, disclosure: "static" },
  length: { updates: 4 },
  evaluation: { tasks: 4, samples: 2, turnBudgets: [2, 4], disclosures: ["hidden", "static"], every: 2 },
  checkpointEvery: 3,
} satisfies TrainRecipeInput;
