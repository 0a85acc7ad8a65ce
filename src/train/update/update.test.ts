import fc from "fast-check";
import { expect, test } from "vitest";
import { createTableTrainer } from "../../../test/support/table-trainer.js";
import type { LossSpec, StopReason, TrainingRow, Trajectory, Turn } from "../../core/index.js";
import type { RecordedSequence } from "../episode-stream.js";
import type { PlayedEpisode, PlayedGroup } from "../play-groups.js";
import { createAlgorithm } from "../recipe/algorithms.js";
import type { AlgorithmRecipe, RewardRecipe } from "../recipe/recipe.js";
import { buildRows, selectLearnable } from "./build-rows.js";
import { runUpdate } from "./run-update.js";
import { measureGroups } from "./measure-groups.js";
import { recordReturns } from "./reward-group.js";
import { getTurnRewards } from "./turn-rewards.js";

const failed: StopReason = { type: "error", boundary: "env", errorClass: "exception", message: "gone" };
const plainReward: RewardRecipe = { success: 1, invalidTurn: -0.5 };

/** An episode of some turns with these numbers, and whether it succeeded. */
function record(
  success: boolean | undefined,
  turns: readonly Partial<Turn>[],
  changes: Partial<Trajectory> = {},
): Trajectory {
  return {
    schema: "turnwise.trajectory/1",
    episodeId: "e",
    task: { id: "t", hash: "h" },
    sampleIndex: 0,
    policy: { id: "p" },
    env: { id: "walk", version: "1" },
    budget: { maxTurns: 4 },
    disclosure: "hidden",
    terminalRule: "act",
    turns: turns.map((turn) => ({ observation: { text: "" }, action: { text: "" }, ...turn })),
    stopReason: { type: "max_turns" },
    ...(success === undefined ? {} : { success }),
    ...changes,
  };
}

/** Tokens of an episode: one observation token and one sampled token a turn. Ids differ between members. */
function tokens(turns: number, member = 0, logProb = -Math.LN2): RecordedSequence {
  const each = Array.from({ length: turns }, (_, turn) => turn);
  return {
    ids: each.flatMap(() => [0, 1 + (member % 2)]),
    actionMask: each.flatMap(() => [false, true]),
    allowed: each.flatMap(() => [undefined, [1, 2]]),
    sampledLogProbs: each.flatMap(() => [0, logProb]),
    turnIndex: each.flatMap((turn) => [turn - 1, turn]),
    sampledValues: each.flatMap(() => [0, 0]),
  };
}

function play(success: boolean | undefined, member = 0, changes: Partial<Trajectory> = {}): PlayedEpisode {
  return { trajectory: record(success, [{}, {}], changes), sequence: tokens(2, member) };
}

/** A group per text: 1 succeeded, 0 failed, e ended in an error, ? has no outcome. */
function playGroups(...texts: readonly string[]): PlayedGroup[] {
  const outcomes: { readonly [letter: string]: boolean | undefined } = { 1: true, 0: false };
  return texts.map((text, index) => ({
    row: {
      update: 0,
      group: `g${index}`,
      taskId: "t",
      taskHash: "h",
      maxTurns: 4,
      envSeed: 1,
      samplingSeeds: Array.from(text, (_, member) => member),
    },
    episodes: Array.from(text, (letter, member) =>
      play(outcomes[letter], member, letter === "e" ? { stopReason: failed } : {}),
    ),
  }));
}

const grpo = createAlgorithm("grpo");

test("getTurnRewards() places success on the last turn and penalties where they were earned", () => {
  const turns = [{ flags: { invalid: true as const } }, { flags: { unknownTool: true as const } }, {}];
  expect(getTurnRewards(record(true, turns), plainReward)).toEqual({ rewards: [-0.5, -0.5, 1] });
  expect(getTurnRewards(record(false, turns), plainReward)).toEqual({ rewards: [-0.5, -0.5, 0] });
});

test.each([
  { name: "without an outcome", trajectory: record(undefined, [{}]) },
  { name: "that took no turn", trajectory: record(false, []) },
  { name: "that ended in an error", trajectory: record(true, [{}], { stopReason: failed }) },
])("getTurnRewards() says nothing of an episode $name", ({ trajectory }) => {
  expect(getTurnRewards(trajectory, plainReward)).toBeUndefined();
});

