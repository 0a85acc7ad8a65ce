import fc from "fast-check";
import { expect, test } from "vitest";
import { batchAdvantages, budgetGroupKey } from "./batch-advantages.js";
import { groupAdvantages, type GroupAdvantage } from "./group-advantages.js";

const round = (list: readonly number[], digits = 6) => list.map((value) => Number(value.toFixed(digits)));

test.each<{ name: string; how: GroupAdvantage; first: number; rest: number }>([
  { name: "ddof 1, epsilon 1e-6", how: { kind: "grpo", ddof: 1, epsilon: 1e-6 }, first: 1.499997, rest: -0.499999 },
  { name: "ddof 1, epsilon 1e-4", how: { kind: "grpo", ddof: 1, epsilon: 1e-4 }, first: 1.4997, rest: -0.4999 },
  { name: "ddof 0, epsilon 0", how: { kind: "grpo", ddof: 0, epsilon: 0 }, first: 1.732051, rest: -0.57735 },
  { name: "no division in Dr. GRPO", how: { kind: "dr_grpo" }, first: 0.75, rest: -0.25 },
  { name: "leave one out", how: { kind: "rloo" }, first: 1, rest: -1 / 3 },
])("groupAdvantages() of [1, 0, 0, 0]: $name", ({ how, first, rest }) => {
  const digits = how.kind === "grpo" && how.epsilon === 1e-4 ? 4 : 6;
  expect(round(groupAdvantages([1, 0, 0, 0], how).advantages, digits)).toEqual(
    round([first, rest, rest, rest], digits),
  );
});

const kinds: readonly GroupAdvantage[] = [
  { kind: "grpo", ddof: 1, epsilon: 1e-6 },
  { kind: "grpo", ddof: 0, epsilon: 0 },
  { kind: "dr_grpo" },
  { kind: "rloo" },
];
const group = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 2, maxLength: 32 });

test.each(kinds)("groupAdvantages() of $kind sum to 0 and keep the order of returns", (how) => {
  fc.assert(
    fc.property(group, (returns) => {
      const { advantages } = groupAdvantages(returns, how);
      expect(advantages.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 9);
      advantages.forEach((advantage, i) =>
        advantages.forEach((other, j) => {
          if (returns[i] > returns[j]) expect(advantage).toBeGreaterThan(other);
        }),
      );
    }),
  );
});

test("groupAdvantages() of rloo is the return less the mean of the others", () => {
  fc.assert(
    fc.property(group, (returns) => {
      const { advantages } = groupAdvantages(returns, { kind: "rloo" });
      returns.forEach((value, i) => {
        const others = returns.filter((_, j) => j !== i);
        expect(advantages[i]).toBeCloseTo(value - others.reduce((sum, each) => sum + each, 0) / others.length, 9);
      });
    }),
  );
});

test.each(kinds)("groupAdvantages() of $kind are exactly 0 when all returns are equal", (how) => {
  // The mean of three 0.1 is not 0.1 in binary: without care, r - mean is 1e-17 and division by epsilon makes it count.
  const { advantages, isFlat } = groupAdvantages([0.1, 0.1, 0.1], how);
  expect(advantages).toEqual([0, 0, 0]);
  expect(isFlat).toBe(true);
});

test("groupAdvantages() refuses a group of one and returns that are not finite", () => {
  expect(() => groupAdvantages([1], { kind: "rloo" })).toThrow("at least 2 episodes: current size is 1");
  expect(() => groupAdvantages([1, NaN], { kind: "rloo" })).toThrow("not finite: found 1, NaN");
  expect(() => groupAdvantages([1e308, 0], { kind: "dr_grpo" })).toThrow(
    "spread is beyond all numbers: found 1e+308, 0",
  );
});

const tight = [0, 0, 0, 1].map((episodeReturn) => ({ group: budgetGroupKey("a", 2), maxTurns: 2, episodeReturn }));
const loose = [1, 1, 1, 0].map((episodeReturn) => ({ group: budgetGroupKey("a", 8), maxTurns: 8, episodeReturn }));
const verl: GroupAdvantage = { kind: "grpo", ddof: 1, epsilon: 1e-6 };

test("batchAdvantages() normalises each budget on its own", () => {
  const { advantages, groups } = batchAdvantages([...tight, ...loose], verl);
  expect(round(advantages, 3)).toEqual([-0.5, -0.5, -0.5, 1.5, 0.5, 0.5, 0.5, -1.5]);
  expect(groups.map(({ maxTurns, size }) => [maxTurns, size])).toEqual([
    [2, 4],
    [8, 4],
  ]);
});

test("batchAdvantages() has the same numbers for a group alone and in a batch, bit for bit", () => {
  fc.assert(
    fc.property(group, group, (one, other) => {
      const episodes = [...one.map((r) => ["a", r] as const), ...other.map((r) => ["b", r] as const)];
      const batch = batchAdvantages(
        episodes.map(([key, episodeReturn]) => ({ group: key, episodeReturn })),
        verl,
      );
      expect(batch.advantages).toEqual([
        ...groupAdvantages(one, verl).advantages,
        ...groupAdvantages(other, verl).advantages,
      ]);
    }),
  );
});

test("batchAdvantages() counts flat groups and never gives a single episode its raw return", () => {
  const single = { group: "alone", episodeReturn: 1 };
  const flat = [1, 1].map((episodeReturn) => ({ group: "flat", episodeReturn }));
  expect(() => batchAdvantages([single], verl)).toThrow('group "alone" as it holds one episode');
  expect(batchAdvantages([single, ...flat], verl, { singletons: "zero" })).toMatchObject({
    advantages: [0, 0, 0],
    flatCount: 2,
    singletonCount: 1,
    groups: [
      { group: "alone", size: 1, mean: 1, std: 0, isFlat: true },
      { group: "flat", size: 2, mean: 1, std: 0, isFlat: true },
    ],
  });
});
