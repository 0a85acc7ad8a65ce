import { expect, test } from "vitest";
import { algorithmNames, createAlgorithm } from "./algorithms.js";
import { checkRecipe, defineRecipe, readRecipe, type TrainRecipeInput } from "./read-recipe.js";

const fixed = { mix: { type: "fixed", budgets: [2, 4] } };
const base: TrainRecipeInput = { name: "first", env: "vault", warmStart: {} };
const full: TrainRecipeInput = { ...base, algorithm: {}, budgets: fixed, length: { updates: 10 } };

test("readRecipe() fills in every default, so that the record leaves nothing out", () => {
  expect(readRecipe(full)).toEqual({
    schema: "turnwise-recipe/1",
    name: "first",
    seed: 1,
    env: { id: "vault", level: 1, trainTasks: 256, taskSeed: 1 },
    network: { width: 64, layers: 2, heads: 4, contextLength: 256 },
    warmStart: {
      policy: "base",
      episodes: 1024,
      turnBudgets: [8],
      disclosures: ["hidden", "static"],
      keep: "all",
      updates: 150,
      batchSize: 32,
      learningRate: 0.002,
      schedule: { kind: "cosine", warmUpdates: 5, endShare: 0.1 },
    },
    algorithm: {
      name: "grpo",
      advantage: { kind: "grpo", ddof: 1, epsilon: 1e-6 },
      loss: { kind: "ppo_clip", clipLow: 0.2, clipHigh: 0.2, klPlacement: "none" },
      aggregation: { kind: "token_mean" },
      reward: { success: 1, invalidTurn: 0 },
      groupSize: 8,
      flatGroups: "keep",
      groupsPerUpdate: 8,
      epochs: 1,
      miniBatches: 1,
      learningRate: 0.001,
      schedule: { kind: "constant", warmUpdates: 0, endShare: 1 },
      keepShare: 1,
      temperature: 1,
    },
    budgets: { ...fixed, disclosure: "hidden", terminalRule: "act" },
    length: { updates: 10 },
    checkpointEvery: 20,
  });
});

test("a recipe that was read is one that can be read again, after a way through JSON", () => {
  const recipe = readRecipe({ ...full, evaluation: {}, stop: { entropyBelow: 0.1 }, keepRollouts: true });
  const { algorithm, ...rest } = JSON.parse(JSON.stringify(recipe)) as typeof recipe;
  expect(readRecipe({ ...rest, algorithm: { ...algorithm, preset: "grpo" } })).toEqual(recipe);
});

test("the preset of DAPO clips higher, takes the token mean and leaves flat groups out; GRPO keeps them", () => {
  expect(createAlgorithm("dapo")).toMatchObject({
    loss: { clipLow: 0.2, clipHigh: 0.28 },
    aggregation: { kind: "token_mean" },
    flatGroups: "drop",
  });
  expect(createAlgorithm("grpo").flatGroups).toBe("keep");
});

test.each(algorithmNames)("preset %s can be trained as it is", (preset) => {
  const recipe = defineRecipe({ ...full, algorithm: preset });
  expect(checkRecipe(recipe)).toEqual([]);
  expect(recipe.algorithm).toEqual(createAlgorithm(preset));
});

const changed = (changes: object): unknown => ({ ...full, ...changes });
const algorithm = (changes: object): unknown => changed({ algorithm: changes });
const clip = { kind: "ppo_clip", clipLow: 0.2, clipHigh: 0.2 };

