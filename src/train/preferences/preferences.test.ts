import fc from "fast-check";
import { expect, test } from "vitest";
import { dpoLoss, type PreferredTokens } from "./dpo-loss.js";
import { parseRubric, selfRewardPairs } from "./self-reward.js";
import { searchPairs, upperConfidence, type SearchWorld } from "./tree-search.js";

const tokens = (logProbs: readonly number[], referenceLogProbs = logProbs): PreferredTokens => ({
  logProbs,
  referenceLogProbs,
  mask: logProbs.map(() => true),
});

test("dpoLoss() is -log sigmoid(0) before anything was learnt", () => {
  const { loss, gradients } = dpoLoss({ chosen: tokens([-1, -2]), rejected: tokens([-3]) }, 0.1);
  expect(loss).toBeCloseTo(0.6931, 4);
  expect(gradients).toEqual({ chosen: [-0.05, -0.05], rejected: [0.05] });
});

test("dpoLoss() sums over tokens, so that a longer answer moves the margin further", () => {
  const rejected = tokens([-1]);
  const short = dpoLoss({ chosen: tokens([-1], [-2]), rejected }, 0.1);
  const long = dpoLoss({ chosen: tokens([-1, -1, -1], [-2, -2, -2]), rejected }, 0.1);
  expect(short.margin).toBeCloseTo(0.1, 12);
  expect(long.margin).toBeCloseTo(0.3, 12);
});

test("dpoLoss() stays finite and ordered at margins that overflow", () => {
  const far = dpoLoss({ chosen: tokens([-2000], [-1]), rejected: tokens([-1], [-2000]) }, 1);
  expect(far.loss).toBeCloseTo(3998, 6);
  expect(far.gradients.chosen).toEqual([-1]);
  const near = dpoLoss({ chosen: tokens([-1], [-2000]), rejected: tokens([-2000], [-1]) }, 1);
  expect(near.loss).toBe(0);
});

const logProb = fc.double({ min: -4, max: 0, noNaN: true });
const side = fc.array(fc.tuple(logProb, logProb, fc.boolean()), { minLength: 1, maxLength: 6 }).map((list) => ({
  logProbs: list.map(([now]) => now),
  referenceLogProbs: list.map(([, before]) => before),
  mask: list.map(([, , isOwn]) => isOwn),
}));

test("dpoLoss() gradients equal finite differences, and nothing outside the masks matters", () => {
  fc.assert(
    fc.property(side, side, fc.constantFrom(NaN, 800, Infinity), (chosen, rejected, poison) => {
      const { gradients } = dpoLoss({ chosen, rejected }, 0.3);
      const hide = (one: PreferredTokens): PreferredTokens => ({
        ...one,
        logProbs: one.logProbs.map((value, i) => (one.mask[i] ? value : poison)),
        referenceLogProbs: one.referenceLogProbs.map((value, i) => (one.mask[i] ? value : poison)),
      });
      expect(dpoLoss({ chosen: hide(chosen), rejected: hide(rejected) }, 0.3)).toEqual(
        dpoLoss({ chosen, rejected }, 0.3),
      );
      chosen.logProbs.forEach((_, token) => {
        const at = (step: number) => {
          const logProbs = chosen.logProbs.map((value, i) => (i === token ? value + step : value));
          return dpoLoss({ chosen: { ...chosen, logProbs }, rejected }, 0.3).loss;
        };
        expect(gradients.chosen[token]).toBeCloseTo((at(1e-5) - at(-1e-5)) / 2e-5, 6);
      });
    }),
  );
});

/** A tree written out: a state is a path of letters; leaves have outcomes, ranks are given by state. */
function tree(outcomes: Readonly<Record<string, number>>, ranks: Readonly<Record<string, number>> = {}) {
  const world: SearchWorld<string, string> = {
    start: "",
    propose: (state) =>
      [
        ...new Set(
          Object.keys(outcomes)
            .filter((leaf) => leaf.startsWith(state))
            .map((leaf) => leaf[state.length]),
        ),
      ]
        .filter((action) => action !== undefined)
        .map((action) => ({ action, rankScore: ranks[state + action] ?? 0.5 })),
    step: (state, action) => state + action,
    findOutcome: (state) => outcomes[state],
  };
  return world;
}
const settings = { iterations: 60, exploration: 1, alpha: 1, threshold: 0.4, maxDepth: 5, seed: 1 };