test.each([
  { value: 0.25, rewards: [0, 0.5] },
  { value: true, rewards: [0, 2] },
  { value: false, rewards: [0, 0] },
  { value: "good", rewards: undefined },
  { value: { $number: "NaN" as const }, rewards: undefined },
  { value: undefined, rewards: undefined },
])("getTurnRewards() takes a scorer's part $value as the outcome", ({ value, rewards }) => {
  const scores: Trajectory["scores"] = value === undefined ? {} : { style: value };
  const reward = { success: 2, invalidTurn: 0, part: "style" };
  expect(getTurnRewards(record(undefined, [{}, {}], { scores }), reward)?.rewards).toEqual(rewards);
});

const potential: RewardRecipe = { ...plainReward, shaping: { kind: "potential", weight: 0.1, farthest: 5 } };
const progress: RewardRecipe = {
  ...plainReward,
  shaping: { kind: "plain", signal: "progress", weight: 0.1, farthest: 5 },
};
const walked = [
  { distanceBefore: 3, distanceAfter: 2 },
  { distanceBefore: 2, distanceAfter: { $number: "Infinity" as const } },
  {},
];

test("getTurnRewards() adds the progress of each turn, a hopeless state counts as farthest", () => {
  const found = getTurnRewards(record(false, walked), progress);
  expect(found?.rewards.map((value) => Number(value.toFixed(6)))).toEqual([0.1, -0.3, 0]);
  expect(found?.signal).toBeCloseTo(-2);
});

test("getTurnRewards() adds minus the regret of each turn that states one", () => {
  const reward: RewardRecipe = { ...plainReward, shaping: { kind: "plain", signal: "regret", weight: 2, farthest: 5 } };
  const found = getTurnRewards(record(true, [{ regret: 0.25 }, {}]), reward);
  expect(found).toEqual({ rewards: [-0.5, 1], signal: -0.25 });
});

test("getTurnRewards() adds the same sum to every episode of a group when it shapes by a potential", () => {
  const distance = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant({ $number: "Infinity" as const }));
  fc.assert(
    fc.property(fc.array(distance, { minLength: 1, maxLength: 6 }), fc.boolean(), (after, isQuitting) => {
      const turns = after.map((distanceAfter, index) => ({
        distanceBefore: index === 0 ? 3 : after[index - 1],
        distanceAfter,
      }));
      const all = isQuitting ? [...turns, {}] : turns;
      const rewards = getTurnRewards(record(false, all), potential)?.rewards ?? [];
      expect(rewards.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0.3, 9);
    }),
  );
  const atOnce = getTurnRewards(record(false, [{}]), potential, { startDistance: 3 });
  expect(atOnce?.rewards[0]).toBeCloseTo(0.3);
});

test("getTurnRewards() leaves an episode as it is where the env tells no distance", () => {
  expect(getTurnRewards(record(true, [{}]), progress)).toEqual({ rewards: [1] });
  expect(getTurnRewards(record(true, [{}]), potential)).toEqual({ rewards: [1] });
});

test("recordReturns() states what was learnt from beside what the env gave, and nothing for what was not judged", () => {
  const [group] = playGroups("10e");
  const rewarded = {
    ...group,
    episodes: group.episodes.map(({ trajectory, ...rest }) => ({
      ...rest,
      trajectory: { ...trajectory, turns: trajectory.turns.map((turn) => ({ ...turn, reward: -0.1 })) },
    })),
  };
  const recorded = recordReturns(rewarded, { ...grpo, reward: { success: 2, invalidTurn: 0 } });
  expect(recorded.map(({ episodeReturn }) => episodeReturn)).toEqual([2, 0, undefined]);
  expect(recorded.map(({ turns }) => turns)).toEqual(rewarded.episodes.map(({ trajectory }) => trajectory.turns));
});

test("selectLearnable() leaves out what cannot be judged, and groups that are too small then", () => {
  const { episodes, unusable, droppedGroups } = selectLearnable(playGroups("10e?", "1eee", "00"), grpo, 2);
  expect(episodes.map(({ group, episodeReturn }) => [group, episodeReturn])).toEqual([
    ["g0", 1],
    ["g0", 0],
    ["g2", 0],
    ["g2", 0],
  ]);
  expect([unusable, droppedGroups]).toEqual([5, 1]);
});

