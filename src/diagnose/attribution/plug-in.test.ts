import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom } from "../../core/index.js";
import { countChainData, readWrongAsQuit, type ChainTask } from "./chain-data.js";
import { chooseClasses, countClassParameters, fitLatentClasses } from "./latent-classes.js";
import { computeCells, countSupport, weighCounts } from "./plug-in.js";
import { drawTaskWeights, estimatePlugIn } from "./plug-in-bootstrap.js";

/** Plays a chain whose chances shift with the task's difficulty. */
function simulateTasks(taskCount: number, samples: number, seed: number, spread: number, maxTurns = 8): ChainTask[] {
  const random = createRandom(seed, "plug-in test");
  const play = (quit: number, good: number, difficulty: number): Uint8Array => {
    const events: number[] = [];
    let mode = 0;
    for (let t = 0; t < maxTurns; t += 1) {
      const chance = 1 / (1 + Math.exp(-(good - difficulty - mode)));
      const u = random.next();
      const outcome = random.next() < quit * (1 + mode) ? 0 : u < chance * 0.3 ? 1 : u < chance ? 2 : u < 0.97 ? 3 : 4;
      events.push(mode * 5 + outcome);
      if (outcome !== 2 && outcome !== 3) break;
      mode = outcome - 2;
    }
    return Uint8Array.from(events);
  };
  return Array.from({ length: taskCount }, (_unused, task) => {
    const difficulty = spread * random.nextNormal();
    const repeat = (quit: number, good: number): Uint8Array[] =>
      Array.from({ length: 1 + random.nextInt(samples) }, () => play(quit, good, difficulty));
    return { taskId: `t${task}`, taskHash: `h${task}`, a: repeat(0.1, 0.2), b: repeat(0.02, 0.4) };
  });
}

function meanSuccess(tasks: readonly ChainTask[], side: "a" | "b", maxTurns: number): number {
  const rates = tasks.map(
    (task) =>
      task[side].filter((events) => events.slice(0, maxTurns).some((event) => event % 5 === 1)).length /
      task[side].length,
  );
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}

