import fc from "fast-check";
import { expect, test } from "vitest";
import { createCounterEnv, createCounterTasks, createFunctionPolicy } from "../../test/support/tiny.js";
import { sketchTrajectory, solvedAt } from "../../test/support/trajectories.js";
import type { PolicySurface, Trajectory } from "../core/index.js";
import { createMemoryStore, planEpisodes, runEpisodes } from "../rollout/index.js";
import { measureSurface, type SurfaceOptions } from "./measure-surface.js";
import { collectSeries } from "./series.js";

async function measure(trajectories: readonly Trajectory[], options: SurfaceOptions = {}): Promise<PolicySurface> {
  const [series] = await collectSeries(trajectories);
  return measureSurface(series, options);
}
function getValue(surface: PolicySurface, k: number, maxTurns: number): number | undefined {
  return surface.cells.find((cell) => cell.k === k && cell.maxTurns === maxTurns)?.estimate.value;
}

const twoTasks = [
  sketchTrajectory({ task: "easy", sample: 0, grades: solvedAt(1) }),
  sketchTrajectory({ task: "easy", sample: 1, grades: solvedAt(3) }),
  sketchTrajectory({ task: "hard", sample: 0, grades: solvedAt(8, false) }),
  sketchTrajectory({ task: "hard", sample: 1, grades: solvedAt(4) }),
];

test("measureSurface() cuts every smaller T from the longest runs and averages over tasks", async () => {
  const surface = await measure(twoTasks, { budgets: [1, 2, 4, 8] });
  expect(surface.mark).toBe("cut");
  expect([1, 2, 4, 8].map((maxTurns) => getValue(surface, 1, maxTurns))).toEqual([0.25, 0.25, 0.75, 0.75]);
  expect([1, 2, 4, 8].map((maxTurns) => getValue(surface, 2, maxTurns))).toEqual([0.5, 0.5, 1, 1]);
  expect(surface.isMonotone).toBe(true);
});

test("measureSurface() grades the state at the cut with act, and what had ended with hard", async () => {
  const lost = [true, true, false, false];
  const act = await measure([sketchTrajectory({ task: "a", grades: lost })], { budgets: [1, 2, 3, 4] });
  expect([1, 2, 3, 4].map((maxTurns) => getValue(act, 1, maxTurns))).toEqual([1, 1, 0, 0]);
  expect(act.isMonotone).toBe(false);
  const hard = await measure([sketchTrajectory({ task: "a", grades: lost, changes: { terminalRule: "hard" } })], {
    budgets: [1, 4],
  });
  expect([1, 4].map((maxTurns) => getValue(hard, 1, maxTurns))).toEqual([0, 0]);
});

test("measureSurface() says hard where the grade of a cut state is not known", async () => {
  const surface = await measure([sketchTrajectory({ task: "a", grades: [undefined, undefined], success: true })], {
    budgets: [1, 2],
  });
  expect(surface.terminalRule).toBe("hard");
  expect([getValue(surface, 1, 1), getValue(surface, 1, 2)]).toEqual([0, 1]);
});

test("measureSurface() says hard where a scorer judged whole episodes", async () => {
  const judged = sketchTrajectory({ task: "a", grades: [false, true, true], changes: { grader: "judge 1" } });
  const surface = await measure([judged], { budgets: [2, 3] });
  expect([surface.terminalRule, getValue(surface, 1, 2), getValue(surface, 1, 3)]).toEqual(["hard", 0, 1]);
});

test("measureSurface() leaves errored and unknown episodes out of every T alike, and counts them", async () => {
  const error = { type: "error", boundary: "policy", errorClass: "timeout", message: "Too slow" } as const;
  const surface = await measure([
    ...twoTasks,
    sketchTrajectory({ task: "easy", sample: 2, grades: [false], success: undefined, stop: error }),
    sketchTrajectory({ task: "hard", sample: 2, grades: [undefined], success: undefined, stop: { type: "unknown" } }),
    sketchTrajectory({ task: "lost", grades: [], success: undefined, stop: error }),
  ]);
  expect(getValue(surface, 1, 8)).toBe(0.75);
  expect(surface.denominator).toMatchObject({
    recordedEpisodes: 7,
    countedEpisodes: 4,
    erroredEpisodes: 2,
    unknownEpisodes: 1,
    errorsByClass: { "policy/timeout": 2 },
    rateWithoutErrors: 0.75,
    rateWithErrorsAsFailures: 0.5,
  });
  expect(surface.denominator.droppedTasks).toEqual([{ taskId: "lost", reason: "no counted episode at T=1, 2, 4, 8" }]);
});

