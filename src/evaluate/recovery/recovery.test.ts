import { expect, test } from "vitest";
import type { ErrorPool, Estimate, Policy, Task, Trajectory } from "../../core/index.js";
import { createSokobanEnv } from "../../envs/index.js";
import { createScriptedPreset, type ScriptedPresetName } from "../../policies/index.js";
import { createMemoryStore, planEpisodes, runEpisodes } from "../../rollout/index.js";
import { buildErrorPool } from "../pools/build-pool.js";
import { injectErrors } from "../pools/inject-errors.js";
import { measureRecovery } from "./measure-recovery.js";
import { measureSteps } from "./measure-steps.js";
import { countPoolPlan, planPool, type PoolPlanConfig } from "./plan-pool.js";
import { getExcessWeights, getTurnBucket } from "./recovery-breakdown.js";

const env = createSokobanEnv();
const tasks = env.makeTasks?.({ split: "eval", level: 1, taskCount: 30, seed: 5 }) ?? [];
const taskMap: ReadonlyMap<string, Task> = new Map(tasks.map((task) => [task.hash, task]));

async function readAll(store: { read(): AsyncIterable<Trajectory> }): Promise<Trajectory[]> {
  const all: Trajectory[] = [];
  for await (const episode of store.read()) all.push(episode);
  return all;
}

async function createPool(names: readonly ScriptedPresetName[], statesPerTask = 0): Promise<ErrorPool> {
  const policies = names.map((name) => createScriptedPreset(name));
  const store = createMemoryStore();
  const plan = {
    policyIds: [...names],
    tasks,
    sampleCount: 4,
    turnBudgets: [30],
    disclosure: "hidden",
    terminalRule: "act",
    seed: 7,
  } as const;
  await runEpisodes(env, policies, planEpisodes(plan), store);
  const episodes = await readAll(store);
  return buildErrorPool(env, [{ name: "run", tasks: taskMap, read: () => episodes }], { perTask: 2, statesPerTask });
}

async function playPool(
  pool: ErrorPool,
  policies: readonly Policy[],
  changes: Partial<PoolPlanConfig>,
): Promise<Trajectory[]> {
  const store = createMemoryStore();
  const config: PoolPlanConfig = {
    policyIds: policies.map((policy) => policy.id),
    arms: ["error", "clean"],
    contexts: ["full"],
    budgets: [16],
    samples: 6,
    disclosure: "hidden",
    terminalRule: "act",
    seed: 11,
    ...changes,
  };
  await runEpisodes(env, policies, planPool(pool, config), store);
  const episodes = await readAll(store);
  expect(episodes).toHaveLength(countPoolPlan(pool, config));
  return episodes;
}

const includesZero = ({ interval, band }: Estimate): boolean => {
  const bounds = band ?? interval;
  return bounds !== undefined && bounds.lower <= 0 && bounds.upper >= 0;
};

/** Evaluations are kept: several tests look at the same one. */
const evaluated = new Map<string, ReturnType<typeof evaluateAnew>>();
function evaluatePair(a: ScriptedPresetName, b: ScriptedPresetName) {
  const kept = evaluated.get(b) ?? evaluateAnew(a, b);
  evaluated.set(b, kept);
  return kept;
}

async function evaluateAnew(a: ScriptedPresetName, b: ScriptedPresetName) {
  const pool = await createPool([a, b]);
  const policies = [createScriptedPreset(a), createScriptedPreset(b)];
  const names = [a, b];
  const steps = await measureSteps(
    env,
    pool,
    await playPool(pool, policies, { arms: ["before"], budgets: [1], samples: 12 }),
    { policies: names, samples: 12 },
  );
  const recovery = await measureRecovery(pool, await playPool(pool, policies, {}), {
    policies: names,
    contexts: ["full"],
    budgets: [2, 4, 8, 16],
    disclosure: "hidden",
    terminalRule: "act",
    samples: 6,
  });
  return { pool, steps, recovery };
}

test("a policy that only recovers better: step evaluation finds no difference, recovery evaluation does", async () => {
  const { steps, recovery } = await evaluatePair("base", "better-recovery");
  const progress = steps.differences.find(({ measure }) => measure === "progress");
  expect(progress && includesZero(progress.estimate)).toBe(true);
  const last = recovery.differences[recovery.differences.length - 1];
  expect(last.returnedVerdict).toBe("gain");
  expect(last.verdict).toBe("gain");
  expect(recovery.behaviour[1].turnsToReturn?.value).toBeLessThan(recovery.behaviour[0].turnsToReturn?.value ?? 0);
});

test("a policy that only decides better: step evaluation finds it, and the way back from an error is the same", async () => {
  const { steps, recovery } = await evaluatePair("base", "better-decision");
  const progress = steps.differences.find(({ measure }) => measure === "progress");
  expect(progress?.verdict).toBe("gain");
  const last = recovery.differences[recovery.differences.length - 1];
  expect(last.error.value).toBeGreaterThan(0); // it is better after errors too, as it is better everywhere
  expect(last.verdict).not.toBe("gain"); // but not beyond the control
  expect(last.returned && includesZero(last.returned)).toBe(true);
});

