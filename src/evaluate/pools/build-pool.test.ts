import { expect, test } from "vitest";
import { createCounterEnv, createCounterTasks, createListPolicy } from "../../../test/support/tiny.js";
import { createRandom, type Action, type Env, type Policy, type Task, type Trajectory } from "../../core/index.js";
import { createFrozenLakeEnv, createSokobanEnv } from "../../envs/index.js";
import { createScriptedPreset } from "../../policies/index.js";
import { createMemoryStore, planEpisodes, runEpisode, runEpisodes } from "../../rollout/index.js";
import { buildErrorPool, type BuildPoolOptions } from "./build-pool.js";
import { injectErrors } from "./inject-errors.js";
import { judgeTurn } from "./label-error.js";
import type { PoolSource } from "./pool-source.js";

const env = createCounterEnv({ goal: 4 });
const tasks = createCounterTasks(3);
const byHash = (list: readonly Task[]) => new Map(list.map((task) => [task.hash, task]));
const toSource = (episodes: readonly Trajectory[], name = "run"): PoolSource => ({
  name,
  tasks: byHash(tasks),
  read: () => episodes,
});

function play(texts: readonly string[], id: string, sampleIndex = 0, maxTurns = 12): Promise<Trajectory[]> {
  const policy = createListPolicy(texts, id);
  return Promise.all(tasks.map((task) => runEpisode(env, policy, task, { budget: { maxTurns }, sampleIndex })));
}

test("buildErrorPool() of a policy with injected errors holds exactly the injected prefixes", async () => {
  const script = ["up", "up", "down", "up"];
  const pool = await buildErrorPool(env, [toSource(await play(script, "scripted"))], { statesPerTask: 0 });
  expect(pool.prefixes).toHaveLength(3);
  for (const prefix of pool.prefixes) {
    expect(prefix).toMatchObject({
      turnIndex: 2,
      label: "setback",
      evidence: "distance",
      bestDistance: 2,
      distanceAfter: 3,
      remainingTurns: 9,
      slack: 6,
    });
    expect([...prefix.before.turns, prefix.error.turn].map((turn) => turn.action.text)).toEqual(["up", "up", "down"]);
    expect([prefix.before.observation.text, prefix.error.observation.text]).toEqual(["2", "1"]);
    expect(prefix.clean).toBeUndefined(); // the counter env has no oracle
  }
  expect(pool.card).toMatchObject({
    labels: { setback: 3 },
    slack: { "6+": 3 },
    restore: "state",
    taskCount: 3,
    controlCount: 0,
  });
});

test("buildErrorPool() takes successful episodes too, the first error of each, and labels it", async () => {
  const episodes = [
    ...(await play(["up", "what", "down", "up"], "a")), // solved in the end; the first error is the unreadable action
    ...(await play(["up", "up", "up", "up"], "b")), // no error
    ...(await play(["quit"], "c")), // quitting is no error
  ];
  const { prefixes, card } = await buildErrorPool(env, [toSource(episodes)], { statesPerTask: 0 });
  expect(prefixes.map((prefix) => [prefix.producer, prefix.turnIndex, prefix.label])).toEqual(
    Array(3).fill(["a", 1, "invalid"]),
  );
  expect(card.excluded.withoutError).toBe(6);
  expect(card.producers.map(({ id, episodesWithError, errorRate }) => [id, episodesWithError, errorRate])).toEqual([
    ["a", 3, 2 / 7],
    ["b", 0, 0],
    ["c", 0, undefined],
  ]);
  expect(card.notes.join()).toContain("one producer");
});