test("selectLearnable() leaves out episodes in which nothing was sampled", () => {
  const [group] = playGroups("11");
  const [first, second] = group.episodes;
  const bare = { ...group, episodes: [{ trajectory: first.trajectory }, second] };
  expect(selectLearnable([bare], grpo, 1)).toMatchObject({ episodes: [{ group: "g0" }], unusable: 1 });
});

function build(
  texts: readonly string[],
  changes: Partial<AlgorithmRecipe>,
  references?: Parameters<typeof buildRows>[2],
) {
  const algorithm = { ...grpo, ...changes };
  return buildRows(selectLearnable(playGroups(...texts), algorithm, 2).episodes, algorithm, references);
}

test.each([
  { advantage: { kind: "grpo", ddof: 1, epsilon: 0 } as const, expected: [0.866, -0.866, 0.866, -0.866] },
  { advantage: { kind: "grpo", ddof: 0, epsilon: 0 } as const, expected: [1, -1, 1, -1] },
  { advantage: { kind: "dr_grpo" } as const, expected: [0.5, -0.5, 0.5, -0.5] },
  { advantage: { kind: "rloo" } as const, expected: [0.667, -0.667, 0.667, -0.667] },
])("buildRows() puts the advantage of $advantage.kind on every sampled token", ({ advantage, expected }) => {
  const rows = build(["1010", "11"], { advantage });
  const [first] = rows;
  expect(rows.slice(0, 4).map(({ advantages }) => Number(advantages[1].toFixed(3)))).toEqual(expected);
  expect(first.advantages).toEqual([0, first.advantages[1], 0, first.advantages[1]]);
  expect(rows.slice(4).flatMap(({ advantages }) => advantages)).toEqual(Array.from({ length: 8 }, () => 0));
  expect(rows).toHaveLength(6);
});

test.each([
  { level: "token" as const, advantages: [0, 0.25, 0, 1], returns: [0, 0.25, 0, 1] },
  { level: "turn" as const, advantages: [0, 0.25, 0, 1], returns: [0, 0.25, 0, 1] },
  { level: "bilevel" as const, turnGamma: 0.5, advantages: [0, 0.25, 0, 1], returns: undefined },
])("buildRows() gives each token its own advantage by $level-level gae", ({ advantages, returns, ...level }) => {
  const rows = build(["10"], { advantage: { kind: "gae", gamma: 0.5, lambda: 0.5, ...level } });
  expect(rows[0].advantages[3]).toBe(1);
  expect(rows[0].advantages[1]).toBe(advantages[1]);
  if (returns !== undefined) expect(rows[0].returns).toEqual(returns);
  expect(rows[0].oldValues).toEqual([0, 0, 0, 0]);
  expect(rows[1].advantages).toEqual([0, 0, 0, 0]);
});

test("buildRows() drops flat groups only where the recipe says so", () => {
  expect(build(["11", "10"], { flatGroups: "keep" })).toHaveLength(4);
  const dropped = build(["11", "10"], { flatGroups: "drop" });
  expect(dropped.map(({ advantages }) => Math.sign(advantages[1]))).toEqual([1, -1]);
});

const inLoss: LossSpec = { ...grpo.loss, klPlacement: "loss", klEstimator: "k3", klWeight: 0.1 };
const inReward: LossSpec = { ...inLoss, klPlacement: "reward", klEstimator: "k1" };
const scoreAs = (...logProbs: readonly number[]) =>
  logProbs.map((logProb) => ({ logProbs: [0, logProb, 0, logProb], entropies: [0, 0, 0, 0] }));

test("buildRows() places KL in the loss as the reference's scores, in the reward as a penalty of the return", () => {
  const scores = scoreAs(-1, -2);
  expect(build(["10"], { loss: inLoss }, scores).map(({ referenceLogProbs }) => referenceLogProbs)).toEqual(
    scores.map(({ logProbs }) => logProbs),
  );
  const rows = build(["11"], { loss: inReward, advantage: { kind: "dr_grpo" } }, scores);
  // The second strays from its reference by 2 x 1 nats more: its return is 0.2 lower.
  expect(rows.map(({ advantages }) => Number(advantages[1].toFixed(6)))).toEqual([0.1, -0.1]);
  expect(rows[0].referenceLogProbs).toBeUndefined();
  expect(() => build(["10"], { loss: inLoss })).toThrow("Cannot place KL in the loss without the reference");
});

