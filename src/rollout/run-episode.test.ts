import fc from "fast-check";
import { expect, test } from "vitest";
import {
  createCounterEnv,
  createCounterTasks,
  createFunctionPolicy,
  createListPolicy,
  toAction,
} from "../../test/support/tiny.js";
import { PolicyError, pureEnv, type Env, type Policy, type PolicyRequest } from "../core/index.js";
import { runEpisode, runLockstep } from "./run-episode.js";

const [task] = createCounterTasks(1);
const up = createListPolicy(["up"]);

test.each([
  {
    name: "solved by the env",
    texts: ["up"],
    maxTurns: 9,
    turns: 3,
    stop: { type: "env_end", kind: "solved" },
    success: true,
  },
  {
    name: "solved with the last allowed turn",
    texts: ["up"],
    maxTurns: 3,
    turns: 3,
    stop: { type: "env_end", kind: "solved" },
    success: true,
  },
  { name: "cut by the turn limit", texts: ["up"], maxTurns: 2, turns: 2, stop: { type: "max_turns" }, success: false },
  { name: "without a turn", texts: ["up"], maxTurns: 0, turns: 0, stop: { type: "max_turns" }, success: false },
  { name: "quit at once", texts: ["quit"], maxTurns: 9, turns: 1, stop: { type: "quit" }, success: false },
  {
    name: "ended wrongly",
    texts: ["up", "fail"],
    maxTurns: 9,
    turns: 2,
    stop: { type: "env_end", kind: "wrong_final" },
    success: false,
  },
  { name: "quit", texts: ["up", "quit"], maxTurns: 9, turns: 2, stop: { type: "quit" }, success: false },
])("runEpisode() records an episode $name", async ({ texts, maxTurns, turns, stop, success }) => {
  const trajectory = await runEpisode(createCounterEnv(), createListPolicy(texts), task, { budget: { maxTurns } });
  expect(trajectory.turns).toHaveLength(turns);
  expect(trajectory.stopReason).toEqual(stop);
  expect(trajectory.success).toBe(success);
});

test("runEpisode() makes an unparsable action cost a turn and flags it", async () => {
  const trajectory = await runEpisode(createCounterEnv(), createListPolicy(["what", "up"]), task, {
    budget: { maxTurns: 2 },
  });
  expect(trajectory.turns.map((turn) => turn.flags)).toEqual([{ invalid: true }, undefined]);
});

test("runEpisode() grades the state reached with act, and fails the unfinished with hard", async () => {
  const env = createCounterEnv({ goal: 2, endsWhenSolved: false });
  const act = await runEpisode(env, up, task, { budget: { maxTurns: 4 } });
  const hard = await runEpisode(env, up, task, { budget: { maxTurns: 4 }, terminalRule: "hard" });
  expect([act.success, act.stopReason.type]).toEqual([true, "max_turns"]);
  expect([hard.success, hard.stopReason.type]).toEqual([false, "max_turns"]);
});

test("runEpisode() asks for one closing answer without tools with answer_only, counted on its own", async () => {
  const asked: (string | undefined)[] = [];
  const policy = createFunctionPolicy((request) => {
    asked.push(request.closingPrompt);
    return request.closingPrompt === undefined ? "up" : "2";
  });
  const trajectory = await runEpisode(createCounterEnv(), policy, task, {
    budget: { maxTurns: 2 },
    terminalRule: "answer_only",
  });
  expect(asked).toEqual([undefined, undefined, "Say the value now."]);
  expect(trajectory.turns).toHaveLength(2);
  expect(trajectory.closing?.action.text).toBe("2");
  expect([trajectory.success, trajectory.stopReason]).toEqual([true, { type: "env_end", kind: "solved" }]);
});

test.each([
  { disclosure: "hidden", notices: [undefined, undefined] },
  { disclosure: "static", notices: ["You have 2 turns in all.", undefined] },
  { disclosure: "countdown", notices: ["Turns left, this one included: 2.", "Turns left, this one included: 1."] },
] as const)("runEpisode() stores the exact $disclosure text of each turn", async ({ disclosure, notices }) => {
  const trajectory = await runEpisode(createCounterEnv(), up, task, { budget: { maxTurns: 2 }, disclosure });
  expect(trajectory.turns.map((turn) => turn.notice)).toEqual(notices);
});

test("runEpisode() tells a policy with a hidden budget nothing that depends on it", async () => {
  async function getRequests(maxTurns: number): Promise<string[]> {
    const seen: string[] = [];
    const policy = createFunctionPolicy((request) => {
      const { random, turns, ...plain } = request;
      seen.push(JSON.stringify([plain, turns, random.next()]));
      return "down";
    });
    await runEpisode(createCounterEnv(), policy, task, { budget: { maxTurns }, samplingSeed: 5 });
    return seen;
  }
  const long = await getRequests(9);
  expect(await getRequests(4)).toEqual(long.slice(0, 4));
});