test("buildErrorPool() gives the same pool and hash whatever order episodes are read in", async () => {
  const episodes: Trajectory[] = [];
  for (let sample = 0; sample < 6; sample += 1) {
    episodes.push(...(await play(["up", ...Array<string>(sample % 3).fill("up"), "down", "up"], "a", sample)));
    episodes.push(...(await play(["down", "up"], "b", sample)));
  }
  const options: BuildPoolOptions = { perTask: 2, statesPerTask: 2 };
  const first = await buildErrorPool(env, [toSource(episodes)], options);
  const second = await buildErrorPool(env, [toSource(createRandom(4).shuffle(episodes))], options);
  expect(second).toEqual({ ...first, card: { ...second.card } });
  expect(second.card.poolHash).toBe(first.card.poolHash);
  expect(first.card.excluded.overCap).toBe(6 * 3 * 2 - 2 * 3 * 2);
  expect((await buildErrorPool(env, [toSource(episodes)], { ...options, seed: 2 })).card.poolHash).not.toBe(
    first.card.poolHash,
  );
});

test("buildErrorPool() cuts producers to the number of the smallest, over as many tasks as possible", async () => {
  const many = [...(await play(["down", "up"], "many")), ...(await play(["down", "up"], "many", 1))];
  const [few] = await play(["down", "up"], "few");
  const pool = await buildErrorPool(env, [toSource([...many, few])], { statesPerTask: 0 });
  expect(pool.card.producers.map((producer) => producer.prefixes)).toEqual([1, 1]);
  expect(pool.card.excluded.overBalance).toBe(5);
  const loose = await buildErrorPool(env, [toSource([...many, few])], { statesPerTask: 0, isBalanced: false });
  expect(loose.card.producers.map((producer) => producer.prefixes)).toEqual([1, 6]);
});

test("buildErrorPool() leaves out prefixes with too few turns left, and those that cannot be played again", async () => {
  const tight = await play(["up", "down", "up"], "a", 0, 5);
  await expect(buildErrorPool(env, [toSource(tight)])).rejects.toThrow("3 have too few turns left");
  const changed = await play(["up", "down", "up"], "a");
  const [first, ...others] = changed;
  const turns = first.turns.map((turn, index) => (index === 1 ? { ...turn, observation: { text: "another" } } : turn));
  const pool = await buildErrorPool(env, [toSource([{ ...first, turns }, ...others])], { statesPerTask: 0 });
  expect([pool.prefixes.length, pool.card.excluded.diverged]).toEqual([2, 1]);
});

test("buildErrorPool() draws visited states that say whether the producer erred there", async () => {
  const pool = await buildErrorPool(env, [toSource(await play(["up", "down", "up"], "a"))], { statesPerTask: 3 });
  expect(pool.visited).toHaveLength(9);
  for (const { turnIndex, isError, before } of pool.visited) {
    expect([before.turns.length, isError]).toEqual([turnIndex, turnIndex === 1]);
  }
});

test("buildErrorPool() takes no judge's word that giving up is an error, and says how often it came", async () => {
  const episodes = [...(await play(["up", "quit"], "a")), ...(await play(["down", "quit"], "a", 1))];
  const judge = {
    id: "rule",
    sensitivity: 0.8,
    specificity: 0.9,
    checkedCount: 40,
    findError: ({ turns, sampleIndex }: Trajectory) => (sampleIndex === 0 ? turns.length - 1 : 0),
  };
  const { card } = await buildErrorPool(env, [toSource(episodes)], { judge });
  expect(card.excluded).toMatchObject({ diverged: 0, withoutError: 3 });
  expect(card.notes.join()).toContain("In 3 episodes the rule names giving up as the first error");
});

test("buildErrorPool() takes a judge's word and carries its error rates along", async () => {
  const judge = { id: "rule", sensitivity: 0.8, specificity: 0.9, checkedCount: 40, findError: () => 1 };
  const pool = await buildErrorPool(env, [toSource(await play(["up"], "a"))], { judge });
  expect(pool.prefixes.map((prefix) => [prefix.label, prefix.turnIndex])).toEqual(Array(3).fill(["judged", 1]));
  expect(pool.card.judge).toEqual({ id: "rule", sensitivity: 0.8, specificity: 0.9, checkedCount: 40 });
  await expect(buildErrorPool(env, [toSource([])], { judge: { ...judge, sensitivity: 0 } })).rejects.toThrow(
    "sensitivity must be in (0, 1]",
  );
});

