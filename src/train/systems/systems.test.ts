import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom } from "../../core/index.js";
import { hindsightRelabel, type HindsightStrategy } from "./hindsight.js";
import { getRolloutCapacity, simulateStaleness } from "./staleness.js";

test.each([
  [0, 0, 8, 0, 0, 64, 8],
  [4, 0, 8, 0, 0, 64, 40],
  [4, 3, 8, 20, 10, 64, 34],
  [0, 3, 8, 32, 0, 64, 0],
  [0, 0, 8, 0, 0, 4, 4],
  [0, 0, 8, 20, 0, 64, 0],
])(
  "getRolloutCapacity(%i, %i, %i, %i, %i, %i) is %i",
  (maxStaleness, version, batchSize, accepted, running, maxConcurrent, capacity) => {
    expect(getRolloutCapacity({ maxStaleness, version, batchSize, accepted, running, maxConcurrent })).toBe(capacity);
  },
);

test.each(["started", "finished"] as const)(
  "simulateStaleness() in the order %s never consumes a rollout that is too old, whatever the times",
  (order) => {
    const settings = fc.record({
      maxStaleness: fc.nat(4),
      batchSize: fc.integer({ min: 1, max: 6 }),
      maxConcurrent: fc.integer({ min: 1, max: 20 }),
      updateSeconds: fc.double({ min: 0, max: 5, noNaN: true }),
      seed: fc.nat(),
    });
    fc.assert(
      fc.property(settings, ({ seed, ...rest }) => {
        const random = createRandom(seed, "times");
        // Long tails: a few rollouts take a hundred times as long.
        const rolloutSeconds = () => 0.1 / (1.01 - random.next());
        const { maxBehind } = simulateStaleness({ ...rest, order, updates: 12, rolloutSeconds });
        expect(maxBehind).toHaveLength(12);
        expect(Math.max(...maxBehind)).toBeLessThanOrEqual(rest.maxStaleness);
      }),
    );
  },
);

const uneven = {
  batchSize: 4,
  maxConcurrent: 16,
  updates: 20,
  updateSeconds: 1,
  rolloutSeconds: (i: number) => 1 + (i % 4),
  order: "started",
} as const;

test("simulateStaleness() without staleness waits for each batch; with some it waits less", () => {
  const fresh = simulateStaleness({ ...uneven, maxStaleness: 0 });
  expect(fresh).toMatchObject({ totalSeconds: 100, trainerIdleShare: 0.8, dropped: 0 });
  const stale = simulateStaleness({ ...uneven, maxStaleness: 4 });
  expect(stale.totalSeconds).toBeLessThan(50);
  expect(stale.trainerIdleShare).toBeLessThan(fresh.trainerIdleShare);
});

test("simulateStaleness() drops the straggler or waits for it, and says which", () => {
  const straggler = {
    ...uneven,
    batchSize: 1,
    maxConcurrent: 2,
    maxStaleness: 1,
    rolloutSeconds: (i: number) => (i === 0 ? 50 : 1),
  };
  const waits = simulateStaleness({ ...straggler, order: "started" });
  const drops = simulateStaleness({ ...straggler, order: "finished", updates: 60 });
  expect(waits.dropped).toBe(0);
  expect(waits.totalSeconds).toBeGreaterThan(50);
  expect(drops.dropped).toBe(1);
});

test("simulateStaleness() refuses times with which it would never end", () => {
  expect(() => simulateStaleness({ ...uneven, maxStaleness: 0, rolloutSeconds: () => 0 })).toThrow("rollout of 0 s");
});

const relabel = (strategy: HindsightStrategy, seed: number, accepts: (goal: number) => boolean = () => true) =>
  hindsightRelabel([10, 11, 12, 13, 14], 99, {
    strategy,
    k: 4,
    random: createRandom(seed, "her"),
    accepts,
    reward: (achieved, wanted) => (achieved === wanted ? 1 : 0),
  });
const many = (strategy: HindsightStrategy) => Array.from({ length: 2000 }, (_, seed) => relabel(strategy, seed)).flat();

test("hindsightRelabel() relabels a share of 1 - 1/(1+k)", () => {
  const steps = many("future");
  const share = steps.filter(({ relabelledFrom }) => relabelledFrom !== undefined).length / steps.length;
  // 10,000 draws at .8 have a standard error of .004.
  expect(Math.abs(share - 0.8)).toBeLessThan(0.016);
});

test("hindsightRelabel() by future takes what came about from this turn on, never before, and reaches the end", () => {
  const steps = many("future");
  const from = new Set(steps.filter(({ turnIndex }) => turnIndex === 2).map(({ relabelledFrom }) => relabelledFrom));
  expect(from).toEqual(new Set([undefined, 2, 3, 4]));
  for (const { turnIndex, relabelledFrom } of steps)
    expect(relabelledFrom ?? turnIndex).toBeGreaterThanOrEqual(turnIndex);
});

test("hindsightRelabel() gives success at the last turn for the last achievement", () => {
  for (const step of many("final")) {
    if (step.relabelledFrom === undefined) expect(step).toMatchObject({ goal: 99, reward: 0 });
    else expect(step).toMatchObject({ goal: 14, reward: step.turnIndex === 4 ? 1 : 0 });
  }
});

test("hindsightRelabel() never makes a goal of what the grader does not accept", () => {
  const steps = Array.from({ length: 200 }, (_, seed) => relabel("episode", seed, (goal) => goal === 12)).flat();
  expect(new Set(steps.map(({ goal }) => goal))).toEqual(new Set([12, 99]));
});