test("a policy that only persists more: it quits less in error and decides alike", async () => {
  const { steps, recovery } = await evaluatePair("base", "better-persistence");
  const progress = steps.differences.find(({ measure }) => measure === "progress");
  expect(progress && includesZero(progress.estimate)).toBe(true);
  const [base, better] = recovery.behaviour;
  expect(base.quitHazard?.value).toBeCloseTo(0.2, 1);
  expect(better.quitHazard?.value).toBeCloseTo(0.03, 1);
});

test("measureRecovery() adds up: cost is clean minus error, the differences agree with the cells, debt sums the costs", async () => {
  const { recovery } = await evaluatePair("base", "better-recovery");
  expect(recovery.hasControl).toBe(true);
  for (const cell of recovery.cells) {
    expect(cell.cost?.value).toBeCloseTo((cell.clean?.value ?? 0) - cell.error.value, 12);
    expect(cell.ratio?.value).toBeCloseTo(cell.error.value / (cell.clean?.value ?? 1), 12);
    expect(cell.cost?.value).toBeGreaterThanOrEqual(-0.05);
  }
  for (const { maxTurns, error, clean, beyondControl } of recovery.differences) {
    const [a, b] = recovery.cells.filter((cell) => cell.maxTurns === maxTurns);
    expect(error.value).toBeCloseTo(b.error.value - a.error.value, 12);
    expect(beyondControl?.value).toBeCloseTo(error.value - (clean?.value ?? 0), 12);
  }
  const all = recovery.debt.filter((row) => row.turns === "all");
  expect(all.map((row) => row.prefixes)).toEqual([recovery.prefixCount, recovery.prefixCount]);
  for (const { extraTurns } of all) expect(extraTurns?.value).toBeGreaterThan(0);
  const { matrix } = recovery;
  expect([matrix?.producers, matrix?.cells.length]).toEqual([["base", "better-recovery"], 4]);
  expect(matrix?.selfExcess?.interval).toBeDefined();
  const labels = recovery.strata.filter(({ policy, by }) => policy === "base" && by === "label");
  expect(labels.reduce((sum, { cases }) => sum + cases, 0)).toBe(recovery.prefixCount);
  expect(recovery.strata.find(({ by, value }) => by === "slack" && value === "<0")?.error.value).toBe(0);
});

test("measureRecovery() gives the extra turns that an injected wasted move must cost a policy that plays best after it", async () => {
  const source = {
    name: "injected",
    tasks: taskMap,
    read: () => injectErrors(env, tasks, { turns: [0, 1, 3], maxTurns: 40 }),
  };
  const pool = await buildErrorPool(env, [source], { statesPerTask: 0 });
  const optimal = createScriptedPreset("optimal");
  const episodes = await playPool(pool, [optimal], { budgets: [40], samples: 1 });
  const result = await measureRecovery(pool, episodes, {
    policies: ["optimal"],
    contexts: ["full"],
    budgets: [40],
    disclosure: "hidden",
    terminalRule: "act",
    samples: 1,
  });
  expect(result.cells[0]).toMatchObject({ error: { value: 1 }, clean: { value: 1 }, cost: { value: 0 } });
  // Best play needs as many turns more as the two states' distances differ by.
  const byTask = new Map<string, number[]>();
  for (const { task, label, error, clean } of pool.prefixes) {
    if (label === "trap") continue;
    const extra = Number(error.turn.distanceAfter) - Number(clean?.turn.distanceAfter);
    byTask.set(task.hash, [...(byTask.get(task.hash) ?? []), extra]);
  }
  const means = [...byTask.values()].map((list) => list.reduce((sum, value) => sum + value, 0) / list.length);
  const expected = means.reduce((sum, value) => sum + value, 0) / means.length;
  const all = result.debt.find(({ turns }) => turns === "all");
  expect(all?.extraTurns?.value).toBeCloseTo(expected, 12);
  expect(result.debt.map(({ turns }) => turns)).toEqual(["all", "1", "2", "3-4"]);
});

test("measureRecovery() separates the state from what stands in the context", async () => {
  const pool = await createPool(["base"]);
  const policy = createScriptedPreset("base");
  const contexts = ["full", "state_only"] as const;
  const episodes = await playPool(pool, [policy], { contexts });
  const result = await measureRecovery(pool, episodes, {
    policies: ["base"],
    contexts,
    budgets: [4, 16],
    disclosure: "hidden",
    terminalRule: "act",
    samples: 6,
  });
  // A scripted policy that does not see its error plays on as if it had made none: better here, so the context pollutes.
  const [effect] = result.contextEffects;
  expect([effect.context, effect.verdict]).toEqual(["state_only", "gain"]);
  expect(result.matrix).toBeUndefined();
});

