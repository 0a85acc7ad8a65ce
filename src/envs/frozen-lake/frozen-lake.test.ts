import { expect, test } from "vitest";
import { createTask, envContractChecks, readPureState, type JsonValue, type Task } from "../../core/index.js";
import { createCallAction } from "../commands.js";
import { createFrozenLakeEnv } from "./frozen-lake.js";

const env = createFrozenLakeEnv();
const isSlippery = (task: Task) => (task.data as { readonly isSlippery: boolean }).isSlippery; // made by the env
test.each(envContractChecks(env, { levels: [1, 2, 3, 4], isSeedIndependent: (task) => !isSlippery(task) }))(
  "createFrozenLakeEnv(): $name",
  async (check) => {
    await expect(check.run()).resolves.toBeUndefined();
  },
);

/** Gym's 4 x 4 map, whose optimal chance of success without a turn limit is known: 14/17. */
const gym = { rows: ["SFFF", "FHFH", "FFFH", "HFFG"] };
const firm = createTask("frozen-lake", { ...gym, isSlippery: false });
const slippery = createTask("frozen-lake", { ...gym, isSlippery: true });
const at = (cell: number): JsonValue => ({ state: { cell }, stepIndex: 0 });

test("createFrozenLakeEnv() knows the optimal chance on Gym's slippery map: 14/17", () => {
  expect(env.oracle?.getSuccessChance?.(slippery, at(0))).toBeCloseTo(14 / 17, 10);
});
test("createFrozenLakeEnv() knows chances for few turns that can be checked by hand", () => {
  const chance = (cell: number, turns: number) => env.oracle?.getSuccessChance?.(slippery, at(cell), turns);
  expect(chance(14, 0)).toBe(0);
  expect(chance(14, 1)).toBeCloseTo(1 / 3, 12); // beside the goal: any move that can take "right"
  expect(chance(14, 2)).toBeCloseTo(1 / 3 + 1 / 9, 12); // and once more after a slip against the border
});
test("createFrozenLakeEnv() leaves regret to the choice, not to luck", async () => {
  const session = await env.start(slippery, 3);
  const best = env.oracle?.bestActions(slippery, session.snapshot?.() ?? null) ?? [];
  expect((await session.step(best[0])).regret).toBe(0);
  const bad = await env.resume?.(slippery, 3, at(14));
  const { regret } = (await bad?.step(createCallAction("move", { direction: "up" }))) ?? {};
  const { getSuccessChance } = env.oracle ?? {};
  const loss =
    (getSuccessChance?.(slippery, at(14)) ?? 0) -
    (getSuccessChance?.(slippery, at(14), undefined, createCallAction("move", { direction: "up" })) ?? 0);
  expect(loss).toBeGreaterThan(0);
  expect(regret).toBeCloseTo(loss, 12);
});
test("createFrozenLakeEnv() gives each outcome of a slippery move 1/3", () => {
  const outcomes = env.outcomes?.(slippery, at(8), createCallAction("move", { direction: "right" })) ?? [];
  expect(outcomes.map(({ probability }) => probability)).toEqual([1 / 3, 1 / 3, 1 / 3]);
  expect(outcomes.map(({ value }) => readPureState<{ cell: number }>(value.snapshot).cell)).toEqual([9, 4, 12]);
  expect(outcomes.map(({ value }) => value.result.ended)).toEqual([undefined, undefined, "env_fail"]);
});
test("createFrozenLakeEnv() carries out several calls in one turn and stops at the end", async () => {
  const session = await env.start(firm, 0);
  const moves = ["down", "down", "right", "down", "right", "right", "left"];
  const result = await session.step({
    text: "",
    toolCalls: moves.map((direction, i) => ({ id: `c${i}`, name: "move", arguments: { direction } })),
  });
  expect(result).toMatchObject({
    ended: "solved",
    solvedAfter: true,
    reward: 1,
    toolCalls: 6,
    envSteps: 6,
    distanceBefore: 6,
    distanceAfter: 0,
  });
  expect(result.observation.toolResults).toHaveLength(7);
  expect(result.observation.toolResults?.[6]).toMatchObject({ callId: "c6", isError: true });
});
test("createFrozenLakeEnv() shows the map with the agent on it", async () => {
  const session = await env.start(firm, 0);
  expect(session.observation.text).toBe("The ice is firm.\nP___\n_O_O\n___O\nO__G");
  expect((await session.step(createCallAction("move", { direction: "right" }))).observation.text).toBe(
    "You moved right.\n_P__\n_O_O\n___O\nO__G",
  );
  const fall = await session.step(createCallAction("move", { direction: "down" }));
  expect(fall).toMatchObject({ ended: "env_fail", solvedAfter: false, distanceAfter: { $number: "Infinity" } });
});
test("createFrozenLakeEnv() asks the oracle for more than one move in a turn", () => {
  const two = {
    text: "",
    toolCalls: ["down", "down"].map((direction) => ({ name: "move", arguments: { direction } })),
  };
  expect(env.oracle?.getSuccessChance?.(firm, at(0), 5, two)).toBe(1);
  expect(env.oracle?.getSuccessChance?.(firm, at(0), 4, two)).toBe(0);
});