test.each([
  {
    boundary: "policy",
    env: createCounterEnv(),
    policy: createFunctionPolicy(() => {
      throw new PolicyError("rate_limit", "Slow down");
    }),
    errorClass: "rate_limit",
    turns: 0,
  },
  {
    boundary: "policy",
    env: createCounterEnv(),
    policy: createFunctionPolicy(() => {
      throw new Error("Broken");
    }),
    errorClass: "exception",
    turns: 0,
  },
  {
    boundary: "env",
    env: createCounterEnv({
      onStep: () => {
        throw new Error("Broken");
      },
    }),
    policy: up,
    errorClass: "exception",
    turns: 1,
  },
])(
  "runEpisode() records an error of the $boundary ($errorClass) and leaves success unknown",
  async ({ boundary, env, policy, errorClass, turns }) => {
    const trajectory = await runEpisode(env, policy, task);
    expect(trajectory.stopReason).toMatchObject({ type: "error", boundary, errorClass });
    expect(trajectory.success).toBeUndefined();
    expect(trajectory.turns).toHaveLength(turns);
  },
);

test.each([
  { name: "no observation", answer: {}, message: /with observation nothing: expected an object with a text/ },
  {
    name: "an unknown end",
    answer: { observation: { text: "" }, ended: "wrong" },
    message: /ended "wrong": expected one of solved/,
  },
  {
    name: "a grade that is no boolean",
    answer: { observation: { text: "" }, solvedAfter: 1 },
    message: /expected true, false or nothing/,
  },
  { name: "nothing", answer: undefined, message: /answered with nothing: expected an object with an observation/ },
])("runEpisode() records an env that answers with $name as an error of the env", async ({ answer, message }) => {
  const env = {
    ...createCounterEnv(),
    start: () => ({ observation: { text: "" }, step: () => answer as never, close() {} }), // what a careless env does
  };
  const { stopReason } = await runEpisode(env, up, task);
  expect(stopReason).toMatchObject({ type: "error", boundary: "env" });
  expect(stopReason.type === "error" ? stopReason.message : "").toMatch(message);
});

test("runEpisode() ends an episode whose context overflows with that stop reason and the grade reached", async () => {
  const policy = createFunctionPolicy(({ turnIndex }) => {
    if (turnIndex === 2) throw new PolicyError("context_overflow", "Too long");
    return "up";
  });
  const trajectory = await runEpisode(createCounterEnv(), policy, task);
  expect([trajectory.stopReason.type, trajectory.success, trajectory.turns.length]).toEqual([
    "context_overflow",
    false,
    2,
  ]);
});

test.each([
  { limit: { maxTokens: 10 }, stop: "max_tokens", turns: 2 },
  { limit: { maxToolCalls: 3 }, stop: "max_tool_calls", turns: 3 },
  { limit: { maxCost: 0.4 }, stop: "max_cost", turns: 2 },
  { limit: { maxSeconds: 4 }, stop: "max_seconds", turns: 2 },
])("runEpisode() stops at $stop once it is used up", async ({ limit, stop, turns }) => {
  let seconds = 0;
  const policy: Policy = {
    id: "spender",
    config: {},
    act: () => {
      seconds += 2;
      return {
        action: { text: "down", toolCalls: [{ name: "down" }] },
        usage: { promptTokens: 4, completionTokens: 1, cost: 0.2 },
      };
    },
  };
  const trajectory = await runEpisode(createCounterEnv(), policy, task, { budget: limit, now: () => seconds });
  expect([trajectory.stopReason.type, trajectory.turns.length]).toEqual([stop, turns]);
});

