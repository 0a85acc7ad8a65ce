import type { TrainRecipeInput } from "../train/index.js";

/** A recipe to begin with: imitation of an imperfect policy, then GRPO under a mix of told budgets; about two minutes. */
export const exampleRecipe: TrainRecipeInput = {
  name: "first-agent",
  seed: 1,
  env: { id: "vault", trainTasks: 2048 },
  network: { width: 48, layers: 2, heads: 4, contextLength: 160 },
  warmStart: {
    policy: "base",
    episodes: 2048,
    turnBudgets: [2, 4, 8, 12],
    disclosures: ["hidden", "static"],
    updates: 300,
    batchSize: 32,
    learningRate: 3e-3,
  },
  algorithm: { preset: "grpo", groupSize: 8, groupsPerUpdate: 8, learningRate: 1e-3 },
  budgets: { mix: { type: "fixed", budgets: [1, 2, 4, 12] }, disclosure: "static" },
  length: { updates: 100 },
  evaluation: {
    tasks: 50,
    samples: 2,
    turnBudgets: [1, 2, 4, 8, 12],
    disclosures: ["hidden", "static"],
    every: 50,
  },
  stop: { patience: 10, entropyBelow: 0.02, flatShareAbove: 0.95 },
  checkpointEvery: 25,
};