test("searchPairs() finds the pairs of a hand-built tree", () => {
  const pairs = searchPairs(tree({ aa: 1, ab: 0, b: 0 }), settings);
  const told = pairs.map(({ state, chosen, rejected }) => `${state}:${chosen.action}>${rejected.action}`);
  expect(told).toEqual([":a>b", "a:a>b"]);
  expect(pairs[1].chosen.searchValue).toBe(1);
  expect(pairs[1].rejected.searchValue).toBe(0);
});

test("searchPairs() backs outcomes up as their arithmetic mean", () => {
  const pairs = searchPairs(tree({ aa: 1, ab: 0, b: 0 }), { ...settings, iterations: 41 });
  const [root, below] = pairs;
  const sum = ({ searchValue, visits }: { searchValue: number; visits: number }) => searchValue * visits;
  // The first visit of "a" made its node and was played on at random; all later ones went through its two actions.
  const later = below.chosen.visits + below.rejected.visits;
  expect(root.chosen.visits).toBe(later + 1);
  const first = sum(root.chosen) - sum(below.chosen) - sum(below.rejected);
  expect(Math.min(Math.abs(first), Math.abs(first - 1))).toBeLessThan(1e-9);
  expect(root.chosen.visits + root.rejected.visits).toBe(41);
});

test("searchPairs() with large exploration tries every action before it repeats one", () => {
  const pairs = searchPairs(tree({ a: 0, b: 0.5, c: 1 }), { ...settings, iterations: 3, exploration: 1000 });
  expect(pairs.map(({ chosen, rejected }) => chosen.action + rejected.action)).toEqual(["cb", "ca", "ba"]);
  expect(pairs.every(({ chosen, rejected }) => chosen.visits === 1 && rejected.visits === 1)).toBe(true);
});

test("searchPairs() visits the actions of an inner state as UCB1 says", () => {
  // Through "a" alone: its first visit makes the state and plays on, all later ones choose between x and y.
  const [pair] = searchPairs(tree({ ax: 1, ay: 0 }), { ...settings, iterations: 31 });
  const tried = [
    { outcome: 1, visits: 0 },
    { outcome: 0, visits: 0 },
  ];
  for (let stateVisits = 2; stateVisits <= 31; stateVisits += 1) {
    const [x, y] = tried.map(({ outcome, visits }) =>
      upperConfidence(visits === 0 ? 0 : outcome, 1, stateVisits, visits),
    );
    tried[x >= y ? 0 : 1].visits += 1;
  }
  expect([pair.chosen.visits, pair.rejected.visits]).toEqual(tried.map(({ visits }) => visits));
});

test.each([
  { alpha: 1, winner: "a" },
  { alpha: 0, winner: "b" },
])("searchPairs() at alpha $alpha goes by the outcome or by the rank alone", ({ alpha, winner }) => {
  const world = tree({ a: 1, b: 0 }, { a: 0.1, b: 0.9 });
  const [pair] = searchPairs(world, { ...settings, alpha, exploration: 10 });
  expect(pair.chosen.action).toBe(winner);
});

test("upperConfidence() falls with visits of the action and grows with those of the state", () => {
  expect(upperConfidence(0.5, 1, 1, 0)).toBe(0.5);
  expect(upperConfidence(0.5, 2, 10, 3)).toBeCloseTo(0.5 + 2 * Math.sqrt(Math.log(10) / 4), 12);
});

test.each([
  ["Points: 4. Score: 3\nSo Score: 4", 4],
  ["score: 9", 5],
  ["SCORE: -1", 0],
  ["Score: 2.5", 2.5],
  ["four out of five", undefined],
])("parseRubric(%j) is %s", (answer, score) => {
  expect(parseRubric(answer)).toBe(score);
});

test("selfRewardPairs() takes best against worst, drops ties and never counts what could not be read", () => {
  expect(
    selfRewardPairs([
      [[3, 5], [2], [undefined]],
      [[1], [1]],
      [[4], [undefined]],
    ]),
  ).toEqual([{ promptIndex: 0, chosen: 0, rejected: 1, margin: 2 }]);
});