test.each<{ name: string; change: (episode: Trajectory) => Trajectory; message: string }>([
  {
    name: "another env version",
    change: (e) => ({ ...e, env: { id: "counter", version: "0" } }),
    message: 'played in env "counter" 0',
  },
  {
    name: "an unknown task",
    change: (e) => ({ ...e, task: { id: "x", hash: "y" } }),
    message: 'content of task "x" is not known',
  },
  {
    name: "turns that tell no error",
    change: (e) => ({ ...e, turns: e.turns.map(({ observation, action }) => ({ observation, action })) }),
    message: '"distanceBefore"',
  },
])("buildErrorPool() refuses $name", async ({ change, message }) => {
  const episodes = (await play(["down", "up"], "a")).map(change);
  await expect(buildErrorPool(env, [toSource(episodes)])).rejects.toThrow(message);
});
test("buildErrorPool() refuses runs without episodes", async () => {
  await expect(buildErrorPool(env, [toSource([])])).rejects.toThrow("the runs hold no episodes");
});

async function playIn(
  world: Env,
  policies: readonly Policy[],
  list: readonly Task[],
  maxTurns: number,
): Promise<Trajectory[]> {
  const store = createMemoryStore();
  const plan = planEpisodes({
    policyIds: policies.map((p) => p.id),
    tasks: list,
    sampleCount: 3,
    turnBudgets: [maxTurns],
    disclosure: "hidden",
    terminalRule: "act",
    seed: 3,
  });
  await runEpisodes(world, policies, plan, store);
  const all: Trajectory[] = [];
  for await (const episode of store.read()) all.push(episode);
  return all;
}

test("buildErrorPool() on slippery ice tells errors by the chance given away within the turns left, not by bad luck", async () => {
  const lake = createFrozenLakeEnv();
  const list = lake.makeTasks?.({ split: "eval", level: 3, taskCount: 4, seed: 1 }) ?? [];
  const episodes = await playIn(lake, [createScriptedPreset("noisy")], list, 12);
  const source: PoolSource = { name: "lake", tasks: byHash(list), read: () => episodes };
  const pool = await buildErrorPool(lake, [source], { regretThreshold: 0.02 });
  expect(pool.prefixes.length).toBeGreaterThan(3);
  for (const prefix of pool.prefixes) {
    expect(prefix.evidence).toBe("regret");
    expect(prefix.regret).toBeGreaterThan(0.02);
    const { snapshot, turns } = prefix.before;
    if (snapshot === undefined) throw new TypeError("A pure env gives snapshots");
    const left = 12 - turns.length;
    const best = lake.oracle?.getSuccessChance?.(prefix.task, snapshot, left) ?? 0;
    const taken = lake.oracle?.getSuccessChance?.(prefix.task, snapshot, left, prefix.error.turn.action) ?? 0;
    expect(prefix.regret).toBeCloseTo(best - taken, 12);
  }
  for (const { turnIndex, remainingTurns } of pool.visited) expect(remainingTurns).toBe(12 - turnIndex - 1);
  // The producer's own actions, judged again from the states, are the errors that its log tells.
  const scored = pool.visited.map((state) => ({
    ...state,
    next: episodes.find((e) => e.episodeId === state.origin.episodeId)?.turns[state.turnIndex],
  }));
  for (const { task, before, remainingTurns = 0, next, isError } of scored) {
    const { snapshot } = before;
    if (snapshot === undefined || next === undefined) throw new TypeError("A pure env gives snapshots");
    const chance = (...first: readonly Action[]) =>
      lake.oracle?.getSuccessChance?.(task, snapshot, remainingTurns + 1, ...first) ?? 0;
    expect(chance() - chance(next.action) > 0.02).toBe(isError);
  }
});

