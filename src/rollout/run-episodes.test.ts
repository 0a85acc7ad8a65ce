import { expect, test } from "vitest";
import {
  createCounterEnv,
  createCounterTasks,
  createFunctionPolicy,
  createListPolicy,
  toAction,
} from "../../test/support/tiny.js";
import type { EpisodeStore, Policy, Trajectory } from "../core/index.js";
import { createMemoryStore } from "./memory-store.js";
import { countPlanned, planEpisodes, type PlanConfig } from "./plan.js";
import { runEpisodes } from "./run-episodes.js";

const env = createCounterEnv();
function createPlan(changes: Partial<PlanConfig> = {}): PlanConfig {
  return {
    policyIds: ["list"],
    tasks: createCounterTasks(5),
    sampleCount: 4,
    turnBudgets: [2, 8],
    disclosure: "hidden",
    terminalRule: "act",
    seed: 1,
    ...changes,
  };
}
async function readAll(store: EpisodeStore): Promise<Trajectory[]> {
  const all: Trajectory[] = [];
  for await (const trajectory of store.read()) all.push(trajectory);
  return all;
}

test("planEpisodes() runs only the largest budget where smaller ones can be cut", () => {
  expect([...planEpisodes(createPlan())].map((episode) => episode.budget.maxTurns)).toEqual(Array(20).fill(8));
  expect(countPlanned(createPlan({ disclosure: "static" }))).toBe(40);
  expect(countPlanned(createPlan({ terminalRule: "answer_only" }))).toBe(40);
});

test("planEpisodes() shares env seeds across policies and budgets, and no sampling seed", () => {
  const plan = [...planEpisodes(createPlan({ policyIds: ["a", "b"], disclosure: "static" }))];
  expect(new Set(plan.map((episode) => episode.envSeed)).size).toBe(20);
  expect(new Set(plan.map((episode) => episode.samplingSeed)).size).toBe(80);
});

test.each([{ turnBudgets: [0] }, { turnBudgets: [1.5] }, { turnBudgets: [] }, { sampleCount: 0 }, { tasks: [] }])(
  "planEpisodes() refuses $turnBudgets $sampleCount $tasks",
  (changes) => {
    expect(() => [...planEpisodes(createPlan(changes))]).toThrow(RangeError);
  },
);

test("runEpisodes() plays the whole plan and never more than the concurrency at once", async () => {
  let running = 0;
  let most = 0;
  const policy: Policy = {
    ...createListPolicy(["up"]),
    async act() {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return { action: toAction("up") };
    },
  };
  const store = createMemoryStore();
  const progress = await runEpisodes(env, [policy], planEpisodes(createPlan()), store, { concurrency: 3 });
  expect(progress).toMatchObject({ played: 20, succeeded: 20, errored: 0, turns: 60 });
  expect(most).toBe(3);
  expect(await readAll(store)).toHaveLength(20);
});

test("runEpisodes() continues where an earlier call stopped and redoes errored episodes", async () => {
  const store = createMemoryStore();
  let isBroken = true;
  const policy = createFunctionPolicy(({ task }) => {
    if (isBroken && task.id === "task-2") throw new Error("Down");
    return "up";
  }, "list");
  const first = await runEpisodes(env, [policy], planEpisodes(createPlan()), store, { limit: 15, concurrency: 1 });
  expect(first).toMatchObject({ played: 15, errored: 3, succeeded: 12, errorsByClass: { "policy/exception": 3 } });
  isBroken = false;
  const second = await runEpisodes(env, [policy], planEpisodes(createPlan()), store);
  expect(second).toMatchObject({ kept: 12, played: 8, succeeded: 8 });
  expect((await readAll(store)).every((trajectory) => trajectory.success)).toBe(true);
});

test("runEpisodes() drains on request, and gives up what is in flight only when aborted", async () => {
  const drain = new AbortController();
  const abort = new AbortController();
  const store = createMemoryStore();
  const policy = createFunctionPolicy(({ turnIndex, signal }) => {
    if (turnIndex === 1) drain.abort();
    if (signal?.aborted === true) throw new Error("Aborted");
    return "up";
  }, "list");
  const drained = await runEpisodes(env, [policy], planEpisodes(createPlan()), store, {
    concurrency: 4,
    drainSignal: drain.signal,
    abortSignal: abort.signal,
  });
  expect([drained.played, drained.succeeded]).toEqual([4, 4]);
  const aborting = createFunctionPolicy(() => {
    abort.abort();
    throw new Error("Aborted");
  }, "list");
  const aborted = await runEpisodes(env, [aborting], planEpisodes(createPlan()), store, { abortSignal: abort.signal });
  expect([aborted.played, aborted.errored]).toEqual([0, 0]);
  expect(await readAll(store)).toHaveLength(4);
});

test("runEpisodes() stops with the store's error when an episode cannot be kept", async () => {
  const store: EpisodeStore = { ...createMemoryStore(), append: () => Promise.reject(new Error("No space left")) };
  await expect(runEpisodes(env, [createListPolicy(["up"])], planEpisodes(createPlan()), store)).rejects.toThrow(
    "No space left",
  );
});

test("runEpisodes() takes the scorer's judgement, and records what the scorer throws", async () => {
  const store = createMemoryStore();
  const scorer = {
    id: "odd",
    version: "1",
    score(trajectory: Trajectory) {
      if (trajectory.task.id === "task-0") throw new Error("No judge");
      return { success: false, parts: { format: 1 } };
    },
  };
  const progress = await runEpisodes(env, [createListPolicy(["up"])], planEpisodes(createPlan()), store, { scorer });
  expect(progress).toMatchObject({ failed: 16, errored: 4, errorsByClass: { "scorer/exception": 4 } });
});

test("runEpisodes() steps a batching policy in lockstep and gives the same records as one by one", async () => {
  const choose = createFunctionPolicy(({ random }) => (random.next() < 0.5 ? "up" : "down"), "list");
  const batched: Policy = {
    ...choose,
    actBatch: (requests) => Promise.all(requests.map(async (request) => choose.act(request))),
  };
  const alone = createMemoryStore();
  const together = createMemoryStore();
  await runEpisodes(env, [choose], planEpisodes(createPlan()), alone);
  await runEpisodes(env, [batched], planEpisodes(createPlan()), together, { batchSize: 7, concurrency: 2 });
  const byId = (a: Trajectory, b: Trajectory): number => a.episodeId.localeCompare(b.episodeId);
  expect((await readAll(together)).sort(byId)).toEqual((await readAll(alone)).sort(byId));
});