test("computeCells() has the mean over tasks of the observed success as its ends, whatever the classes are", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 8 }),
      (seed, classCount, maxTurns) => {
        const tasks = simulateTasks(12, 5, seed, 1.5);
        const data = countChainData(tasks, maxTurns);
        const { values } = computeCells(weighCounts(data, fitLatentClasses(data, classCount)), maxTurns);
        for (let t = 1; t <= maxTurns; t += 1) {
          expect(Math.abs(values[t - 1] - meanSuccess(tasks, "a", t))).toBeLessThan(1e-12);
          expect(Math.abs(values[7 * maxTurns + t - 1] - meanSuccess(tasks, "b", t))).toBeLessThan(1e-12);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test("an unequal number of samples weighs tasks alike, not episodes", () => {
  const solved = Uint8Array.of(1);
  const failed = Uint8Array.of(4);
  const tasks: ChainTask[] = [
    { taskId: "x", taskHash: "x", a: [solved], b: [solved] },
    { taskId: "y", taskHash: "y", a: [failed, failed, failed, failed], b: [failed] },
  ];
  const data = countChainData(tasks, 1);
  expect(computeCells(weighCounts(data, fitLatentClasses(data, 1)), 1).values[0]).toBe(0.5);
});

test("every bootstrap draw keeps its ends at the resampled mean", () => {
  const tasks = simulateTasks(15, 4, 3, 1);
  const data = countChainData(tasks, 6);
  const { replicates } = estimatePlugIn(data, { seed: 5, replicates: 20 });
  for (const [draw, cells] of replicates.entries()) {
    const weights = drawTaskWeights(data, 5, draw);
    const drawn = tasks.flatMap((task, index) => Array.from({ length: weights[index] }, () => task));
    expect(cells[5]).toBeCloseTo(meanSuccess(drawn, "a", 6), 12);
    expect(cells[7 * 6 + 5]).toBeCloseTo(meanSuccess(drawn, "b", 6), 12);
  }
});

test("chooseClasses() finds one kind of task where there is one, and several where difficulty spreads", () => {
  expect(chooseClasses(countChainData(simulateTasks(150, 8, 1, 0), 8)).fit.classCount).toBe(1);
  expect(chooseClasses(countChainData(simulateTasks(150, 8, 1, 2), 8)).fit.classCount).toBeGreaterThan(1);
  expect(countClassParameters(3)).toBe(50);
});

test("fitLatentClasses() never loses likelihood by more classes, and its memberships sum to 1", () => {
  const data = countChainData(simulateTasks(60, 6, 2, 1), 8);
  const fits = [1, 2, 3].map((classCount) => fitLatentClasses(data, classCount));
  expect(fits[1].logLikelihood).toBeGreaterThan(fits[0].logLikelihood);
  expect(fits[2].logLikelihood).toBeGreaterThan(fits[1].logLikelihood);
  for (let task = 0; task < 60; task += 1) {
    expect(fits[2].memberships.subarray(3 * task, 3 * task + 3).reduce((sum, part) => sum + part, 0)).toBeCloseTo(
      1,
      12,
    );
  }
});

test("estimatePlugIn() says that hybrids rest on thin cells where one policy was never in error", () => {
  const never = { ...simulateTasks(40, 6, 4, 0)[0], a: [Uint8Array.of(2, 2, 1)] };
  const tasks = simulateTasks(40, 6, 4, 0).map((task) => ({ ...task, a: never.a }));
  const { thinShares } = estimatePlugIn(countChainData(tasks, 8), { seed: 1, replicates: 0 });
  expect(thinShares[0]).toBe(0); // the first turn is always clean, and 40 tasks have played it
  expect(thinShares[7]).toBeGreaterThan(0.05);
});

test("readWrongAsQuit() moves wrong ends to quits and keeps success", () => {
  const [task] = readWrongAsQuit([
    { taskId: "x", taskHash: "x", a: [Uint8Array.of(3, 9)], b: [Uint8Array.of(4), Uint8Array.of(1)] },
  ]);
  expect([...task.a[0], ...task.b[0], ...task.b[1]]).toEqual([3, 5, 0, 1]);
});

test("families are resampled together", () => {
  const tasks = simulateTasks(6, 2, 1, 1).map((task, index) => ({ ...task, family: index < 3 ? "left" : "right" }));
  const data = countChainData(tasks, 4);
  expect(data.familyCount).toBe(2);
  const weights = drawTaskWeights(data, 1, 0);
  expect(new Set(weights.subarray(0, 3)).size).toBe(1);
  expect(weights[0] + weights[3]).toBe(2);
});

test("countChainData() refuses a task without an episode of one policy", () => {
  expect(() => countChainData([{ taskId: "x", taskHash: "x", a: [], b: [Uint8Array.of(1)] }], 2)).toThrow('task "x"');
});

test("countSupport() counts every event once, spread over the classes", () => {
  const data = countChainData(simulateTasks(20, 5, 9, 1), 4);
  const memberships = Float64Array.from({ length: 40 }, (_unused, i) => (i % 2 === 0 ? 0.25 : 0.75));
  const support = countSupport(data, { classCount: 2, memberships });
  const events = data.pooled.reduce((sum, count) => sum + count, 0);
  const [first, second] = [0, 1].map((k) =>
    support.subarray((k * support.length) / 2, ((k + 1) * support.length) / 2).reduce((sum, count) => sum + count, 0),
  );
  expect(first).toBeCloseTo(events / 4, 9);
  expect(second).toBeCloseTo((3 * events) / 4, 9);
});

test("support is judged class by class: a rare kind of task is thin although all tasks together are many", () => {
  // 40 easy tasks have seen errors of both policies; 3 hard ones of their own class have hardly been seen in error.
  const easy = Array.from({ length: 40 }, (_unused, i) => ({
    taskId: `e${i}`,
    taskHash: `e${i}`,
    a: [Uint8Array.of(3, 6)],
    b: [Uint8Array.of(3, 6)],
  }));
  const hard = Array.from({ length: 3 }, (_unused, i) => ({
    taskId: `h${i}`,
    taskHash: `h${i}`,
    a: [Uint8Array.of(3, 9)],
    b: [Uint8Array.of(3, 9)],
  }));
  const data = countChainData([...easy, ...hard], 2);
  const alone = { classCount: 1, memberships: new Float64Array(43).fill(1) };
  const apart = {
    classCount: 2,
    memberships: Float64Array.from({ length: 86 }, (_unused, i) => (i % 2 === (i < 80 ? 0 : 1) ? 1 : 0)),
  };
  const [pooled, split] = [alone, apart].map(
    (fit) => computeCells(weighCounts(data, fit), 2, countSupport(data, fit)).thinShares[2 * 2 + 1],
  );
  expect(pooled).toBe(0);
  expect(split).toBeCloseTo(3 / 43, 12);
});