test("runEpisode() never makes more than T calls, applies the T-th action, and counts retries as no turns", async () => {
  const word = fc.constantFrom("up", "down", "what", "fail", "quit");
  const setting = fc.record({
    texts: fc.array(word, { minLength: 1, maxLength: 12 }),
    goal: fc.integer({ min: 1, max: 4 }),
    endsWhenSolved: fc.boolean(),
    maxTurns: fc.integer({ min: 0, max: 8 }),
    terminalRule: fc.constantFrom("act" as const, "hard" as const),
    disclosure: fc.constantFrom("hidden" as const, "static" as const, "countdown" as const),
    retries: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(setting, async ({ texts, goal, endsWhenSolved, maxTurns, terminalRule, disclosure, retries }) => {
      const applied: string[] = [];
      const called: string[] = [];
      const env = createCounterEnv({ goal, endsWhenSolved, onStep: (text) => applied.push(text) });
      const policy: Policy = {
        id: "random",
        config: {},
        act({ turnIndex }) {
          const text = texts[turnIndex % texts.length];
          called.push(text);
          return { action: toAction(text), usage: { requests: 1 + retries } };
        },
      };
      const trajectory = await runEpisode(env, policy, task, { budget: { maxTurns }, terminalRule, disclosure });
      expect(called.length).toBeLessThanOrEqual(maxTurns);
      expect(trajectory.turns).toHaveLength(called.length);
      expect(applied).toEqual(called.filter((text) => text !== "quit"));
      const { stopReason } = trajectory;
      if (stopReason.type === "max_turns") expect(called).toHaveLength(maxTurns);
      if (called.length < maxTurns) expect(["env_end", "quit"]).toContain(stopReason.type);
    }),
  );
});

test("runEpisode() keeps its promises in random envs, with parallel calls, real retries and closing answers", async () => {
  // An env drawn as a table: what each of four calls does in each of five states, and when the end comes.
  const entry = fc.record({
    next: fc.integer({ min: 0, max: 4 }),
    ended: fc.option(fc.constantFrom("solved" as const, "wrong_final" as const, "env_fail" as const), {
      freq: 5,
      nil: undefined,
    }),
    isSolved: fc.boolean(),
  });
  const setting = fc.record({
    table: fc.array(fc.array(entry, { minLength: 4, maxLength: 4 }), { minLength: 5, maxLength: 5 }),
    calls: fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 0, maxLength: 3 }), {
      minLength: 1,
      maxLength: 8,
    }),
    maxTurns: fc.integer({ min: 0, max: 7 }),
    maxToolCalls: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
    terminalRule: fc.constantFrom("act" as const, "hard" as const, "answer_only" as const),
    failures: fc.integer({ min: 0, max: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(setting, async ({ table, calls, maxTurns, maxToolCalls, terminalRule, failures }) => {
      const applied: number[][] = [];
      const env: Env = pureEnv<{ state: number }>({
        id: "table",
        version: "1",
        instructions: "",
        tools: [],
        isSuccessAbsorbing: false,
        isDeterministic: true,
        initial: () => ({ state: 0 }),
        observe: () => ({ text: "" }),
        closing: { prompt: "Answer.", submit: (action) => ({ text: action.text, toolCalls: [{ name: "3" }] }) },
        step({ state }, { toolCalls = [] }) {
          const names = toolCalls.map((call) => Number(call.name));
          applied.push(names);
          const last = names.reduce((at, name) => table[at][name].next, state);
          const { ended, isSolved } = table[state][names.at(-1) ?? 0];
          return {
            state: { state: last },
            observation: { text: "" },
            solvedAfter: ended === undefined ? isSolved : ended === "solved",
            ...(ended === undefined ? {} : { ended }),
          };
        },
      });
      let attempts = 0;
      let closings = 0;
      const asked: number[][] = [];
      const policy: Policy = {
        id: "table",
        config: {},
        async act({ turnIndex, closingPrompt }) {
          // Each answer needs this many attempts; the loop sees one turn.
          for (let attempt = 0; attempt <= failures; attempt += 1) {
            attempts += 1;
            await Promise.resolve();
          }
          if (closingPrompt !== undefined) {
            closings += 1;
            return { action: { text: "done" } };
          }
          const names = calls[turnIndex % calls.length];
          asked.push(names);
          return {
            action: { text: "", toolCalls: names.map((name) => ({ name: String(name) })) },
            usage: { requests: failures + 1 },
          };
        },
      };
      const budget = { maxTurns, ...(maxToolCalls === undefined ? {} : { maxToolCalls }) };
      const { turns, stopReason, success, closing } = await runEpisode(env, policy, task, { budget, terminalRule });
      expect(asked.length).toBeLessThanOrEqual(maxTurns);
      expect(turns).toHaveLength(asked.length);
      expect(attempts).toBe((asked.length + closings) * (failures + 1));
      // Every action took effect, the last one included, and nothing but the closing answer came after.
      expect(applied.slice(0, asked.length)).toEqual(asked);
      expect(applied.length - asked.length).toBe(closings);
      expect(closings).toBe(closing === undefined ? 0 : 1);
      if (closings === 1) expect([terminalRule, asked.length]).toEqual(["answer_only", maxTurns]);
      if (terminalRule === "answer_only" && stopReason.type === "max_turns") expect(closings).toBe(1);
      if (stopReason.type === "max_turns" && terminalRule === "hard") expect(success).toBe(false);
      if (stopReason.type === "max_tool_calls")
        expect(asked.flat().length).toBeGreaterThanOrEqual(maxToolCalls ?? Infinity);
      if (stopReason.type === "env_end") expect(success).toBe(stopReason.kind === "solved");
      if (turns.length < maxTurns) expect(["env_end", "max_tool_calls"]).toContain(stopReason.type);
    }),
  );
});

test("runLockstep() plays what runEpisode() plays, one batched call a round", async () => {
  const sizes: number[] = [];
  const choose = ({ random }: PolicyRequest): string => (random.next() < 0.6 ? "up" : "down");
  const single = createFunctionPolicy(choose, "coin");
  const batched: Policy = {
    ...single,
    actBatch(requests) {
      sizes.push(requests.length);
      return requests.map((request) => ({ action: toAction(choose(request)) }));
    },
  };
  const env: Env = createCounterEnv();
  const entries = [1, 2, 3, 4].map((samplingSeed) => ({
    env,
    task,
    options: { samplingSeed, budget: { maxTurns: 6 } },
  }));
  const together = await runLockstep(batched, entries);
  const alone = await Promise.all(entries.map(({ options }) => runEpisode(env, single, task, options)));
  expect(together).toEqual(alone);
  expect(sizes[0]).toBe(4);
  expect(sizes.length).toBe(Math.max(...alone.map((trajectory) => trajectory.turns.length)));
});
