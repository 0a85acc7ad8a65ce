import { describe, expect, test } from "vitest";
import { createTask, type Disclosure, type Env, type Task, type Trajectory } from "../src/core/index.js";
import {
  createFrozenLakeEnv,
  createLookupEnv,
  createRepairEnv,
  createSokobanEnv,
  createVaultEnv,
} from "../src/envs/index.js";
import {
  computeExactRun,
  createReplayPolicy,
  createScriptedPreset,
  scriptedPresetNames,
  type ScriptedPresetName,
} from "../src/policies/index.js";
import { collectSeries, measureSurface } from "../src/evaluate/index.js";
import { runEpisode } from "../src/rollout/index.js";

const maxTurns = 10;
const episodeCount = 200;

/** Returns the number of successes when cut at each T, as the product estimates them from the same episodes. */
async function countSolved(trajectories: readonly Trajectory[], budgets: readonly number[]): Promise<number[]> {
  const [series] = await collectSeries(trajectories);
  const { cells } = measureSurface(series, { budgets, sampleCounts: [1] });
  return cells.map((cell) => Math.round(cell.estimate.value * trajectories.length));
}
function getTask(env: Env, level: number): Task {
  return env.makeTasks?.({ split: "train", level, taskCount: 1, seed: 11 })[0] ?? createTask(env.id, {});
}
async function simulate(
  env: Env,
  name: ScriptedPresetName,
  task: Task,
  turns: number,
  disclosure: Disclosure,
): Promise<Trajectory[]> {
  const policy = createScriptedPreset(name);
  const trajectories: Trajectory[] = [];
  for (let sample = 0; sample < episodeCount; sample += 1) {
    const seeds = { sampleIndex: sample, envSeed: sample, samplingSeed: sample + 1 };
    trajectories.push(await runEpisode(env, policy, task, { budget: { maxTurns: turns }, disclosure, ...seeds }));
  }
  return trajectories;
}
/** Fails unless a count of successes fits the exact probability: |z| at most 4, and equal where nothing is random. */
function expectShare(count: number, probability: number, what: string): void {
  const deviation = Math.sqrt(Math.max(0, probability * (1 - probability)) / episodeCount);
  const difference = Math.abs(count / episodeCount - probability);
  expect(difference, `${what}: ${count} of ${episodeCount}, exact ${probability}`).toBeLessThanOrEqual(
    4 * deviation + 1e-9,
  );
}

const settings = [
  { name: "frozen-lake, firm", env: createFrozenLakeEnv(), level: 1 },
  { name: "frozen-lake, slippery", env: createFrozenLakeEnv(), level: 3 },
  { name: "sokoban", env: createSokobanEnv(), level: 1 },
  { name: "vault, 6 keys", env: createVaultEnv(), level: 2 },
  { name: "lookup, comparison", env: createLookupEnv({ kind: "comparison" }), level: 1 },
  { name: "lookup, bridge", env: createLookupEnv({ kind: "bridge" }), level: 1 },
];
describe.each(settings)("scripted policies in $name", ({ env, level }) => {
  const task = getTask(env, level);
  test.each(scriptedPresetNames)("%s succeeds, quits and fails as often as computed, at every cut", async (name) => {
    const rows = await computeExactRun(env, createScriptedPreset(name), task, maxTurns);
    const trajectories = await simulate(env, name, task, maxTurns, "hidden");
    const counts = await countSolved(
      trajectories,
      rows.map((row) => row.turns),
    );
    for (const [index, { turns, value, ended, running }] of rows.entries()) {
      expect(ended.solved + ended.quit + ended.wrong_final + ended.env_fail + running).toBeCloseTo(1, 9);
      expectShare(counts[index], value, `V(${turns})`);
    }
    const { ended } = rows[maxTurns - 1];
    const hasStopped =
      (kind: string) =>
      ({ stopReason }: Trajectory) =>
        stopReason.type === "quit" ? kind === "quit" : stopReason.type === "env_end" && stopReason.kind === kind;
    for (const [kind, probability] of Object.entries(ended)) {
      expectShare(trajectories.filter(hasStopped(kind)).length, probability, kind);
    }
  });
  test.each([
    { name: "optimal", disclosure: "countdown", turns: 2 },
    { name: "budget-aware", disclosure: "countdown", turns: 4 },
    { name: "budget-aware", disclosure: "static", turns: 7 },
    { name: "budget-blind", disclosure: "countdown", turns: 4 },
  ] as const)(
    "$name succeeds as often as computed when told $turns turns ($disclosure)",
    async ({ name, disclosure, turns }) => {
      const rows = await computeExactRun(env, createScriptedPreset(name), task, turns, { disclosure });
      const trajectories = await simulate(env, name, task, turns, disclosure);
      expect(rows).toHaveLength(turns);
      expectShare(trajectories.filter(({ success }) => success === true).length, rows[turns - 1].value, `V(${turns})`);
    },
  );
});

