// internal
import { z } from "zod";
import { disclosures, mostBudgetTurns, terminalRules } from "../../core/index.js";
import { algorithmNames } from "./algorithms.js";
import { recipeSchema } from "./recipe.js";

const whole = (least: number) => z.int().min(least);
/** Counts of what is made before training begins, or kept while it goes on: more is a slip of the hand. */
const count = (most = 1_000_000) => z.int().min(1).max(most);
const turns = z.int().min(1).max(mostBudgetTurns);
/** Rewards and what multiplies them: the network computes in single precision, and squares them. */
const mostReward = 1e6;
const worth = z.number().positive().max(mostReward);
const rate = z.number().positive().max(1);
const jsonObject = z.record(z.string(), z.json());

const schedule = z.strictObject({
  kind: z.enum(["constant", "linear", "cosine"]).default("constant"),
  warmUpdates: whole(0).default(0),
  endShare: z.number().min(0).max(1).default(1),
});

const env = z.preprocess(
  (value) => (typeof value === "string" ? { id: value } : value),
  z.strictObject({
    id: z.string().min(1),
    level: whole(1).default(1),
    trainTasks: count().default(256),
    taskSeed: whole(0).default(1),
  }),
);

const network = z.strictObject({
  width: whole(8).max(256).default(64),
  layers: whole(1).max(4).default(2),
  heads: whole(1).max(16).default(4),
  contextLength: whole(16).max(4096).default(256),
  valueHead: z.boolean().optional(),
});

const warmStart = z.strictObject({
  policy: z.union([z.string(), jsonObject]).default("base"),
  episodes: count().default(1024),
  turnBudgets: z.array(turns).min(1).default([8]),
  disclosures: z.array(z.enum(disclosures)).min(1).default(["hidden", "static"]),
  keep: z.enum(["all", "solved"]).default("all"),
  updates: count().default(150),
  batchSize: count().default(32),
  learningRate: rate.default(2e-3),
  schedule: schedule.default({ kind: "cosine", warmUpdates: 5, endShare: 0.1 }),
});

const whitening = z.strictObject({
  ddof: z.union([z.literal(0), z.literal(1)]),
  epsilon: z.number().min(0),
  keepMean: z.boolean().optional(),
});

const advantage = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("grpo"),
    ddof: z.union([z.literal(0), z.literal(1)]),
    epsilon: z.number().min(0),
    varianceFloor: z.number().min(0).optional(),
  }),
  z.strictObject({ kind: z.literal("dr_grpo") }),
  z.strictObject({ kind: z.literal("rloo") }),
  z.strictObject({
    kind: z.literal("gae"),
    level: z.enum(["token", "turn", "bilevel"]),
    gamma: z.number().min(0).max(1),
    lambda: z.number().min(0).max(1),
    turnGamma: z.number().min(0).max(1).optional(),
    whitening: whitening.optional(),
  }),
]);

const loss = z.strictObject({
  kind: z.enum(["sft", "ppo_clip", "gspo", "cispo", "decoupled"]),
  clipLow: z.number().optional(),
  clipHigh: z.number().optional(),
  dualClip: z.number().optional(),
  klPlacement: z.enum(["none", "reward", "loss"], {
    error: ({ input }) =>
      input === undefined
        ? undefined
        : 'expected one of "none"|"reward"|"loss", in one place, since KL in the reward and in the loss restrains twice',
  }),
  klEstimator: z.enum(["k1", "k2", "k3"]).optional(),
  klWeight: z.number().optional(),
  entropyWeight: z.number().optional(),
  valueWeight: z.number().optional(),
  valueClip: z.number().optional(),
});

const aggregation = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("token_mean") }),
  z.strictObject({ kind: z.literal("sequence_mean") }),
  z.strictObject({ kind: z.literal("sequence_sum_mean") }),
  z.strictObject({
    kind: z.literal("constant"),
    length: z.number().positive(),
    over: z.enum(["batch", "sequence"]),
  }),
]);

const shaping = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("potential"),
    weight: worth,
    farthest: worth.default(8),
  }),
  z.strictObject({
    kind: z.literal("plain"),
    signal: z.enum(["progress", "regret"]).default("progress"),
    weight: worth,
    farthest: worth.default(8),
  }),
]);

const reward = z.strictObject({
  success: worth.default(1),
  invalidTurn: z.number().min(-mostReward).max(0).default(0),
  scorer: z.string().min(1).optional(),
  part: z.string().min(1).optional(),
  shaping: shaping.optional(),
});

const algorithm = z.preprocess(
  (value) => (typeof value === "string" ? { preset: value } : value),
  z.strictObject({
    preset: z.enum(algorithmNames).default("grpo"),
    name: z.string().min(1).optional(),
    advantage: advantage.optional(),
    loss: loss.optional(),
    aggregation: aggregation.optional(),
    reward: reward.optional(),
    groupSize: count(10_000).optional(),
    flatGroups: z.enum(["keep", "drop"]).optional(),
    groupsPerUpdate: count(10_000).optional(),
    epochs: count(1000).optional(),
    miniBatches: count().optional(),
    learningRate: rate.optional(),
    schedule: schedule.optional(),
    keepShare: z.number().positive().max(1).optional(),
    temperature: z.number().min(0.01).max(100).optional(),
  }),
);

const budgets = z.strictObject({
  mix: jsonObject,
  disclosure: z.enum(disclosures).default("hidden"),
  terminalRule: z.enum(terminalRules).default("act"),
});

const evaluation = z.strictObject({
  tasks: count().default(50),
  samples: count(100_000).default(4),
  turnBudgets: z.array(turns).min(1).default([1, 2, 4, 8]),
  disclosures: z.array(z.enum(disclosures)).min(1).default(["hidden"]),
  every: whole(0).default(0),
});

const stop = z.strictObject({
  patience: whole(1).default(5),
  entropyBelow: z.number().positive().optional(),
  flatShareAbove: z.number().min(0).max(1).optional(),
  klAbove: z.number().positive().optional(),
});

/** The shape of a recipe as it is written: what is left out takes the defaults. */
export const recipeInputSchema = z.strictObject({
  schema: z.literal(recipeSchema).default(recipeSchema),
  name: z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u, "letters, digits, dots, dashes and underscores"),
  seed: whole(0).default(1),
  env,
  network: network.prefault({}),
  startFrom: z.string().min(1).optional(),
  warmStart: warmStart.optional(),
  algorithm: algorithm.optional(),
  budgets: budgets.optional(),
  length: z.strictObject({ updates: count(), sampledTokens: whole(1).optional() }).optional(),
  evaluation: evaluation.optional(),
  stop: stop.optional(),
  checkpointEvery: whole(0).default(20),
  keepRollouts: z.boolean().optional(),
});

/** A recipe as it is written, in JSON or in a module. */
export type RecipeInput = z.input<typeof recipeInputSchema>;

/** The same with every default filled in. */
export type ParsedRecipe = z.output<typeof recipeInputSchema>;