test("measureRecovery() reads each b from its own episodes where the budget is told", async () => {
  const pool = await createPool(["base"]);
  const policy = createScriptedPreset("base");
  const setting = { budgets: [2, 8], disclosure: "countdown", samples: 2 } as const;
  const episodes = await playPool(pool, [policy], setting);
  const result = await measureRecovery(pool, episodes, {
    policies: ["base"],
    contexts: ["full"],
    terminalRule: "act",
    ...setting,
  });
  expect([result.mark, result.cells.length, result.debt[0].extraTurns]).toEqual(["run", 2, undefined]);
  const short = episodes.filter((episode) => episode.budget.maxTurns === 2 && episode.prefix?.arm === "error");
  expect(short.some((episode) => episode.turns[0].notice === "Turns left, this one included: 2.")).toBe(true);
});

test("measureSteps() splits the difference of error rates exactly, and own states played again give the logged rates", async () => {
  const pool = await createPool(["base", "better-decision"], 6);
  const policies = [createScriptedPreset("base"), createScriptedPreset("better-decision")];
  const episodes = await playPool(pool, policies, { arms: ["before", "visited"], budgets: [1], samples: 12 });
  const steps = await measureSteps(env, pool, episodes, { policies: ["base", "better-decision"], samples: 12 });
  const [split] = steps.splits;
  expect(split.policyPart.value + split.stateMixPart.value).toBe(split.difference.value);
  expect(split.difference.value).toBeCloseTo(split.rateB.value - split.rateA.value, 12);
  expect(split.difference.interval?.upper).toBeLessThan(0);
  expect(Math.abs(split.rateA.value - (split.loggedA ?? 0))).toBeLessThan(0.1);
  expect(Math.abs(split.rateB.value - (split.loggedB ?? 0))).toBeLessThan(0.1);
  expect(split.policyPart.interval?.upper).toBeLessThan(0);
});

test.each([
  { producers: ["a", "b"], solvers: ["a", "b"], weights: [0.5, -0.5, -0.5, 0.5] },
  { producers: ["a", "b"], solvers: ["a", "c"], weights: [1, -1, -1, 1] },
  { producers: ["a", "b"], solvers: ["c", "d"], weights: undefined },
  { producers: ["a", "b"], solvers: ["a"], weights: undefined },
])(
  "getExcessWeights() of producers $producers and solvers $solvers are $weights",
  ({ producers, solvers, weights }) => {
    const found = getExcessWeights(producers, solvers);
    if (weights === undefined) expect(found).toBeUndefined();
    else expect(found?.map((value) => Math.round(value * 1e9) / 1e9)).toEqual(weights);
  },
);

test.each([
  [0, "1"],
  [1, "2"],
  [2, "3-4"],
  [3, "3-4"],
  [4, "5-8"],
  [8, "9-16"],
])("getTurnBucket() of turn index %i is %s", (index, bucket) => {
  expect(getTurnBucket(index)).toBe(bucket);
});

test("measureRecovery() calls it no way back to stand where a wasted move left it", async () => {
  const source = {
    name: "injected",
    tasks: taskMap,
    read: () => injectErrors(env, tasks, { turns: [0, 1], maxTurns: 40 }),
  };
  const pool = await buildErrorPool(env, [source], { statesPerTask: 0, minSlack: 8 });
  const wasted = pool.prefixes.filter((prefix) => prefix.label === "wasteful");
  const stuck: Policy = { id: "stuck", config: {}, act: () => ({ action: { text: "", invalid: "nothing" } }) };
  const optimal = createScriptedPreset("optimal");
  const only = { ...pool, prefixes: wasted };
  const setting = { budgets: [2], samples: 1 } as const;
  const result = await measureRecovery(only, await playPool(only, [stuck, optimal], setting), {
    policies: ["stuck", "optimal"],
    contexts: ["full"],
    disclosure: "hidden",
    terminalRule: "act",
    ...setting,
  });
  expect(wasted.length).toBeGreaterThan(10);
  expect(result.cells.map((cell) => cell.returned?.value)).toEqual([0, 1]);
  expect(result.behaviour.map((row) => row.turnsToReturn?.value)).toEqual([2, 1]);
});

test("measureRecovery() refuses a policy that acts in another action space", async () => {
  const pool = await createPool(["base"]);
  const lost: Policy = {
    id: "lost",
    config: {},
    act: async () => ({ action: { text: "", toolCalls: [{ name: "does_not_exist", arguments: {} }] } }),
  };
  const episodes = await playPool(pool, [createScriptedPreset("base"), lost], { samples: 1 });
  await expect(
    measureRecovery(pool, episodes, {
      policies: ["base", "lost"],
      contexts: ["full"],
      budgets: [16],
      disclosure: "hidden",
      terminalRule: "act",
      samples: 1,
    }),
  ).rejects.toThrow(/Cannot measure recovery: .* of "lost" could not be carried out, as it calls "does_not_exist"/);
});