/** A reference that is the table itself, so that scores are those at sampling. */
function makeTrainer(seen: TrainingRow[][] = []) {
  return createTableTrainer({ vocabularySize: 3, onUpdate: (rows) => void seen.push([...rows]) });
}
const options = { learningRate: 0.01, hasReference: false, seed: 1 };

test("runUpdate() learns: the first step's ratio is 1, and what succeeded becomes likelier", async () => {
  const trainer = makeTrainer();
  const sequence = tokens(2);
  const [before] = await trainer.score([sequence]);
  const report = await runUpdate(playGroups("10", "10"), { ...options, trainer, algorithm: grpo });
  expect(report.steps).toHaveLength(1);
  expect(report.steps[0].maxRatioError).toBeLessThan(1e-12);
  const [after] = await trainer.score([sequence]);
  expect(after.logProbs[1]).toBeGreaterThan(before.logProbs[1]);
  expect(report).toMatchObject({
    meanReturn: 0.5,
    comparedGroups: 2,
    flatGroups: 0,
    droppedGroups: 0,
    filteredGroups: 0,
  });
  expect(report.measures).toMatchObject({ successRate: 0.5, meanTurns: 2, sampledTokens: 8, unjudged: 0 });
});

test("runUpdate() takes no step when nothing is to be learnt, and one where the loss has another term", async () => {
  const seen: TrainingRow[][] = [];
  const trainer = makeTrainer(seen);
  const flat = playGroups("11", "00");
  expect((await runUpdate(flat, { ...options, trainer, algorithm: grpo })).steps).toEqual([]);
  expect((await runUpdate(playGroups("ee", "?e"), { ...options, trainer, algorithm: grpo })).steps).toEqual([]);
  expect(seen).toEqual([]);
  await trainer.freezeReference();
  const kl = await runUpdate(flat, { ...options, trainer, algorithm: { ...grpo, loss: inLoss }, hasReference: true });
  expect(kl.steps).toHaveLength(1);
  expect(kl.referenceKl).toBeCloseTo(0, 12);
});

test("runUpdate() says nothing of means where no episode was judged", async () => {
  const report = await runUpdate(playGroups("ee"), { ...options, trainer: makeTrainer(), algorithm: grpo });
  expect(report.meanReturn).toBeUndefined();
  expect(report.measures).toMatchObject({ episodes: 2, unjudged: 2, successByBudget: [] });
  expect(report.measures.successRate).toBeUndefined();
});

test.each([
  { name: "too large for single precision", worth: 1e13, says: "return 10000000000000" },
  { name: "infinite", worth: Infinity, says: "return Infinity" },
  { name: "no number", worth: NaN, says: "return NaN" },
])("runUpdate() refuses a return that is $name, in place of learning nothing from it", async ({ worth, says }) => {
  const algorithm = { ...grpo, reward: { success: worth, invalidTurn: 0 } };
  const seen: TrainingRow[][] = [];
  await expect(
    runUpdate(playGroups("11", "10"), { ...options, trainer: makeTrainer(seen), algorithm }),
  ).rejects.toMatchObject({
    kind: "input",
    message: expect.stringContaining(`group "g0": an episode of it has ${says}`) as unknown,
  });
  expect(seen).toEqual([]);
});

test("runUpdate() keeps the groups whose returns spread most (StarPO-S)", async () => {
  const seen: TrainingRow[][] = [];
  const algorithm = createAlgorithm("starpo_s", { keepShare: 0.5 });
  const groups = playGroups("1000", "1100", "1111", "1110");
  const report = await runUpdate(groups, { ...options, trainer: makeTrainer(seen), algorithm });
  expect(report.filteredGroups).toBe(2);
  // What was played, not what the filter left: else a collapse would never show.
  expect(report).toMatchObject({ comparedGroups: 4, flatGroups: 1 });
  expect(seen[0]).toHaveLength(8);
  const positives = seen[0].filter(({ advantages }) => advantages[1] > 0).length;
  expect(positives).toBe(3); // of 1100, and of the first of those that tie behind it, 1000
});

