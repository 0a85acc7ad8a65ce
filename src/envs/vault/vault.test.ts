import { expect, test } from "vitest";
import { createTask, envContractChecks, type EnvSession, type JsonValue } from "../../core/index.js";
import { createCallAction } from "../commands.js";
import { createVaultEnv } from "./vault.js";

const env = createVaultEnv();
test.each(envContractChecks(env, { isSeedIndependent: () => true }))("createVaultEnv(): $name", async (check) => {
  await expect(check.run()).resolves.toBeUndefined();
});

/** Four keys of which colour and shape together single out one; the colour plate sticks, the guard is wrong. */
const data = {
  keys: ["red-round-iron-new", "red-oval-iron-new", "blue-round-iron-new", "blue-oval-iron-new"],
  opening: 1,
  stickOdds: 4,
  isSticky: [true, false, false, false],
  hint: 2,
  forceOdds: 5,
  isWeak: false,
};
const task = createTask("vault", data);
const read = (plate: string) => createCallAction("read", { plate });
const commit = (key: string) => createCallAction("commit", { key });
const start = async (): Promise<EnvSession> => env.start(task, 0);
const chance = (session: EnvSession, turnsLeft?: number) =>
  env.oracle?.getSuccessChance?.(task, session.snapshot?.() ?? null, turnsLeft);
const bestTools = (session: EnvSession, turnsLeft?: number) => [
  ...new Set(
    env.oracle?.bestActions(task, session.snapshot?.() ?? null, turnsLeft).map((action) => action.toolCalls?.[0]?.name),
  ),
];

test("createVaultEnv() makes a plate that sticks a recoverable error: reset, read again, go on", async () => {
  const session = await start();
  expect(await session.step(read("colour"))).toMatchObject({
    flags: { toolError: true },
    distanceBefore: 7,
    distanceAfter: 6,
    regret: 0,
  });
  expect(await session.step(read("colour"))).toMatchObject({
    flags: { toolError: true },
    distanceBefore: 6,
    distanceAfter: 7,
  });
  expect(await session.step(createCallAction("reset"))).toMatchObject({ distanceAfter: 6 });
  expect(await session.step(createCallAction("reset"))).toMatchObject({ distanceAfter: 5 });
  expect((await session.step(read("colour"))).observation.text).toContain("the right key's colour is red");
  expect(await session.step(read("colour"))).toMatchObject({ distanceBefore: 4, distanceAfter: 4 });
  expect(await session.step(read("shape"))).toMatchObject({ distanceAfter: 1 });
  expect(await session.step(commit("red-oval-iron-new"))).toMatchObject({
    ended: "solved",
    solvedAfter: true,
    reward: 1,
    regret: 0,
  });
});
test("createVaultEnv() does not count a jam when nothing is left to read", async () => {
  const session = await start();
  await session.step(read("shape"));
  await session.step(read("colour"));
  await session.step(createCallAction("reset"));
  const { distanceAfter } = await session.step(read("colour"));
  expect(distanceAfter).toBe(1);
  expect(await session.step(createCallAction("reset"))).toMatchObject({ distanceBefore: 1, distanceAfter: 1 });
});
test("createVaultEnv() makes a wrong key final and force a gamble", async () => {
  const wrong = await (await start()).step(commit("blue-oval-iron-new"));
  expect(wrong).toMatchObject({
    ended: "wrong_final",
    solvedAfter: false,
    distanceAfter: { $number: "Infinity" },
    regret: 0.75,
  });
  const forced = await (await start()).step(createCallAction("force"));
  expect(forced).toMatchObject({ ended: "env_fail", regret: 0.8 });
});
test("createVaultEnv() does not end when the named key is not on the ring", async () => {
  const result = await (await start()).step(commit("red-round-gold-new"));
  expect(result).toMatchObject({ flags: { toolError: true }, distanceBefore: 7, distanceAfter: 7 });
  expect(result.ended).toBeUndefined();
});

test("createVaultEnv() knows the chances for few turns that can be checked by hand", async () => {
  const session = await start();
  expect(chance(session, 0)).toBe(0);
  expect(chance(session, 1)).toBeCloseTo(1 / 4, 12); // any key
  expect(chance(session, 2)).toBeCloseTo(1 / 2, 12); // ask and believe
  // Read a plate first; if it sticks (1/4), ask and believe. If not (3/4), two keys are left and two turns: ask, and
  // believe unless the guard names a key that is ruled out. He names the right one with 1/2, the other with 1/6.
  const believe = 1 / 2 + (1 / 3) * (1 / 2);
  const readBoth = 3 / 4 + (1 / 4) * (1 / 2);
  expect(chance(session, 3)).toBeCloseTo((3 / 4) * Math.max(believe, readBoth) + (1 / 4) * (1 / 2), 12);
  expect(chance(session, 6)).toBeLessThan(1);
  expect(chance(session, 7)).toBe(1);
  expect(chance(session)).toBe(1);
});
test("createVaultEnv() plays differently for different budgets", async () => {
  const session = await start();
  expect(bestTools(session, 1)).toEqual(["commit"]);
  expect(bestTools(session, 2)).toEqual(["ask"]);
  expect(bestTools(session, 3)).toEqual(["read"]);
  expect(bestTools(session)).toEqual(["read"]);
});
test("createVaultEnv() lets the guard's word count, and stop counting once a plate rules it out", async () => {
  const session = await start();
  await session.step(createCallAction("ask"));
  expect(chance(session, 1)).toBeCloseTo(1 / 2, 12);
  expect(bestTools(session, 1)).toEqual(["commit"]);
  await session.step(read("shape")); // oval: the named key is round
  expect(chance(session, 1)).toBeCloseTo(1 / 2, 12);
  expect(env.oracle?.bestActions(task, session.snapshot?.() ?? null, 1)).toHaveLength(2);
});
test("createVaultEnv() never lets the oracle see what was not shown", async () => {
  const ask = async (secrets: object): Promise<JsonValue> => {
    const other = createTask("vault", { ...data, ...secrets });
    const session = await env.start(other, 0);
    const snapshot = session.snapshot?.() ?? null;
    return [1, 2, 3, 9].map((turns) => JSON.stringify(env.oracle?.bestActions(other, snapshot, turns)));
  };
  const known = await ask({});
  for (const secrets of [{ opening: 3 }, { hint: 0 }, { isWeak: true }, { isSticky: [false, true, true, true] }]) {
    expect(await ask(secrets)).toEqual(known);
  }
});
test("createVaultEnv() hands in a closing answer as a commitment", async () => {
  const action = env.closing?.submit({ text: "It must be the Red-Oval-Iron-New key." });
  expect(action).toEqual(commit("Red-Oval-Iron-New"));
  expect(await (await start()).step(commit("Red-Oval-Iron-New"))).toMatchObject({ ended: "solved" });
});
test("createVaultEnv() makes each level harder to be sure of", () => {
  const snapshot = {
    state: { plates: ["hidden", "hidden", "hidden", "hidden"], jam: 0, hasAsked: false, isOpen: false },
    stepIndex: 0,
  };
  const turns = Array.from({ length: 20 }, (_, index) => index + 1);
  const [first, second, third] = [1, 2, 3].map((level) =>
    (env.makeTasks?.({ split: "eval", level, taskCount: 8, seed: 4 }) ?? []).reduce((sum, each) => {
      return sum + (turns.find((turn) => env.oracle?.getSuccessChance?.(each, snapshot, turn) === 1) ?? Infinity) / 8;
    }, 0),
  );
  expect(first).toBeLessThan(second);
  expect(second).toBeLessThan(third);
  expect(third).toBeLessThanOrEqual(13);
});
