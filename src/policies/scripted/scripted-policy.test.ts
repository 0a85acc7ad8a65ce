import { expect, test } from "vitest";
import {
  createRandom,
  policyContractChecks,
  tagNumber,
  type Action,
  type BoundOracle,
  type Turn,
} from "../../core/index.js";
import { createSokobanEnv } from "../../envs/index.js";
import { advanceMemory, firstMemory, type ScriptedMemory } from "./memory.js";
import { createScriptedPreset, scriptedPresetNames } from "./presets.js";
import { createScriptedPolicy, type ScriptedPolicyConfig } from "./scripted-policy.js";

for (const name of scriptedPresetNames) {
  test.each(policyContractChecks(createScriptedPreset(name), createSokobanEnv()))(
    `createScriptedPreset("${name}"): $name`,
    async (check) => {
      await expect(check.run()).resolves.toBeUndefined();
    },
  );
}

const call = (name: string, value = 0): Action => ({ text: "", toolCalls: [{ name, arguments: { value } }] });
/** Best is `go`; `look` and three kinds of `take` are allowed beside it. With few turns left `take 1` is best. */
const oracle: BoundOracle = {
  best: (turnsLeft = Infinity) => [turnsLeft < 3 ? call("take", 1) : call("go")],
  allowed: () => [call("go"), call("look"), call("take", 1), call("take", 2), call("take", 3)],
};
function getShares(
  config: Omit<ScriptedPolicyConfig, "id">,
  memory: ScriptedMemory = firstMemory,
  turnsLeft?: number,
): Record<string, number> {
  const shares: Record<string, number> = {};
  for (const { action, probability } of createScriptedPolicy({ id: "x", ...config }).getActionDistribution(
    memory,
    oracle,
    turnsLeft,
  )) {
    const name =
      action.quit === true ? "quit" : action.invalid !== undefined ? "invalid" : (action.toolCalls?.[0]?.name ?? "");
    shares[name] = (shares[name] ?? 0) + probability;
  }
  return Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, Number(share.toFixed(12))]));
}
const inError: ScriptedMemory = { mode: "error", lastCalls: [{ name: "look", arguments: { value: 0 } }] };

