import { expect, test } from "vitest";
import { createCounterEnv, createCounterTasks, createListPolicy, toAction } from "../../test/support/tiny.js";
import type { Env, EnvSession, Policy, PolicyResult, StepResult } from "../core/index.js";
import { createMemoryStore } from "./memory-store.js";
import { planEpisodes } from "./plan.js";
import { runEpisode, runLockstep } from "./run-episode.js";
import { runEpisodes } from "./run-episodes.js";

const tasks = createCounterTasks(3);
const [task] = tasks;
const up = createListPolicy(["up"]);

/** A promise that is settled from outside. */
interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function createDeferred<T>(): Deferred<T> {
  let resolve: Deferred<T>["resolve"] = () => undefined;
  let reject: Deferred<T>["reject"] = () => undefined;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** A clock whose sleeps are over when `pass` says so. */
function createTestClock(): {
  now: () => number;
  sleep: (seconds: number, signal: AbortSignal) => Promise<void>;
  pass: (seconds: number) => void;
  sleeping: () => number;
} {
  let time = 0;
  const sleeps = new Set<{ readonly until: number; readonly wake: () => void }>();
  return {
    now: () => time,
    sleeping: () => sleeps.size,
    sleep(seconds, signal) {
      return new Promise((resolve, reject) => {
        const entry = { until: time + seconds, wake: resolve };
        sleeps.add(entry);
        signal.addEventListener("abort", () => {
          sleeps.delete(entry);
          reject(new Error("Cut short"));
        });
      });
    },
    pass(seconds) {
      time += seconds;
      for (const entry of sleeps) if (entry.until <= time) entry.wake();
    },
  };
}

/** Returns the counter env in which the step with this number never ends by itself, and how to end it. */
function createHangingEnv(hangsAt: number): {
  env: Env;
  whenHanging: Promise<void>;
  finish: (step: StepResult) => void;
  closed: () => number;
} {
  const careful = createCounterEnv();
  const hanging = createDeferred<void>();
  const late = createDeferred<StepResult>();
  let closed = 0;
  const env: Env = {
    ...careful,
    async start(one, seed): Promise<EnvSession> {
      const session = await careful.start(one, seed);
      let count = 0;
      return {
        observation: session.observation,
        step(action) {
          count += 1;
          if (count < hangsAt) return session.step(action);
          hanging.resolve();
          return late.promise;
        },
        close() {
          closed += 1;
        },
      };
    },
  };
  return { env, whenHanging: hanging.promise, finish: late.resolve, closed: () => closed };
}

/** Returns a policy whose call with this number never ends by itself. */
function createHangingPolicy(hangsAt: number): {
  policy: Policy;
  whenHanging: Promise<AbortSignal | undefined>;
  fail: (error: Error) => void;
} {
  const hanging = createDeferred<AbortSignal | undefined>();
  const late = createDeferred<PolicyResult>();
  const policy: Policy = {
    ...up,
    act({ turnIndex, signal }) {
      if (turnIndex < hangsAt) return { action: toAction("up") };
      hanging.resolve(signal);
      return late.promise;
    },
  };
  return { policy, whenHanging: hanging.promise, fail: late.reject };
}

test("runEpisode() ends as max_seconds while a policy call is in flight, tells the call, and ignores its late error", async () => {
  const clock = createTestClock();
  const { policy, whenHanging, fail } = createHangingPolicy(1);
  const playing = runEpisode(createCounterEnv(), policy, task, { budget: { maxSeconds: 5 }, ...clock });
  const signal = await whenHanging;
  clock.pass(4.9);
  expect(signal?.aborted).toBe(false);
  clock.pass(0.2);
  const { stopReason, turns, success } = await playing;
  expect([stopReason, turns.length, success]).toEqual([{ type: "max_seconds" }, 1, false]);
  expect([signal?.aborted, clock.sleeping()]).toEqual([true, 0]);
  fail(new Error("Late")); // would fail the test run as an unhandled rejection
  await new Promise((resolve) => setImmediate(resolve));
});

test("runEpisode() ends as max_seconds while an env step is in flight, without that turn, and closes the session", async () => {
  const clock = createTestClock();
  const { env, whenHanging, finish, closed } = createHangingEnv(2);
  const playing = runEpisode(env, up, task, { budget: { maxSeconds: 5 }, ...clock });
  await whenHanging;
  clock.pass(5);
  const trajectory = await playing;
  expect([trajectory.stopReason, trajectory.turns.length]).toEqual([{ type: "max_seconds" }, 1]);
  const written = JSON.stringify(trajectory);
  finish({ observation: { text: "late" }, ended: "solved" });
  await new Promise((resolve) => setImmediate(resolve));
  expect([JSON.stringify(trajectory), closed(), clock.sleeping()]).toEqual([written, 1, 0]);
});

test("runEpisode() leaves no sleep behind when every call is in time", async () => {
  const clock = createTestClock();
  const policy: Policy = { ...up, act: async () => Promise.resolve({ action: toAction("up") }) };
  const { success } = await runEpisode(createCounterEnv(), policy, task, { budget: { maxSeconds: 5 }, ...clock });
  expect([success, clock.sleeping()]).toEqual([true, 0]);
});

test("runEpisode() closes a session that comes after the time is up", async () => {
  const clock = createTestClock();
  const begun = createDeferred<EnvSession>();
  let closed = 0;
  const env: Env = { ...createCounterEnv(), start: () => begun.promise };
  const playing = runEpisode(env, up, task, { budget: { maxSeconds: 5 }, ...clock });
  clock.pass(5);
  const { stopReason, turns } = await playing;
  expect([stopReason, turns]).toEqual([{ type: "max_seconds" }, []]);
  begun.resolve({
    observation: { text: "" },
    step: () => ({ observation: { text: "" } }),
    close() {
      closed += 1;
    },
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(closed).toBe(1);
});

test("runLockstep() cuts only the episodes whose time is up", async () => {
  const clock = createTestClock();
  const asked = createDeferred<void>();
  const answers = createDeferred<PolicyResult[]>();
  let rounds = 0;
  const policy: Policy = {
    ...up,
    actBatch(requests) {
      rounds += 1;
      if (rounds > 1) return requests.map(() => ({ action: toAction("up") }));
      asked.resolve();
      return answers.promise;
    },
  };
  const env = createCounterEnv();
  const playing = runLockstep(
    policy,
    [1, 9].map((maxSeconds) => ({ env, task, options: { budget: { maxSeconds }, ...clock } })),
  );
  await asked.promise;
  clock.pass(2);
  await new Promise((resolve) => setImmediate(resolve));
  answers.resolve([1, 2].map(() => ({ action: toAction("up") })));
  const [short, long] = await playing;
  expect([short.stopReason.type, short.turns.length]).toEqual(["max_seconds", 0]);
  expect([long.stopReason, long.turns.length]).toEqual([{ type: "env_end", kind: "solved" }, 3]);
});

test.each([
  { name: "policy call", where: "policy" },
  { name: "env step", where: "env" },
  { name: "scorer", where: "scorer" },
])(
  "runEpisodes() gives up a $name that never resolves when the run is aborted, and keeps nothing of it",
  async ({ where }) => {
    const abort = new AbortController();
    const hangingPolicy = createHangingPolicy(1);
    const hangingEnv = createHangingEnv(2);
    const scoring = createDeferred<void>();
    const scorer = {
      id: "s",
      version: "1",
      score(): Promise<never> {
        scoring.resolve();
        return new Promise(() => {});
      },
    };
    const store = createMemoryStore();
    const plan = planEpisodes({
      policyIds: [up.id],
      tasks,
      sampleCount: 8,
      turnBudgets: [4],
      disclosure: "hidden",
      terminalRule: "act",
      seed: 1,
    });
    const running = runEpisodes(
      where === "env" ? hangingEnv.env : createCounterEnv(),
      [where === "policy" ? hangingPolicy.policy : up],
      plan,
      store,
      { abortSignal: abort.signal, ...(where === "scorer" ? { scorer } : {}) },
    );
    if (where === "policy") await hangingPolicy.whenHanging;
    else if (where === "env") await hangingEnv.whenHanging;
    else await scoring.promise;
    abort.abort();
    const progress = await running;
    expect([progress.played, progress.errored, progress.running]).toEqual([0, 0, 0]);
  },
);
