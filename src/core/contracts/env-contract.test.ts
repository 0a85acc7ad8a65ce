import { expect, test } from "vitest";
import type { Env, EnvSession, StepResult } from "../env.js";
import { tagNumber } from "../json.js";
import { createTask } from "../task.js";
import { envContractChecks, type EnvContractOptions } from "./env-contract.js";
import { changeSessions, changeSteps, tinyWalk, walk } from "../../../test/support/tiny-walk.js";

const options: EnvContractOptions = { levels: [1, 2], maxTurns: 16, isSeedIndependent: () => true };

test.each(envContractChecks(tinyWalk, options))("envContractChecks() accepts a correct env: $name", async (check) => {
  await expect(check.run()).resolves.toBeUndefined();
});

const [tool] = tinyWalk.tools;
const makeTasks = tinyWalk.makeTasks ?? (() => []);
const oracle = tinyWalk.oracle ?? { bestActions: () => [], allowedActions: () => [] };
const withOracle = (changes: Partial<typeof oracle>): Env => ({ ...tinyWalk, oracle: { ...oracle, ...changes } });
const withTool = (changes: object): Env => ({ ...tinyWalk, tools: [{ ...tool, ...changes }] });
type Outcomes = ReturnType<NonNullable<Env["outcomes"]>>;
const withOutcomes = (change: (outcomes: Outcomes) => Outcomes): Env => ({
  ...tinyWalk,
  outcomes: (task, snapshot, action) => change(tinyWalk.outcomes?.(task, snapshot, action) ?? []),
});
const isRefused = ({ flags }: StepResult) => flags?.invalid === true;

/** Returns an env whose answers follow a counter that all sessions share. */
function createSharing(): Env {
  let count = 0;
  return changeSteps(tinyWalk, (result) => ({ ...result, reward: (count += 1) }));
}
function createForgetfulTasks(): Env {
  let seed = 0;
  return { ...tinyWalk, makeTasks: (request) => makeTasks({ ...request, seed: (seed += 1) }) };
}
function createUndecidedOracle(): Env {
  let count = 0;
  return withOracle({
    allowedActions: () => ((count += 1) % 2 === 0 ? [walk("left"), walk("right")] : [walk("right"), walk("left")]),
  });
}
/** Returns an env that goes on after the goal and unsolves when the walker leaves it. */
const leavingGoal = changeSessions(tinyWalk, (session, task) => {
  let at = 0;
  const goal = (task.data as { readonly goal: number }).goal; // made by the env
  return {
    observation: session.observation,
    step(action) {
      at += action.toolCalls?.[0]?.arguments?.["direction"] === "right" ? 1 : -1;
      return { observation: { text: `at ${at}` }, solvedAfter: at === goal };
    },
    snapshot: () => ({ state: { at }, stepIndex: 0 }),
    close() {},
  };
});
const deafSession = (session: EnvSession): EnvSession => {
  let last: StepResult | undefined;
  return {
    ...session,
    step: async (action) => (last?.ended === undefined ? (last = await session.step(action)) : last),
    snapshot: () => session.snapshot?.() ?? null,
  };
};
const brittleSession = (session: EnvSession): EnvSession => {
  let isClosed = false;
  return {
    ...session,
    close() {
      if (isClosed) throw new Error("closed already");
      isClosed = true;
    },
  };
};
/** Keeps its own list in the snapshot, and goes on writing to it. */
const leakingSession = (session: EnvSession): EnvSession => {
  const log: string[] = [];
  return {
    ...session,
    step(action) {
      log.push("step");
      return session.step(action);
    },
    snapshot: () => ({ ...(session.snapshot?.() as object), log }), // a pure env's snapshot is an object
  };
};
/** Counts its steps outside the snapshot. */
const countingSession = (session: EnvSession): EnvSession => {
  let count = 0;
  return { ...session, step: async (action) => ({ ...(await session.step(action)), reward: (count += 1) }) };
};