test("runUpdate() cuts each epoch into mini-batches that hold every row once, weighed by themselves", async () => {
  const seen: TrainingRow[][] = [];
  const algorithm = { ...grpo, epochs: 2, miniBatches: 2 };
  const { steps } = await runUpdate(playGroups("1010", "1000"), { ...options, trainer: makeTrainer(seen), algorithm });
  expect(steps).toHaveLength(4);
  expect(seen.map((rows) => rows.length)).toEqual([4, 4, 4, 4]);
  for (const rows of seen) {
    expect(rows.flatMap(({ weights }) => weights).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
  }
  const sum = (batches: readonly TrainingRow[][]): number =>
    batches.flat().reduce((total, { advantages }) => total + advantages[1], 0);
  expect(sum(seen.slice(0, 2))).toBeCloseTo(sum(seen.slice(2)), 9);
});

test("runUpdate() measures KL over all episodes, also those of flat groups that are dropped", async () => {
  const trainer = makeTrainer();
  await trainer.freezeReference();
  const groups = playGroups("11", "10");
  const strayed = groups.map((group, index) => ({
    ...group,
    episodes: group.episodes.map((episode, member) => ({
      ...episode,
      sequence: tokens(2, member, index === 0 ? -0.1 : -Math.LN2),
    })),
  }));
  const algorithm: AlgorithmRecipe = { ...grpo, flatGroups: "drop" };
  const report = await runUpdate(strayed, { ...options, trainer, algorithm, hasReference: true });
  expect(report.referenceKl).toBeCloseTo((Math.LN2 - 0.1) / 2, 9);
});

test("runUpdate() counts groups of equal returns, though a KL penalty tells their episodes apart", async () => {
  const trainer = makeTrainer();
  await trainer.freezeReference();
  const [group] = playGroups("11");
  const strayed = {
    ...group,
    episodes: group.episodes.map((episode, member) => ({ ...episode, sequence: tokens(2, member, -0.1 - member) })),
  };
  const report = await runUpdate([strayed], {
    ...options,
    trainer,
    algorithm: { ...grpo, loss: inReward },
    hasReference: true,
  });
  expect(report).toMatchObject({ comparedGroups: 1, flatGroups: 1 });
  expect(report.steps).toHaveLength(1);
});

test("runUpdate() gives the decoupled loss the scores of the weights that are about to learn", async () => {
  const seen: TrainingRow[][] = [];
  const algorithm: AlgorithmRecipe = { ...grpo, loss: { ...grpo.loss, kind: "decoupled" } };
  const { steps } = await runUpdate(playGroups("10"), { ...options, trainer: makeTrainer(seen), algorithm });
  expect(steps).toHaveLength(1);
  expect(seen[0][0].proximalLogProbs?.[1]).toBeCloseTo(-Math.LN2, 12);
});

test("runUpdate() tells signal and outcome of each episode it shaped", async () => {
  const algorithm = { ...grpo, reward: progress };
  const [group] = playGroups("10");
  const shaped = {
    ...group,
    episodes: group.episodes.map(({ trajectory, sequence }) => ({
      trajectory: { ...trajectory, turns: trajectory.turns.map((turn, i) => ({ ...turn, ...walked[i] })) },
      sequence,
    })),
  };
  const report = await runUpdate([shaped], { ...options, trainer: makeTrainer(), algorithm });
  expect(report.signals).toEqual([
    { signal: -2, success: true },
    { signal: -2, success: false },
  ]);
});

test("measureGroups() counts copies that chance does not explain, not the ones it does", () => {
  const [group] = playGroups("1111");
  const copies = (logProb: number) => ({
    ...group,
    episodes: group.episodes.map(({ trajectory }) => ({ trajectory, sequence: tokens(2, 0, logProb) })),
  });
  expect(measureGroups([copies(-0.1)]).duplicateShare).toBe(0); // each is sampled with probability .82
  expect(measureGroups([copies(-3)]).duplicateShare).toBe(1); // .0025
  expect(measureGroups([group]).duplicateShare).toBe(0);
});