test.each([
  { name: "best actions alone", config: {}, shares: { go: 1 } },
  { name: "errors by tool first, then by call", config: { errorRate: 0.4 }, shares: { go: 0.6, look: 0.2, take: 0.2 } },
  {
    name: "unparsable errors",
    config: { errorRate: 0.4, invalidRate: 0.5 },
    shares: { go: 0.6, invalid: 0.2, look: 0.1, take: 0.1 },
  },
  {
    name: "a quit before anything else",
    config: { errorRate: 0.4, quitHazard: { clean: 0.5 } },
    shares: { quit: 0.5, go: 0.3, look: 0.1, take: 0.1 },
  },
  { name: "no loop before there was a turn", config: { loopRate: 0.5 }, shares: { go: 1 } },
  {
    name: "recovery in error, as good as decisions by default",
    config: { errorRate: 0.4 },
    memory: inError,
    shares: { go: 0.6, look: 0.2, take: 0.2 },
  },
  {
    name: "recovery in error of its own",
    config: { errorRate: 0.4, recoveryRate: 0.2 },
    memory: inError,
    shares: { go: 0.2, look: 0.4, take: 0.4 },
  },
  {
    name: "the hazard of its mode",
    config: { quitHazard: { clean: 0.5, error: 0.25 } },
    memory: inError,
    shares: { quit: 0.25, go: 0.75 },
  },
  {
    name: "a loop after the quit",
    config: { loopRate: 0.5, quitHazard: { error: 0.5 } },
    memory: inError,
    shares: { quit: 0.5, look: 0.25, go: 0.25 },
  },
  { name: "no thought of the budget when blind", config: {}, turnsLeft: 2, shares: { go: 1 } },
  {
    name: "the turns left when aware",
    config: { planning: "budget_aware" as const },
    turnsLeft: 2,
    shares: { take: 1 },
  },
  { name: "no budget where none is told", config: { planning: "budget_aware" as const }, shares: { go: 1 } },
])("getActionDistribution() has $name", ({ config, memory, turnsLeft, shares }) => {
  expect(getShares(config, memory, turnsLeft)).toEqual(shares);
});
test.each(["errorRate", "recoveryRate", "loopRate", "invalidRate"])(
  "createScriptedPolicy() refuses %s outside 0..1",
  (name) => {
    expect(() => createScriptedPolicy({ id: "x", [name]: 1.2 })).toThrow(
      `${name} must be in 0..1: current value is 1.2`,
    );
  },
);
test("createScriptedPolicy() acts as often as its distribution says", () => {
  const policy = createScriptedPolicy({ id: "x", errorRate: 0.4, quitHazard: { clean: 0.1 } });
  const env = createSokobanEnv();
  const [task] = env.makeTasks?.({ split: "train", level: 1, taskCount: 1, seed: 1 }) ?? [];
  const counts = { go: 0, quit: 0 };
  for (let seed = 0; seed < 2000; seed += 1) {
    const request = {
      task,
      env,
      turns: [],
      observation: { text: "" },
      turnIndex: 0,
      oracle,
      samplingSeed: seed,
      random: createRandom(seed),
    };
    const result = policy.act(request);
    if (!("action" in result)) throw new TypeError("A scripted policy answers at once");
    if (result.action.quit === true) counts.quit += 1;
    if (result.action.toolCalls?.[0]?.name === "go") counts.go += 1;
  }
  expect(Math.abs(counts.quit - 200)).toBeLessThan(4 * Math.sqrt(2000 * 0.1 * 0.9));
  expect(Math.abs(counts.go - 1080)).toBeLessThan(4 * Math.sqrt(2000 * 0.54 * 0.46));
});
test("createScriptedPolicy() needs an oracle", () => {
  const env = createSokobanEnv();
  const [task] = env.makeTasks?.({ split: "train", level: 1, taskCount: 1, seed: 1 }) ?? [];
  const request = {
    task,
    env,
    turns: [],
    observation: { text: "" },
    turnIndex: 0,
    samplingSeed: 0,
    random: createRandom(0),
  };
  expect(() => createScriptedPolicy({ id: "x" }).act(request)).toThrow(/was given no oracle/);
});

type Seen = Pick<Turn, "action" | "flags" | "distanceBefore" | "distanceAfter" | "regret">;
const moved = (before: number, after: number): Seen => ({
  action: call("go"),
  distanceBefore: tagNumber(before),
  distanceAfter: tagNumber(after),
});
test.each([
  { name: "clean at the beginning", turns: [], mode: "clean" },
  { name: "clean after progress", turns: [moved(5, 4), moved(4, 3)], mode: "clean" },
  { name: "in error after a wasted turn", turns: [moved(5, 4), moved(4, 4)], mode: "error" },
  { name: "in error while it is working its way back", turns: [moved(5, 4), moved(4, 6), moved(6, 5)], mode: "error" },
  {
    name: "clean again at the best distance",
    turns: [moved(5, 4), moved(4, 6), moved(6, 5), moved(5, 4)],
    mode: "clean",
  },
  { name: "in error without hope", turns: [moved(5, Infinity), moved(Infinity, Infinity)], mode: "error" },
  {
    name: "in error after a choice with regret where no distance is known",
    turns: [{ action: call("go"), regret: 0.1 }],
    mode: "error",
  },
  { name: "clean after bad luck, which is no regret", turns: [{ action: call("go"), regret: 0 }], mode: "clean" },
  {
    name: "in error after an unparsable action",
    turns: [{ action: call("go"), flags: { invalid: true as const } }],
    mode: "error",
  },
  {
    name: "clean after a flagged turn that made progress all the same",
    turns: [{ ...moved(5, 4), flags: { toolError: true as const } }],
    mode: "clean",
  },
])("advanceMemory() is $name", ({ turns, mode }) => {
  expect(turns.reduce(advanceMemory, firstMemory).mode).toBe(mode);
});
