import { expect, test } from "vitest";
import { createTask, envContractChecks, untagNumber, type JsonValue } from "../../core/index.js";
import { createCallAction } from "../commands.js";
import { directions, type Direction } from "../grid.js";
import { measureRoom, movePlayer, readRoom, type RoomState } from "./room.js";
import { createSokobanEnv } from "./sokoban.js";

const env = createSokobanEnv();
test.each(envContractChecks(env, { isSeedIndependent: () => true, maxTurns: 30 }))(
  "createSokobanEnv(): $name",
  async (check) => {
    await expect(check.run()).resolves.toBeUndefined();
  },
);

const corridor = createTask("sokoban", { rows: ["######", "#____#", "#PXO_#", "#____#", "######"] });
const move = (direction: Direction) => createCallAction("move", { direction });

test("createSokobanEnv() pays RAGEN's rewards", async () => {
  const session = await env.start(corridor, 0);
  expect(await session.step(move("left"))).toMatchObject({ reward: -0.1, distanceBefore: 1, distanceAfter: 1 });
  const solved = await session.step(move("right"));
  expect(solved.reward).toBeCloseTo(10.9, 12);
  expect(solved).toMatchObject({ ended: "solved", solvedAfter: true, distanceAfter: 0 });
});
test("createSokobanEnv() pays for a box put on a target and takes it back", async () => {
  const task = createTask("sokoban", { rows: ["#######", "#_____#", "#PXO__#", "#_X___#", "#_O___#", "#######"] });
  const session = await env.start(task, 0);
  expect((await session.step(move("right"))).reward).toBeCloseTo(0.9, 12);
  const off = await session.step(move("right"));
  expect(off.reward).toBeCloseTo(-1.1, 12);
  expect(off.observation.text).toContain("off its target");
});
test("createSokobanEnv() tells a deadlock at once and goes on", async () => {
  const session = await env.start(createTask("sokoban", { rows: ["#####", "#_X_#", "#P__#", "#_O_#", "#####"] }), 0);
  await session.step(move("up"));
  const stuck = await session.step(move("right"));
  expect(stuck).toMatchObject({
    distanceBefore: { $number: "Infinity" },
    distanceAfter: { $number: "Infinity" },
    solvedAfter: false,
  });
  expect(stuck.ended).toBeUndefined();
});

/** Searches forwards from a state, knowing nothing of backward search. */
function searchForwards(rows: readonly string[], from: RoomState): number {
  const room = readRoom({ rows });
  const isSolved = (state: RoomState) => state.boxes.every((box) => room.targets.includes(box));
  const seen = new Map([[JSON.stringify(from), 0]]);
  const queue = [from];
  for (const state of queue) {
    const distance = seen.get(JSON.stringify(state)) ?? 0;
    if (isSolved(state)) return distance;
    for (const direction of directions) {
      const next = movePlayer(room, state, direction);
      if (seen.has(JSON.stringify(next))) continue;
      seen.set(JSON.stringify(next), distance + 1);
      queue.push(next);
    }
  }
  return Infinity;
}
test("createSokobanEnv() has the distances that forward search finds, deadlocks included", () => {
  let deadlockCount = 0;
  for (const task of [1, 2, 3].flatMap(
    (level) => env.makeTasks?.({ split: "train", level, taskCount: 3, seed: 5 }) ?? [],
  )) {
    const { rows } = task.data as { readonly rows: readonly string[] }; // made by the env
    const room = readRoom({ rows });
    const distances = measureRoom(room);
    let state = room.start;
    for (let step = 0; step < 12; step += 1) {
      const expected = searchForwards(rows, state);
      if (expected === Infinity) deadlockCount += 1;
      expect(distances.getDistance(state)).toBe(expected);
      state = movePlayer(room, state, directions[(step * 7 + task.hash.charCodeAt(step)) % 4]);
    }
  }
  expect(deadlockCount).toBeGreaterThan(0);
});
test("createSokobanEnv() keeps each level's distance", () => {
  const getDistances = (level: number) =>
    (env.makeTasks?.({ split: "eval", level, taskCount: 12, seed: 2 }) ?? []).map((task) => {
      const room = readRoom(task.data as { readonly rows: readonly string[] }); // made by the env
      return measureRoom(room).getDistance(room.start);
    });
  expect(Math.max(...getDistances(1))).toBeLessThanOrEqual(6);
  expect(Math.min(...getDistances(2))).toBeGreaterThanOrEqual(8);
  expect(Math.min(...getDistances(3))).toBeGreaterThanOrEqual(10);
});
test("createSokobanEnv() resumes at a state given as JSON", async () => {
  const snapshot: JsonValue = { state: { player: 13, boxes: [14] }, stepIndex: 0 };
  const session = await env.resume?.(corridor, 0, snapshot);
  const result = await session?.step(move("right"));
  expect(untagNumber(result?.distanceAfter)).toBe(0);
  expect(env.render?.(corridor, snapshot)).toBe("######\n#____#\n#PXO_#\n#____#\n######");
});
