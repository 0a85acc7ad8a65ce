import { expect, test } from "vitest";
import { createCounterEnv, createCounterTasks, createListPolicy } from "../../test/support/tiny.js";
import { isTrajectory } from "../records/index.js";
import type { Env, EnvSession, Policy, Scorer, Trajectory } from "../core/index.js";
import { createMemoryStore } from "./memory-store.js";
import { planEpisodes } from "./plan.js";
import { runEpisodes } from "./run-episodes.js";

const tasks = createCounterTasks(3);
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const throwing = {
  get text(): string {
    throw new Error("No text today");
  },
};
const throwingField = {
  get x(): string {
    throw new Error("No x today");
  },
};

/** Plays three tasks, of which the middle one meets what is careless, and returns the records as they are read back. */
async function play(env: Env, policy: Policy, scorer?: Scorer): Promise<Trajectory[]> {
  const store = createMemoryStore();
  const plan = planEpisodes({
    policyIds: [policy.id],
    tasks,
    sampleCount: 1,
    turnBudgets: [4],
    disclosure: "hidden",
    terminalRule: "act",
    seed: 1,
  });
  await runEpisodes(env, [policy], plan, store, { scorer });
  const records: unknown[] = [];
  for await (const trajectory of store.read()) records.push(JSON.parse(JSON.stringify(trajectory)));
  const kept = records.filter(isTrajectory);
  expect(kept).toHaveLength(3);
  return kept.sort((a, b) => a.task.id.localeCompare(b.task.id));
}

function expectError({ stopReason }: Trajectory, boundary: string, message: string): void {
  expect(stopReason).toMatchObject({ type: "error", boundary });
  expect(stopReason.type === "error" ? stopReason.message : "").toContain(message);
}

function createCarelessPolicy(answer: unknown): Policy {
  const careful = createListPolicy(["up"]);
  return {
    ...careful,
    act: (request) => (request.task.id === tasks[1].id ? (answer as never) : careful.act(request)), // what no compiler has seen
  };
}

function createCarelessEnv(answer: unknown, change: object = {}): Env {
  const careful = createCounterEnv();
  return {
    ...careful,
    async start(task, seed) {
      const session = await careful.start(task, seed);
      if (task.id !== tasks[1].id) return session;
      return { observation: session.observation, step: () => answer, close() {}, ...change } as EnvSession; // as above
    },
  };
}

function call(values: unknown): unknown {
  return { action: { text: "", toolCalls: [{ name: "up", arguments: values }] } };
}

test.each([
  {
    name: "nothing",
    answer: undefined,
    message: "The policy answered with nothing: expected an object with an action",
  },
  { name: "null", answer: null, message: "with null" },
  { name: "an empty object", answer: {}, message: "with action nothing: expected an object with a text" },
  { name: "a null action", answer: { action: null }, message: "with action null" },
  { name: "an action without text", answer: { action: {} }, message: "with action.text nothing: expected a string" },
  { name: "a number as text", answer: { action: { text: 42 } }, message: "with action.text 42" },
  {
    name: "calls that are no list",
    answer: { action: { text: "", toolCalls: "no" } },
    message: 'action.toolCalls "no": expected a list',
  },
  { name: "a null call", answer: { action: { text: "", toolCalls: [null] } }, message: "action.toolCalls[0] null" },
  {
    name: "a call named 7",
    answer: { action: { text: "", toolCalls: [{ name: 7 }] } },
    message: "action.toolCalls[0].name 7: expected a string",
  },
  {
    name: "a quit in words",
    answer: { action: { text: "", quit: "yes" } },
    message: 'action.quit "yes": expected true or nothing',
  },
  {
    name: "cyclic arguments",
    answer: call(cyclic),
    message: "toolCalls[0].arguments an object that JSON cannot carry",
  },
  {
    name: "BigInt arguments",
    answer: call({ x: 1n }),
    message: "toolCalls[0].arguments an object that JSON cannot carry",
  },
  { name: "a list of arguments", answer: call([1]), message: "toolCalls[0].arguments a list: expected an object" },
  { name: "arguments that are written as text", answer: call(new Date(0)), message: "expected an object in JSON" },
  { name: "arguments with a throwing getter", answer: call(throwingField), message: "No x today" },
  { name: "an action with a throwing getter", answer: { action: throwing }, message: "No text today" },
  { name: "usage in words", answer: { action: { text: "up" }, usage: "little" }, message: 'usage "little"' },
  {
    name: "token ids that are none",
    answer: { action: { text: "up" }, tokens: { ids: [1, 1.5] } },
    message: "tokens.ids[1] 1.5",
  },
])(
  "runEpisodes() records a policy that answers with $name as its error; siblings go on",
  async ({ answer, message }) => {
    const [first, careless, last] = await play(createCounterEnv(), createCarelessPolicy(answer));
    expectError(careless, "policy", message);
    expect([first.success, careless.success, last.success]).toEqual([true, undefined, true]);
  },
);