const broken: readonly { readonly check: string; readonly how: string; readonly env: Env }[] = [
  {
    check: "id, version, instructions and tools are well formed",
    how: "an id that is not kebab-case",
    env: { ...tinyWalk, id: "Tiny Walk" },
  },
  {
    check: "id, version, instructions and tools are well formed",
    how: "a turn limit of 0",
    env: { ...tinyWalk, maxTurns: 0 },
  },
  {
    check: "id, version, instructions and tools are well formed",
    how: "parameters without a type",
    env: withTool({ parameters: {} }),
  },
  {
    check: "id, version, instructions and tools are well formed",
    how: "an unknown required parameter",
    env: withTool({ parameters: { type: "object", properties: {}, required: ["way"] } }),
  },
  {
    check: "id, version, instructions and tools are well formed",
    how: "a tool named quit",
    env: withTool({ name: "quit" }),
  },
  {
    check: "actions that cannot be carried out are answered with flags, change no grade and end nothing",
    how: "throwing",
    env: changeSteps(tinyWalk, (result) => {
      if (isRefused(result)) throw new Error("no");
      return result;
    }),
  },
  {
    check: "actions that cannot be carried out are answered with flags, change no grade and end nothing",
    how: "no flags",
    env: changeSteps(tinyWalk, (result) => ({ ...result, flags: undefined })),
  },
  {
    check: "actions that cannot be carried out are answered with flags, change no grade and end nothing",
    how: "ending the episode",
    env: changeSteps(tinyWalk, (result) => (isRefused(result) ? { ...result, ended: "env_fail" } : result)),
  },
  {
    check: "actions that cannot be carried out are answered with flags, change no grade and end nothing",
    how: "calls without an answer",
    env: changeSteps(tinyWalk, (result) => ({ ...result, observation: { text: "no" } })),
  },
  {
    check: "actions that cannot be carried out are answered with flags, change no grade and end nothing",
    how: "unknown tools not told",
    env: changeSteps(tinyWalk, (result) => (isRefused(result) ? { ...result, flags: { invalid: true } } : result)),
  },
  {
    check: "every text example is read as a call of a known tool and carried out",
    how: "an example outside the grammar",
    env: { ...tinyWalk, text: { instructions: "x", examples: ["walk left"] } },
  },
  {
    check: "every text example is read as a call of a known tool and carried out",
    how: "an example of no tool",
    env: { ...tinyWalk, text: { instructions: "x", examples: ["<action>fly left</action>"] } },
  },
  {
    check: "makeTasks() returns the same tasks for the same request",
    how: "a hidden counter",
    env: createForgetfulTasks(),
  },
  {
    check: "makeTasks() returns as many tasks as asked for, each once",
    how: "one too few",
    env: { ...tinyWalk, makeTasks: (request) => makeTasks(request).slice(1) },
  },
  {
    check: "makeTasks() returns as many tasks as asked for, each once",
    how: "one twice",
    env: { ...tinyWalk, makeTasks: (request) => makeTasks(request).map((_, __, [first]) => first) },
  },
  {
    check: "makeTasks() gives each task the split and the level that were asked for",
    how: "another level",
    env: { ...tinyWalk, makeTasks: (request) => makeTasks(request).map((task) => ({ ...task, level: 7 })) },
  },
  {
    check: "makeTasks() gives each task the split and the level that were asked for",
    how: "the other split's tasks",
    env: {
      ...tinyWalk,
      makeTasks: (request) =>
        makeTasks({ ...request, split: "train" }).map((task) => ({ ...task, split: request.split })),
    },
  },
  {
    check: "train and eval tasks never overlap, whatever the seeds",
    how: "the same tasks for both",
    env: { ...tinyWalk, makeTasks: (request) => makeTasks({ ...request, split: "train" }) },
  },
  {
    check: "each task's hash is the hash of its env and data",
    how: "another hash",
    env: { ...tinyWalk, makeTasks: (request) => makeTasks(request).map((task) => ({ ...task, hash: "0".repeat(64) })) },
  },
  {
    check: "rewards are finite, grades agree with the end, distances and regrets are in range",
    how: "a reward that is not a number",
    env: changeSteps(tinyWalk, (result) => ({ ...result, reward: NaN })),
  },
  {
    check: "rewards are finite, grades agree with the end, distances and regrets are in range",
    how: "solved but graded false",
    env: changeSteps(tinyWalk, (result) => ({ ...result, solvedAfter: false })),
  },
  {
    check: "rewards are finite, grades agree with the end, distances and regrets are in range",
    how: "failed but graded true",
    env: changeSteps(tinyWalk, (result) => ({ ...result, solvedAfter: true })),
  },
  {
    check: "rewards are finite, grades agree with the end, distances and regrets are in range",
    how: "a negative distance",
    env: changeSteps(tinyWalk, (result) => ({ ...result, distanceAfter: -1 })),
  },
  {
    check: "rewards are finite, grades agree with the end, distances and regrets are in range",
    how: "a regret above 1",
    env: changeSteps(tinyWalk, (result) => ({ ...result, regret: 2 })),
  },
  { check: "two sessions of one task do not touch each other", how: "a counter they share", env: createSharing() },
  {
    check: "a step after the end is refused with an error",
    how: "answering the last answer again",
    env: changeSessions(tinyWalk, deafSession),
  },
  {
    check: "closing a session twice does no harm",
    how: "throwing the second time",
    env: changeSessions(tinyWalk, brittleSession),
  },
  { check: "the same seed and actions give the same episode", how: "a counter that goes on", env: createSharing() },
  {
    check: "tasks said not to depend on the seed give the same episode with another seed",
    how: "the seed in the reward",
    env: changeSessions(tinyWalk, (session, _, seed) => ({
      ...session,
      step: async (action) => ({ ...(await session.step(action)), reward: seed }),
    })),
  },
  { check: "a solved state stays solved", how: "a goal that can be left", env: leavingGoal },
  {
    check: "a snapshot is plain JSON and later steps leave it alone",
    how: "a list that grows later",
    env: changeSessions(tinyWalk, leakingSession),
  },
  {
    check: "a snapshot is plain JSON and later steps leave it alone",
    how: "an infinite number",
    env: changeSessions(tinyWalk, (session) => ({ ...session, snapshot: () => ({ at: Infinity }) })),
  },
  {
    check: "a resumed episode goes on exactly like an uninterrupted one",
    how: "a counter outside the snapshot",
    env: changeSessions(tinyWalk, countingSession),
  },
  {
    check: "a resumed episode goes on exactly like an uninterrupted one",
    how: "always from the beginning",
    env: { ...tinyWalk, resume: (task, seed) => tinyWalk.start(task, seed) },
  },
  {
    check: "the outcomes of a step have probabilities that sum to 1, and what happens is one of them",
    how: "half of them",
    env: withOutcomes((outcomes) => outcomes.map(({ value }) => ({ probability: 0.5, value }))),
  },
  {
    check: "the outcomes of a step have probabilities that sum to 1, and what happens is one of them",
    how: "another answer",
    env: changeSteps(tinyWalk, (result) => ({ ...result, reward: 7 })),
  },
  {
    check: "the outcomes of a step have probabilities that sum to 1, and what happens is one of them",
    how: "another state",
    env: withOutcomes((outcomes) =>
      outcomes.map(({ probability, value }) => ({ probability, value: { ...value, snapshot: null } })),
    ),
  },
  {
    check: "any closing answer can be handed in",
    how: "throwing at what is no number",
    env: {
      ...tinyWalk,
      closing: {
        prompt: "How far?",
        submit: ({ text }) => {
          if (!/^\d+$/.test(text)) throw new Error("Not a number");
          return walk("left");
        },
      },
    },
  },
  { check: "every state can be rendered for people", how: "nothing", env: { ...tinyWalk, render: () => " " } },
  {
    check: "best actions are never missing before the end and are among the allowed ones",
    how: "none",
    env: withOracle({ bestActions: () => [] }),
  },
  {
    check: "best actions are never missing before the end and are among the allowed ones",
    how: "one that is not allowed",
    env: withOracle({ bestActions: () => [walk("up")] }),
  },
  {
    check: "the oracle answers the same for the same state, and reads it from JSON",
    how: "another order each time",
    env: createUndecidedOracle(),
  },
  {
    check: "every allowed action can be carried out",
    how: "one that is refused",
    env: withOracle({ allowedActions: () => [walk("up"), walk("left"), walk("right")] }),
  },
  {
    check: "a known finite distance is kept: best actions solve within it and lower it every turn",
    how: "a distance too small",
    env: changeSteps(tinyWalk, (result) => ({ ...result, distanceBefore: 1, distanceAfter: 0 })),
  },
  {
    check: "a known finite distance is kept: best actions solve within it and lower it every turn",
    how: "best actions that lead away",
    env: withOracle({ bestActions: () => [walk("left")] }),
  },
  {
    check: "best actions for exactly the turns that the distance says still solve",
    how: "giving up when told the turns",
    env: withOracle({
      bestActions: (task, snapshot, turnsLeft) =>
        turnsLeft === undefined ? oracle.bestActions(task, snapshot) : [walk("left")],
    }),
  },
  {
    check: "distances of neighbouring turns agree, and a hopeless state stays hopeless",
    how: "a distance after that is not the next before",
    env: changeSteps(tinyWalk, (result) => ({ ...result, distanceAfter: 99 })),
  },
  {
    check: "distances of neighbouring turns agree, and a hopeless state stays hopeless",
    how: "only one of both known",
    env: changeSteps(tinyWalk, (result) => ({ ...result, distanceAfter: undefined })),
  },
  {
    check: "distances of neighbouring turns agree, and a hopeless state stays hopeless",
    how: "hope in the pit",
    env: changeSteps(tinyWalk, (result) => (result.ended === "env_fail" ? { ...result, distanceAfter: 5 } : result)),
  },
  {
    check: "distances of neighbouring turns agree, and a hopeless state stays hopeless",
    how: "solving the hopeless",
    env: changeSteps(tinyWalk, (result) => ({
      ...result,
      distanceBefore: tagNumber(Infinity),
      distanceAfter: tagNumber(Infinity),
    })),
  },
  {
    check: "best actions have no regret",
    how: "always a regret",
    env: changeSteps(tinyWalk, (result) => ({ ...result, regret: 0.5 })),
  },
  {
    check: "success chances are in range, grow with the turns left, and the best actions have the best",
    how: "above 1",
    env: withOracle({ getSuccessChance: () => 1.5 }),
  },
  {
    check: "success chances are in range, grow with the turns left, and the best actions have the best",
    how: "falling",
    env: withOracle({ getSuccessChance: (_, __, turnsLeft = 99) => 1 / turnsLeft }),
  },
  {
    check: "success chances are in range, grow with the turns left, and the best actions have the best",
    how: "best actions that are not",
    env: withOracle({ bestActions: () => [walk("left")] }),
  },
];
test.each(broken)("envContractChecks() finds a broken env: $check: $how", async ({ check, env }) => {
  const found = envContractChecks(env, options).find(({ name }) => name === check);
  await expect(found?.run()).rejects.toThrow(/./);
});
test("envContractChecks() has a broken env for each of its checks", () => {
  expect(new Set(broken.map(({ check }) => check))).toEqual(
    new Set(envContractChecks(tinyWalk, options).map(({ name }) => name)),
  );
});
test("envContractChecks() checks an env without tasks of its own on the tasks it is given", async () => {
  const { makeTasks: _, oracle: __, render: ___, ...plain } = tinyWalk;
  expect(() => envContractChecks(plain)).toThrow(/no task to play/);
  const task = createTask("tiny-walk", { goal: 2 });
  for (const check of envContractChecks(plain, { tasks: [task] })) await check.run();
});