test("injectErrors() makes one known error at each turn, and the control plays the best action instead", async () => {
  const room = createSokobanEnv();
  const list = room.makeTasks?.({ split: "eval", level: 1, taskCount: 4, seed: 1 }) ?? [];
  const turns = [0, 2];
  const source: PoolSource = {
    name: "injected",
    tasks: byHash(list),
    read: () => injectErrors(room, list, { turns, maxTurns: 24 }) as AsyncIterable<Trajectory>,
  };
  const pool = await buildErrorPool(room, [source], { injection: { turns, maxTurns: 24 }, minSlack: 0 });
  for (const prefix of pool.prefixes) {
    expect(turns).toContain(prefix.turnIndex);
    expect(prefix.producer).toBe("injected");
    expect(prefix.clean?.turn.distanceAfter).toBe(Number(prefix.clean?.turn.distanceBefore) - 1);
  }
  expect(pool.prefixes.length).toBeGreaterThan(4);
});

const turn = (before: number, after: number | "never") => ({
  observation: { text: "" },
  action: { text: "" },
  distanceBefore: before,
  distanceAfter: after === "never" ? { $number: "Infinity" as const } : after,
});
test.each([
  { name: "progress", turn: turn(3, 2), label: "clean" },
  { name: "no progress", turn: turn(3, 3), label: "wasteful" },
  { name: "a step back", turn: turn(3, 5), label: "setback" },
  { name: "a trap", turn: turn(3, "never"), label: "trap" },
  {
    name: "a flagged turn without progress",
    turn: { ...turn(3, 3), flags: { toolError: true as const } },
    label: "tool_error",
  },
  {
    name: "a flagged turn with progress",
    turn: { ...turn(3, 2), flags: { toolError: true as const } },
    label: "clean",
  },
  {
    name: "regret above the threshold",
    turn: { observation: { text: "" }, action: { text: "" }, regret: 0.2 },
    label: "setback",
  },
  { name: "regret below it", turn: { observation: { text: "" }, action: { text: "" }, regret: 0.05 }, label: "clean" },
  {
    name: "flags alone",
    turn: { observation: { text: "" }, action: { text: "" }, flags: { invalid: true as const } },
    label: "invalid",
  },
  {
    name: "a call of a tool that does not exist, as imports mark it",
    turn: { observation: { text: "" }, action: { text: "" }, flags: { unknownTool: true as const } },
    label: "invalid",
  },
  { name: "nothing known", turn: { observation: { text: "" }, action: { text: "" } }, label: "unknown" },
  { name: "a quit", turn: { observation: { text: "" }, action: { text: "", quit: true as const } }, label: "clean" },
])("judgeTurn() labels $name as $label", ({ turn: one, label }) => {
  const judged = judgeTurn(one, { regretThreshold: 0.05 });
  expect(typeof judged === "object" ? judged.label : judged).toBe(label);
});
test("judgeTurn() calls a choice without any chance left a trap", () => {
  const judged = judgeTurn(
    { observation: { text: "" }, action: { text: "" } },
    { regretThreshold: 0.05, getChances: () => ({ best: 0.4, taken: 0 }) },
  );
  expect(judged).toEqual({ label: "trap", evidence: "regret", regret: 0.4 });
});

test("buildErrorPool() counts a run that is named twice once, and says so", async () => {
  const source = { ...toSource(await play(["up", "down", "up"], "a")), configHash: "c1" };
  const once = await buildErrorPool(env, [source]);
  const again = { ...source, name: "copy", read: () => source.read() };
  const twice = await buildErrorPool(env, [source, again]);
  expect(twice.prefixes).toEqual(once.prefixes);
  expect(twice.card.producers).toEqual(once.card.producers);
  expect(twice.card.excluded).toEqual({ ...once.card.excluded, duplicates: 3 });
  expect(twice.card.notes.join()).toContain("3 episodes stand in more than one of the runs and count once");
});

test("buildErrorPool() keeps other episodes of the same settings, under ids of their own", async () => {
  const first = { ...toSource(await play(["up", "down", "up"], "a"), "one"), configHash: "c1" };
  const second = { ...toSource(await play(["down", "up", "up"], "a"), "two"), configHash: "c1" };
  const { prefixes, visited, card } = await buildErrorPool(env, [first, second]);
  expect(prefixes).toHaveLength(6);
  expect(card.excluded.duplicates).toBe(0);
  const ids = [...prefixes, ...visited].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