// Its tests really run, so it is played with fewer turns and presets than the others.
test.each(["optimal", "noisy", "base", "better-decision", "trained"] as const)(
  "%s in repair succeeds as often as computed, at every cut",
  async (name) => {
    const env = createRepairEnv();
    const task = getTask(env, 1);
    const rows = await computeExactRun(env, createScriptedPreset(name), task, 4);
    const trajectories = await simulate(env, name, task, 4, "hidden");
    const counts = await countSolved(trajectories, [1, 2, 3, 4]);
    expect(counts).toHaveLength(rows.length);
    for (const [index, { turns, value }] of rows.entries()) expectShare(counts[index], value, `V(${turns})`);
  },
);

/** Every vault with these keys, with its probability: the right key, sticking plates, the guard's word, the door. */
function listVaults(keys: readonly string[]): { readonly task: Task; readonly probability: number }[] {
  const vaults: { task: Task; probability: number }[] = [];
  for (const opening of keys.keys()) {
    for (const hint of keys.keys()) {
      for (let bits = 0; bits < 32; bits += 1) {
        const isSticky = [1, 2, 4, 8].map((bit) => (bits & bit) !== 0);
        const isWeak = (bits & 16) !== 0;
        const sticking = isSticky.reduce((product, sticky) => product * (sticky ? 1 / 4 : 3 / 4), 1);
        const named = hint === opening ? 1 / 2 : 1 / 2 / (keys.length - 1);
        const probability = (1 / keys.length) * named * sticking * (isWeak ? 1 / 5 : 4 / 5);
        vaults.push({
          task: createTask("vault", { keys, opening, stickOdds: 4, isSticky, hint, forceOdds: 5, isWeak }),
          probability,
        });
      }
    }
  }
  return vaults;
}
test("the vault's oracle promises exactly what optimal play reaches, averaged over all that is hidden", async () => {
  const env = createVaultEnv();
  const vaults = listVaults(["red-round-iron-new", "red-oval-iron-new", "blue-oval-iron-worn"]);
  const session = await env.start(vaults[0].task, 0);
  const budgets = [1, 2, 3, 4, 6, 7];
  const reached = budgets.map(() => 0);
  for (const { task, probability } of vaults) {
    for (const [index, turns] of budgets.entries()) {
      const rows = await computeExactRun(env, createScriptedPreset("optimal"), task, turns, {
        disclosure: "countdown",
      });
      reached[index] += probability * rows[turns - 1].value;
    }
  }
  for (const [index, turns] of budgets.entries()) {
    const promised = env.oracle?.getSuccessChance?.(vaults[0].task, session.snapshot?.() ?? null, turns);
    expect(reached[index], `${turns} turns`).toBeCloseTo(promised ?? NaN, 9);
  }
});
test("the slippery lake's oracle promises exactly what optimal play reaches", async () => {
  const env = createFrozenLakeEnv();
  const task = getTask(env, 3);
  const session = await env.start(task, 0);
  for (const turns of [1, 4, 8, 16]) {
    const rows = await computeExactRun(env, createScriptedPreset("optimal"), task, turns, { disclosure: "countdown" });
    const promised = env.oracle?.getSuccessChance?.(task, session.snapshot?.() ?? null, turns);
    expect(rows[turns - 1].value).toBeCloseTo(promised ?? NaN, 10);
  }
});
test("a budget changes how the vault is best played: told the budget, the optimal policy is better at few turns", async () => {
  const env = createVaultEnv();
  let [blind, aware] = [0, 0];
  for (const task of env.makeTasks?.({ split: "eval", level: 3, taskCount: 40, seed: 3 }) ?? []) {
    blind += (await computeExactRun(env, createScriptedPreset("optimal"), task, 3))[2].value;
    aware += (await computeExactRun(env, createScriptedPreset("optimal"), task, 3, { disclosure: "countdown" }))[2]
      .value;
  }
  expect(blind / 40).toBeLessThan(0.2); // wins only where two plates happened to be enough
  expect(aware / 40).toBeGreaterThan(0.35);
});
test("trained is behind base at few turns and ahead at many", async () => {
  const env = createSokobanEnv();
  const task = getTask(env, 1);
  const [base, trained] = [
    await computeExactRun(env, createScriptedPreset("base"), task, 16),
    await computeExactRun(env, createScriptedPreset("trained"), task, 16),
  ];
  const first = base.findIndex(({ value }) => value > 0);
  expect(trained[first].value).toBeLessThan(base[first].value);
  expect(trained[15].value).toBeGreaterThan(base[15].value);
});
test("createReplayPolicy() plays a recorded episode again, to the same record", async () => {
  for (const { env, level } of settings) {
    const task = getTask(env, level);
    const options = { budget: { maxTurns }, envSeed: 5, samplingSeed: 9 };
    const recorded = await runEpisode(env, createScriptedPreset("noisy"), task, options);
    const replayed = await runEpisode(env, createReplayPolicy(recorded), task, options);
    expect(replayed.turns).toEqual(recorded.turns);
    expect(replayed.stopReason).toEqual(recorded.stopReason);
    const longer = await runEpisode(env, createReplayPolicy({ ...recorded, turns: [] }), task, options);
    expect(longer.stopReason).toMatchObject({ type: "error", boundary: "policy", errorClass: "replay_exhausted" });
  }
});