test.each<{ name: string; input: unknown; reason: string }>([
  { name: "no recipe", input: 3, reason: "expected object" },
  { name: "a key nobody knows", input: changed({ learning_rate: 1 }), reason: '"learning_rate"' },
  { name: "a key nobody knows inside", input: changed({ warmStart: { epochs: 2 } }), reason: "warmStart" },
  { name: "another version", input: changed({ schema: "turnwise-recipe/9" }), reason: "schema" },
  { name: "a name that is no file name", input: changed({ name: "../up" }), reason: "letters, digits" },
  { name: "nothing to train", input: { name: "x", env: "vault" }, reason: "nothing to train" },
  {
    name: "random weights to reinforce",
    input: changed({ warmStart: undefined }),
    reason: "reinforces a network of random weights",
  },
  {
    name: "heads that do not divide",
    input: changed({ network: { width: 50 } }),
    reason: "width 50 is not a multiple of network.heads 4",
  },
  { name: "a network that is too wide", input: changed({ network: { width: 512 } }), reason: "network.width" },
  { name: "no budgets", input: changed({ budgets: undefined }), reason: "algorithm needs budgets" },
  { name: "no length", input: changed({ length: undefined }), reason: "algorithm needs length" },
  { name: "budgets for nobody", input: { ...base, budgets: fixed }, reason: "budgets are given without an algorithm" },
  {
    name: "a length for nobody",
    input: { ...base, length: { updates: 3 } },
    reason: "length is given without an algorithm",
  },
  { name: "stop signs for nobody", input: { ...base, stop: {} }, reason: "stop is given without an algorithm" },
  { name: "rollouts of nobody", input: { ...base, keepRollouts: true }, reason: "keepRollouts is given without" },
  {
    name: "a closing answer",
    input: changed({ budgets: { ...fixed, terminalRule: "answer_only" } }),
    reason: "no action that could be reinforced",
  },
  {
    name: "fewer demonstrations than a batch",
    input: changed({ warmStart: { episodes: 16 } }),
    reason: "batchSize 32 is more than its 16 episodes",
  },
  { name: "a group of one", input: algorithm({ groupSize: 1 }), reason: "groups must have at least 2 episodes" },
  {
    name: "mini-batches that do not divide",
    input: algorithm({ groupsPerUpdate: 3, groupSize: 3, miniBatches: 2 }),
    reason: "3 x 3 = 9 episodes, which 2 mini-batches do not divide",
  },
  {
    name: "a loss without its bounds",
    input: algorithm({ loss: { kind: "ppo_clip", klPlacement: "none" } }),
    reason: "needs clipLow",
  },
  {
    name: "KL without an estimator",
    input: algorithm({ loss: { ...clip, klPlacement: "loss", klWeight: 0.1 } }),
    reason: "needs klEstimator",
  },
  {
    name: "a KL weight that is placed nowhere",
    input: algorithm({ loss: { ...clip, klPlacement: "none", klWeight: 0.1 } }),
    reason: 'klPlacement is "none"',
  },
  {
    name: "KL in two places",
    input: algorithm({ loss: { ...clip, klPlacement: "both" } }),
    reason: "since KL in the reward and in the loss restrains twice",
  },
  {
    name: "supervised reinforcement",
    input: algorithm({ loss: { kind: "sft", klPlacement: "none" } }),
    reason: "use warmStart",
  },
  {
    name: "a value part without a value head",
    input: algorithm({ loss: { ...clip, klPlacement: "none", valueWeight: 0.5 } }),
    reason: "grpo uses no value head",
  },
  {
    name: "gae without a value head",
    input: { ...full, network: { valueHead: false }, algorithm: "ppo" },
    reason: "network.valueHead is false",
  },
  {
    name: "gae whose values are not learnt",
    input: algorithm({ preset: "ppo", loss: { ...clip, klPlacement: "none" } }),
    reason: "needs a value head that learns",
  },
  {
    name: "a part of no scorer",
    input: algorithm({ reward: { part: "style" } }),
    reason: "give reward.scorer",
  },
  {
    name: "a potential that groups subtract again",
    input: algorithm({ reward: { shaping: { kind: "potential", weight: 0.1 } } }),
    reason: "adds the same to every episode of a group",
  },
  {
    name: "a potential discounted otherwise than its tokens",
    input: algorithm({
      preset: "ppo",
      advantage: { kind: "gae", level: "token", gamma: 0.99, lambda: 0.95 },
      reward: { shaping: { kind: "potential", weight: 0.1 } },
    }),
    reason: "use gamma 1 or another level",
  },
  {
    name: "a turn budget twice",
    input: changed({ evaluation: { turnBudgets: [2, 4, 2] } }),
    reason: "evaluation.turnBudgets has 2 twice",
  },
  {
    name: "a disclosure twice",
    input: changed({ evaluation: { disclosures: ["hidden", "hidden"] } }),
    reason: "evaluation.disclosures has hidden twice",
  },
  {
    name: "a misspelt key, naming those there are",
    input: changed({ budgets: { ...fixed, disclose: "static" } }),
    reason: 'budgets: it has no "disclose", only mix, disclosure, terminalRule',
  },
  {
    name: "a key of another kind, naming those of this one",
    input: algorithm({ advantage: { kind: "rloo", ddof: 1 } }),
    reason: 'algorithm.advantage: it has no "ddof", only kind',
  },
  {
    name: "a value that is no choice, naming it and the choices",
    input: algorithm({ advantage: { kind: "grpo", ddof: 2, epsilon: 0 } }),
    reason: "algorithm.advantage.ddof: expected 0 or 1, found 2",
  },
  {
    name: "no number",
    input: algorithm({ learningRate: NaN }),
    reason: "learningRate: expected number, found NaN",
  },
  {
    name: "what is left out",
    input: { warmStart: {} },
    reason: "name: expected string, found nothing",
  },
  {
    name: "more updates than any run has",
    input: changed({ length: { updates: 1e12 } }),
    reason: "found 1000000000000",
  },
  {
    name: "more tasks than can be made",
    input: changed({ env: { id: "vault", trainTasks: 1e15 } }),
    reason: "env.trainTasks",
  },
  {
    name: "more turns than any agent plays",
    input: changed({ warmStart: { turnBudgets: [1e9] } }),
    reason: "warmStart.turnBudgets.0: Too big: expected number to be <=100000, found 1000000000",
  },
  {
    name: "a reward that single precision cannot square",
    input: algorithm({ reward: { success: 1e300 } }),
    reason: "algorithm.reward.success: Too big",
  },
  {
    name: "a temperature that leaves no number",
    input: algorithm({ temperature: 1e-300 }),
    reason: "algorithm.temperature",
  },
  { name: "a preset nobody knows", input: algorithm({ preset: "grp" }), reason: "algorithm.preset" },
])("readRecipe() refuses $name", ({ input, reason }) => {
  expect(() => readRecipe(input, '"own.json"')).toThrow('Cannot train by "own.json": ');
  expect(() => readRecipe(input)).toThrow(reason);
});

test("readRecipe() tells every reason at once", () => {
  expect(() => readRecipe(changed({ network: { width: 50 }, length: undefined }))).toThrow(
    /width 50 .*; .*algorithm needs length/,
  );
});

test("readRecipe() takes shaping that fits, and a group of one where a value head is the baseline", () => {
  const shaping = { kind: "potential", weight: 0.1 };
  const recipe = readRecipe(algorithm({ preset: "ppo", groupSize: 1, reward: { shaping } }));
  expect(recipe.algorithm?.reward).toEqual({ success: 1, invalidTurn: 0, shaping: { ...shaping, farthest: 8 } });
  const plain = readRecipe(algorithm({ reward: { shaping: { kind: "plain", weight: 0.1 } } }));
  expect(plain.algorithm?.reward.shaping).toEqual({ kind: "plain", signal: "progress", weight: 0.1, farthest: 8 });
});
