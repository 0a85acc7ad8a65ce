import { expect, test } from "vitest";
import { sketchTrajectory, solvedAt } from "../../test/support/trajectories.js";
import type { ComparisonResult, Trajectory } from "../core/index.js";
import { measureAdaptation } from "./adaptation.js";
import { compareSeries, type CompareOptions } from "./compare.js";
import { collectSeries } from "./series.js";

/** A is fast on few tasks, B slow on many: B loses at T=1 and gains at T=8. */
function createSides(): { a: Trajectory[]; b: Trajectory[] } {
  const tasks = Array.from({ length: 40 }, (_, index) => `t${String(index).padStart(2, "0")}`);
  const a = tasks.map((task, index) =>
    sketchTrajectory({ policy: "base", task, grades: index < 16 ? solvedAt(1) : solvedAt(8, false) }),
  );
  const b = tasks.map((task, index) =>
    sketchTrajectory({ policy: "rl", task, grades: index < 32 ? solvedAt(6) : solvedAt(8, false) }),
  );
  return { a, b };
}
/** Returns the turns without what they took. */
function withoutUsage({ turns }: Trajectory): Trajectory["turns"] {
  return turns.map(({ usage: _usage, ...turn }) => turn);
}
async function compare(
  a: readonly Trajectory[],
  b: readonly Trajectory[],
  options: CompareOptions = {},
): Promise<ComparisonResult> {
  const [seriesA] = await collectSeries(a, "A");
  const [seriesB] = await collectSeries(b, "B");
  return compareSeries(seriesA, seriesB, options);
}

test("compareSeries() finds a reversal at small budgets and an onset at large ones", async () => {
  const { a, b } = createSides();
  const result = await compare(a, b, { budgets: [1, 2, 4, 6, 8] });
  expect(result.cells.map((cell) => [cell.maxTurns, cell.verdict])).toEqual([
    [1, "loss"],
    [2, "loss"],
    [4, "loss"],
    [6, "gain"],
    [8, "gain"],
  ]);
  expect(result.onsetTurns).toBe(6);
  expect(result.reversalTurns).toEqual([1, 2, 4]);
  expect(result.cells[0].estimate.value).toBeCloseTo(-0.4, 12);
  expect(result.cells[4].estimate.value).toBeCloseTo(0.4, 12);
  expect(result.discordance[4]).toMatchObject({ onlyA: 0, onlyB: 16, both: 16, neither: 8 });
  expect(result.discordance[4].pExact).toBeCloseTo(2 ** -15, 12);
  // Trapezoid over T = 1, 2, 4, 6, 8 of -.4, -.4, -.4, .4, .4, divided by the width 7.
  expect(result.areaBetween.value).toBeCloseTo((-0.4 - 0.8 + 0 + 0.8) / 7, 12);
});

test("compareSeries() tells exchange rates in tokens where all turns of both state them", async () => {
  // At T = 2 B solves half, as A does at T = 4. There A has spent 2 turns on 10 tasks and 4 on 30; B 2 on each.
  const play = (policy: string, count: number, solvedAtTurn: (index: number) => number | undefined): Trajectory[] =>
    Array.from({ length: count }, (_, index) => {
      const turn = solvedAtTurn(index);
      const grades = turn === undefined ? solvedAt(8, false) : solvedAt(turn);
      const episode = sketchTrajectory({ policy, task: `t${index}`, grades });
      const usage = { promptTokens: 8, completionTokens: 2 };
      return { ...episode, turns: episode.turns.map((one) => ({ ...one, usage })) };
    });
  const a = play("base", 40, (index) => (index < 10 ? 2 : index < 20 ? 4 : undefined));
  const b = play("rl", 40, (index) => (index < 20 ? 2 : undefined));
  const result = await compare(a, b, { budgets: [2, 4, 8] });
  expect(result.extraTurns[0].value).toBeCloseTo(2, 12);
  expect(result.extraTokens?.[0].value).toBeCloseTo((10 * 20 + 30 * 40) / 40 - 20, 12);
  const unknown = b.map((episode, index) => (index === 0 ? { ...episode, turns: withoutUsage(episode) } : episode));
  expect((await compare(a, unknown, { budgets: [2, 4, 8] })).extraTokens).toBeUndefined();
});

test("compareSeries() compares the shared tasks and names the rest", async () => {
  const { a, b } = createSides();
  const result = await compare(a.slice(0, 30), b.slice(5));
  expect([result.sharedTasks, result.onlyInA, result.onlyInB.length]).toEqual([
    25,
    ["t00", "t01", "t02", "t03", "t04"],
    10,
  ]);
});

test("compareSeries() swaps the signs when the sides are swapped", async () => {
  const { a, b } = createSides();
  const forward = await compare(a, b);
  const back = await compare(b, a);
  forward.cells.forEach((cell, index) =>
    expect(back.cells[index].estimate.value).toBeCloseTo(-cell.estimate.value, 12),
  );
});

