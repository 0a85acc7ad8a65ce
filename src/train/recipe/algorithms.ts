import type { LossSpec } from "../../core/index.js";
import type { Objective } from "../objective/objective-spec.js";
import type { AlgorithmRecipe } from "./recipe.js";

/** What all presets share; a preset says what it changes. */
const common = {
  aggregation: { kind: "token_mean" },
  reward: { success: 1, invalidTurn: 0 },
  groupSize: 8,
  flatGroups: "keep",
  groupsPerUpdate: 8,
  epochs: 1,
  miniBatches: 1,
  learningRate: 1e-3,
  schedule: { kind: "constant", warmUpdates: 0, endShare: 1 },
  keepShare: 1,
  temperature: 1,
} as const;

const clipped: LossSpec = { kind: "ppo_clip", clipLow: 0.2, clipHigh: 0.2, klPlacement: "none" };
const grpoAdvantage = { kind: "grpo", ddof: 1, epsilon: 1e-6 } as const;

const presets = {
  /** DeepSeekMath, arXiv 2402.03300, without its KL term. */
  grpo: { ...common, advantage: grpoAdvantage, loss: clipped },
  /** Dr. GRPO, arXiv 2503.20783: nothing is divided by. `length` is the constant all episodes share. */
  dr_grpo: {
    ...common,
    advantage: { kind: "dr_grpo" },
    loss: clipped,
    aggregation: { kind: "constant", length: 32, over: "sequence" },
  },
  /** REINFORCE leave-one-out, arXiv 2402.14740. */
  rloo: { ...common, advantage: { kind: "rloo" }, loss: clipped, aggregation: { kind: "sequence_sum_mean" } },
  /**
   * DAPO, arXiv 2503.14476: clip-higher, the token mean, and groups whose returns are all equal left out. They are not
   * sampled anew, since the plan says what is played; their share is in the metrics.
   */
  dapo: { ...common, advantage: grpoAdvantage, loss: { ...clipped, clipHigh: 0.28 }, flatGroups: "drop" },
  /** GSPO, arXiv 2507.18071: one ratio for a sequence. */
  gspo: {
    ...common,
    advantage: grpoAdvantage,
    loss: { kind: "gspo", clipLow: 3e-4, clipHigh: 4e-4, klPlacement: "none" },
    aggregation: { kind: "sequence_mean" },
  },
  /** CISPO, arXiv 2506.13585: the clipped ratio is a weight. */
  cispo: { ...common, advantage: grpoAdvantage, loss: { kind: "cispo", clipHigh: 0.28, klPlacement: "none" } },
  /** PPO with an action mask and a value head. */
  ppo: {
    ...common,
    advantage: { kind: "gae", level: "token", gamma: 1, lambda: 0.95, whitening: { ddof: 1, epsilon: 1e-8 } },
    loss: { ...clipped, valueWeight: 0.5, valueClip: 0.2, entropyWeight: 0.001 },
    epochs: 2,
    miniBatches: 2,
  },
  /** StarPO-S, arXiv 2504.20073: the quarter of prompts whose outcomes spread most, clip-higher, no KL. */
  starpo_s: { ...common, advantage: grpoAdvantage, loss: { ...clipped, clipHigh: 0.28 }, keepShare: 0.25 },
} satisfies Record<string, Omit<AlgorithmRecipe, "name">>;

/** The name of a ready-made algorithm. */
export type AlgorithmName = keyof typeof presets;

/** The ready-made algorithms, in the order they are listed. */
export const algorithmNames: readonly AlgorithmName[] = Object.keys(presets) as AlgorithmName[]; // the keys of a literal

/** Returns a ready-made algorithm; what is given replaces its settings. */
export function createAlgorithm(name: AlgorithmName, changes: Partial<AlgorithmRecipe> = {}): AlgorithmRecipe {
  return { name, ...presets[name], ...changes };
}

/** Returns what decides the gradient of an algorithm, in the form that is checked and that training records describe. */
export function getObjective({ advantage, loss, aggregation, groupSize, flatGroups }: AlgorithmRecipe): Objective {
  if (advantage.kind === "gae") return { loss, aggregation, advantage };
  return { loss, aggregation, advantage: { ...advantage, groupSize, flatGroups, singletons: "zero" } };
}