test("runEpisodes() records what has no text when it is thrown", async () => {
  const policy: Policy = {
    ...createListPolicy(["up"]),
    act() {
      throw Object.create(null); // String() of it throws
    },
  };
  const [first] = await play(createCounterEnv(), policy);
  expect(first.stopReason).toMatchObject({ boundary: "policy", message: "What was thrown has no text" });
});

test.each([
  {
    name: "nothing",
    answer: undefined,
    message: "The env answered with nothing: expected an object with an observation",
  },
  { name: "null", answer: null, message: "with null" },
  {
    name: "a null observation",
    answer: { observation: null },
    message: "observation null: expected an object with a text",
  },
  { name: "text as observation", answer: { observation: "hi" }, message: 'observation "hi"' },
  { name: "a number as observation", answer: { observation: 3 }, message: "observation 3" },
  {
    name: "a reward in words",
    answer: { observation: { text: "" }, reward: "1" },
    message: 'reward "1": expected a number',
  },
  {
    name: "a grade in words",
    answer: { observation: { text: "" }, solvedAfter: "yes" },
    message: 'solvedAfter "yes": expected true, false or nothing',
  },
  {
    name: "an unknown end",
    answer: { observation: { text: "" }, ended: "nonsense" },
    message: 'ended "nonsense": expected one of solved',
  },
  {
    name: "cyclic data",
    answer: { observation: { text: "", data: cyclic } },
    message: "observation.data an object that JSON cannot carry",
  },
  {
    name: "BigInt data",
    answer: { observation: { text: "", data: { x: 1n } } },
    message: "observation.data an object that JSON cannot carry",
  },
  { name: "a throwing getter", answer: { observation: throwing }, message: "No text today" },
  {
    name: "a null tool result",
    answer: { observation: { text: "", toolResults: [null] } },
    message: "observation.toolResults[0] null",
  },
  {
    name: "half a call",
    answer: { observation: { text: "" }, toolCalls: 0.5 },
    message: "toolCalls 0.5: expected a whole number",
  },
])("runEpisodes() records an env that answers with $name as its error; siblings go on", async ({ answer, message }) => {
  const [first, careless, last] = await play(createCarelessEnv(answer), createListPolicy(["up"]));
  expectError(careless, "env", message);
  expect([first.success, careless.success, last.success]).toEqual([true, undefined, true]);
});

test.each([
  {
    name: "without a first observation",
    change: { observation: undefined },
    message: "session with observation nothing",
  },
  {
    name: "with data no JSON holds",
    change: { observation: { text: "", data: 1n } },
    message: "session with observation.data 1 that JSON cannot carry",
  },
  { name: "without step()", change: { step: undefined }, message: "session with step nothing: expected a function" },
  { name: "without close()", change: { close: undefined }, message: "session with close nothing: expected a function" },
])("runEpisodes() records an env that begins a session $name as its error", async ({ change, message }) => {
  const [, careless] = await play(createCarelessEnv({ observation: { text: "" } }, change), createListPolicy(["up"]));
  expectError(careless, "env", message);
  expect(careless.turns).toEqual([]);
});

test.each([
  { name: "nothing", score: undefined },
  { name: "a grade in words", score: { success: "yes" } },
  { name: "parts that are a list", score: { parts: [1] } },
  { name: "a cyclic part", score: { parts: { x: cyclic } } },
])("runEpisodes() records a scorer that answers with $name as its error", async ({ score }) => {
  const scorer: Scorer = { id: "s", version: "1", score: () => score as never }; // what no compiler has seen
  const [first] = await play(createCounterEnv(), createListPolicy(["up"]), scorer);
  expect(first.stopReason).toMatchObject({ type: "error", boundary: "scorer" });
});

test("runEpisodes() keeps what can be understood: unknown usage, unset marks, numbers that are not finite", async () => {
  const answer = {
    action: { text: "up", quit: false, raw: cyclic },
    usage: { promptTokens: NaN, completionTokens: 7, cost: -1, requests: 1.5 },
    tokens: { logProbs: [-1, -Infinity] },
  };
  const [, { turns, success }] = await play(createCounterEnv(), createCarelessPolicy(answer));
  expect(success).toBe(true);
  expect(turns[0].action).toEqual({ text: "up" });
  expect(turns[0].usage).toEqual({ completionTokens: 7, toolCalls: 0, envSteps: 1 });
  expect(turns[0].tokens).toEqual({ logProbs: [-1, { $number: "-Infinity" }] });
  const step = {
    observation: { text: "" },
    reward: NaN,
    distanceAfter: Infinity,
    regret: NaN,
    flags: { invalid: false },
  };
  const [, { turns: odd }] = await play(createCarelessEnv(step), createListPolicy(["up"]));
  expect(odd[0]).toMatchObject({ reward: { $number: "NaN" }, distanceAfter: { $number: "Infinity" } });
  expect([odd[0].regret, odd[0].flags]).toEqual([undefined, undefined]);
});