test("compareSeries() never calls equal outcomes without variance equivalent on few tasks", async () => {
  const zeros = (policy: string): Trajectory[] =>
    Array.from({ length: 20 }, (_, index) =>
      sketchTrajectory({ policy, task: `t${index}`, grades: solvedAt(8, false) }),
    );
  const result = await compare(zeros("base"), zeros("rl"));
  expect(new Set(result.cells.map((cell) => cell.verdict))).toEqual(new Set(["undecided"]));
});

test.each([
  { name: "no shared task", changes: { task: { id: "other", hash: "f".repeat(64) } }, message: /share no task/ },
  { name: "another env", changes: { env: { id: "other", version: "1" } }, message: /different envs/ },
  {
    name: "another env version",
    changes: { env: { id: "counter", version: "2" } },
    message: /env version is not the same, "1" and "2"/,
  },
  { name: "another terminal rule", changes: { terminalRule: "hard" }, message: /terminal rule is not the same/ },
  {
    name: "another grader",
    changes: { grader: "judge 2" },
    message: /grader is not the same, "the env's own" and "judge 2"/,
  },
  {
    name: "another limit of tool calls",
    changes: { budget: { maxTurns: 8, maxToolCalls: 2 } },
    message: /limits beside turns is not the same, "none" and "at most 2 tool calls"/,
  },
  { name: "another disclosure", changes: { disclosure: "static" }, message: /disclosure is not the same/ },
] as const)("compareSeries() refuses $name", async ({ changes, message }) => {
  const { a, b } = createSides();
  await expect(
    compare(
      a,
      b.map((trajectory) => ({ ...trajectory, ...changes })),
    ),
  ).rejects.toThrow(message);
});

test("compareSeries() compares what was allowed by name, and labels it", async () => {
  const { a, b } = createSides();
  const newer = b.map((trajectory) => ({ ...trajectory, env: { id: "counter", version: "2" } }));
  const result = await compare(a, newer, { allow: ["env_version"] });
  expect(result.labels).toEqual(["env version: 1 (A), 2 (B)"]);
});

test("collectSeries() names a turn limit only where it tells series apart, not beside runs that are told their budget", async () => {
  const { a } = createSides();
  const told = a.map((trajectory) => ({ ...trajectory, disclosure: "static" as const }));
  const short = a.map((trajectory) => ({ ...trajectory, budget: { maxTurns: 1 } }));
  const labels = async (trajectories: typeof a) => (await collectSeries(trajectories)).map(({ label }) => label);
  expect(await labels([...a, ...told])).toEqual(["base · hidden", "base · static"]);
  expect(await labels([...a, ...told, ...short])).toEqual([
    "base · hidden · at most 8 turns",
    "base · static",
    "base · hidden · at most 1 turn",
  ]);
});

test("compareSeries() labels runs with another turn limit and says why their first turns need not agree", async () => {
  const { a } = createSides();
  const short = a.map((trajectory) => ({
    ...trajectory,
    turns: trajectory.turns.slice(0, 1),
    budget: { maxTurns: 1 },
  }));
  const both = await collectSeries([...a, ...short]);
  expect(both.map((series) => series.label)).toEqual(["base · at most 8 turns", "base · at most 1 turn"]);
  const result = compareSeries(both[0], both[1]);
  expect(result.labels).toEqual([
    expect.stringMatching(/^turn limit of the runs: 8 \(A\), 1 \(B\)\. .*are different figures/),
  ]);
  expect(result.cells.map((cell) => cell.maxTurns)).toEqual([1]);
});

test("measureAdaptation() gives what telling the budget changed", async () => {
  const tasks = ["a", "b", "c", "d"];
  const hidden = tasks.map((task) => sketchTrajectory({ task, grades: solvedAt(8, task === "a") }));
  const told = [2, 8].flatMap((maxTurns) =>
    tasks.map((task) =>
      sketchTrajectory({
        task,
        grades: solvedAt(2, task < "d"),
        changes: { disclosure: "countdown", budget: { maxTurns } },
      }),
    ),
  );
  const [first] = await collectSeries(hidden);
  const [second] = await collectSeries(told);
  const effects = measureAdaptation(first, second);
  expect(effects.map(({ maxTurns, estimate }) => [maxTurns, estimate.value])).toEqual([
    [2, 0.75],
    [8, 0.5],
  ]);
});

test("compareSeries() gives no verdict on fewer than ten tasks, and says so", async () => {
  const { a, b } = createSides();
  const result = await compare(a.slice(16, 25), b.slice(16, 25));
  expect(result.cells.at(-1)?.estimate.value).toBe(1);
  expect(new Set(result.cells.map((cell) => cell.verdict))).toEqual(new Set(["undecided"]));
  expect(result.warnings.join()).toMatch(
    /Fewer than 10 tasks or families stand behind the figures: no verdict is given/,
  );
  expect(result.labels).toEqual([]);
});

test("compareSeries() gives no smallest detectable difference where nothing varies", async () => {
  const { a } = createSides();
  const same = a.map((trajectory) => ({ ...trajectory, policy: { id: "rl" } }));
  expect((await compare(a, same)).minimumDetectableDifference).toBeUndefined();
});