test("measureSurface() gives shares of stop reasons that sum to 1 at every T", async () => {
  const surface = await measure([
    ...twoTasks,
    sketchTrajectory({ task: "easy", sample: 2, grades: [false, false], stop: { type: "quit" } }),
  ]);
  const atTwo = surface.stopShares.find((row) => row.maxTurns === 2)?.shares ?? {};
  expect(atTwo.solved).toBeCloseTo(1 / 6, 12);
  expect(atTwo.quit).toBeCloseTo(1 / 6, 12);
  expect(atTwo.max_turns).toBeCloseTo(2 / 3, 12);
  for (const { shares } of surface.stopShares) {
    expect(Object.values(shares).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  }
});

test("measureSurface() gives a cumulative incidence whose end is the success rate over tasks", async () => {
  const surface = await measure([
    ...twoTasks,
    sketchTrajectory({ task: "easy", sample: 2, grades: [false, false], stop: { type: "quit" } }),
  ]);
  expect(surface.incidence.at(-1)?.success).toBeCloseTo(getValue(surface, 1, 8) ?? NaN, 12);
  expect(surface.incidence[1].quit).toBeCloseTo(1 / 6, 12);
});

test.each([
  { name: "k above n", options: { sampleCounts: [3] }, message: /pass@3: task "\w+" of "base" has 2 counted samples/ },
  {
    name: "T above the budget",
    options: { budgets: [16] },
    message: /at T=16: its episodes were run with at most 8 turns/,
  },
  { name: "k=0", options: { sampleCounts: [0] }, message: /k is a whole number/ },
])("measureSurface() refuses $name", async ({ options, message }) => {
  await expect(measure(twoTasks, options)).rejects.toThrow(message);
});

test("measureSurface() refuses pass@k of dependent attempts and gives k=1 by default", async () => {
  const retries = twoTasks.map((trajectory) => ({ ...trajectory, dependsOn: "earlier" }));
  await expect(measure(retries, { sampleCounts: [2] })).rejects.toThrow(/depend on earlier ones/);
  expect((await measure(retries)).sampleCounts).toEqual([1]);
});

test("measureSurface() marks budgets that were run on their own, and refuses the ones that were not", async () => {
  const told = [2, 4].flatMap((maxTurns) =>
    ["a", "b"].map((task) =>
      sketchTrajectory({
        task,
        grades: solvedAt(maxTurns, task === "a"),
        changes: { disclosure: "static", budget: { maxTurns } },
      }),
    ),
  );
  const surface = await measure(told);
  expect([surface.mark, surface.budgets, getValue(surface, 1, 2)]).toEqual(["run", [2, 4], 0.5]);
  await expect(measure(told, { budgets: [3] })).rejects.toThrow(/run at T=2, 4/);
});

test("measureSurface() counts each T of a told budget by itself, and a cut one only once", async () => {
  const told = [2, 4].flatMap((maxTurns) =>
    [0, 1].map((sample) =>
      sketchTrajectory({
        task: "a",
        sample,
        grades: solvedAt(maxTurns, maxTurns === 4),
        changes: { disclosure: "static", budget: { maxTurns } },
      }),
    ),
  );
  const [failed] = told;
  const error = { type: "error", boundary: "policy", errorClass: "timeout", message: "" } as const;
  const surface = await measure([...told.slice(1), { ...failed, success: undefined, stopReason: error }]);
  expect(surface.denominator).toMatchObject({ recordedEpisodes: 4, countedEpisodes: 3 });
  expect(surface.denominator.byBudget).toMatchObject([
    { maxTurns: 2, recordedEpisodes: 2, countedEpisodes: 1, erroredEpisodes: 1, rateWithoutErrors: 0 },
    { maxTurns: 4, recordedEpisodes: 2, countedEpisodes: 2, erroredEpisodes: 0, rateWithoutErrors: 1 },
  ]);
  expect((await measure(twoTasks, { budgets: [1, 2] })).denominator.byBudget).toBeUndefined();
});

test("measureSurface() recovers the V(T) of a random walk whose values are known", async () => {
  // Up with probability .6, else down: V(3) = .6^3; V(5) adds one detour among the first three moves, 3 * .6^4 * .4.
  const policy = createFunctionPolicy(({ random }) => (random.next() < 0.6 ? "up" : "down"), "walk");
  const store = createMemoryStore();
  const config = {
    policyIds: ["walk"],
    tasks: createCounterTasks(50),
    sampleCount: 40,
    turnBudgets: [5],
    disclosure: "hidden",
    terminalRule: "act",
    seed: 3,
  } as const;
  await runEpisodes(createCounterEnv(), [policy], planEpisodes(config), store);
  const [series] = await collectSeries(store.read());
  const surface = measureSurface(series, { budgets: [2, 3, 4, 5] });
  const standardError = Math.sqrt(0.25 / 2000);
  expect(getValue(surface, 1, 2)).toBe(0);
  expect(Math.abs((getValue(surface, 1, 3) ?? 0) - 0.6 ** 3)).toBeLessThan(4 * standardError);
  expect(Math.abs((getValue(surface, 1, 5) ?? 0) - (0.6 ** 3 + 3 * 0.6 ** 4 * 0.4))).toBeLessThan(4 * standardError);
});

test("measureSurface() does not decrease in k, nor in T where success is absorbing, and does not depend on order", async () => {
  const episode = fc.record({
    task: fc.constantFrom("a", "b", "c"),
    turns: fc.integer({ min: 1, max: 8 }),
    isSolved: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(episode, { minLength: 6, maxLength: 24 }),
      fc.infiniteStream(fc.nat()),
      async (episodes, order) => {
        const all = episodes.map(({ task, turns, isSolved }, sample) =>
          sketchTrajectory({ task, sample, grades: solvedAt(turns, isSolved) }),
        );
        const surface = await measure(all, { replicates: 100 });
        const width = surface.budgets.length;
        surface.cells.forEach((cell, index) => {
          if (index % width > 0)
            expect(cell.estimate.value).toBeGreaterThanOrEqual(surface.cells[index - 1].estimate.value - 1e-12);
          if (index >= width)
            expect(cell.estimate.value).toBeGreaterThanOrEqual(surface.cells[index - width].estimate.value - 1e-12);
        });
        const shuffled = all
          .map((trajectory) => [order.next().value, trajectory] as const)
          .sort((x, y) => x[0] - y[0])
          .map(([, trajectory]) => trajectory);
        expect(await measure(shuffled, { replicates: 100 })).toEqual(surface);
      },
    ),
    { numRuns: 40 },
  );
});

test("measureSurface() draws lines of equal success over tries and turns, with their slopes", async () => {
  // Of 4 episodes a task one is solved within T=1 and two within T=2: 75 % takes about 3 tries at T=1 and less at T=2.
  const episodes = Array.from({ length: 12 }, (_unused, task) =>
    [1, 2, 8, 8].map((turn, sample) =>
      sketchTrajectory({ task: `t${task}`, sample, grades: solvedAt(turn, turn < 8) }),
    ),
  ).flat();
  const surface = await measure(episodes, { budgets: [1, 2], sampleCounts: [1, 2, 4] });
  const found = surface.contours?.find(({ level }) => level === 0.75);
  expect(found?.points.map(({ maxTurns }) => maxTurns)).toEqual([1, 2]);
  // pass@2 is .5 at T=1 and .8333 at T=2; pass@4 is 1: log2 k is 1.5 at T=1, and .75 at T=2.
  expect(found?.points[0].tries).toBeCloseTo(2 ** 1.5, 10);
  expect(found?.points[1].tries).toBeCloseTo(2 ** 0.75, 10);
  expect(found?.slopes).toHaveLength(1);
  expect(found?.slope).toBeCloseTo(-0.75, 10);
});

test("measureSurface() draws no contour with one try or one T", async () => {
  expect((await measure(twoTasks, { budgets: [1, 2, 4], sampleCounts: [1] })).contours).toBeUndefined();
  expect((await measure(twoTasks, { budgets: [4], sampleCounts: [1, 2] })).contours).toBeUndefined();
});
