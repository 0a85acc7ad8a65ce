import fc from "fast-check";
import { expect, test } from "vitest";
import { auprc, auroc } from "./ranking-metrics.js";

const scores = [0.1, 0.4, 0.4, 0.8];
const labels = [0, 0, 1, 1];

test.each([
  { name: "counts ties half", scores, labels, weights: undefined, value: 0.875 },
  { name: "is 1 for a perfect order", scores: [1, 2, 3], labels: [0, 1, 1], weights: undefined, value: 1 },
  { name: "is 0 for the reverse order", scores: [3, 2, 1], labels: [0, 1, 1], weights: undefined, value: 0 },
  { name: "is one half for one score", scores: [5, 5, 5], labels: [0, 1, 0], weights: undefined, value: 0.5 },
  { name: "orders infinite scores", scores: [-Infinity, 0, Infinity], labels: [0, 0, 1], weights: undefined, value: 1 },
  {
    name: "is undefined when a class is missing",
    scores: [1, 2],
    labels: [1, 1],
    weights: undefined,
    value: undefined,
  },
  { name: "is undefined when a class has no weight", scores, labels, weights: [0, 0, 1, 1], value: undefined },
  { name: "weighs rows", scores, labels, weights: [0, 1, 1, 0], value: 0.5 },
])("auroc() $name", ({ scores: given, labels: truth, weights, value }) => {
  expect(auroc(given, truth, weights)).toBe(value);
});

test.each([
  { name: "takes tied scores together", scores, labels, value: 5 / 6 },
  { name: "is 1 for a perfect order", scores: [1, 2, 3], labels: [0, 1, 1], value: 1 },
  { name: "is the share of positives for one score", scores: [5, 5, 5, 5], labels: [0, 1, 0, 0], value: 0.25 },
  { name: "is undefined without a positive", scores: [1, 2], labels: [0, 0], value: undefined },
])("auprc() $name", ({ scores: given, labels: truth, value }) => {
  if (value === undefined) expect(auprc(given, truth)).toBeUndefined();
  else expect(auprc(given, truth)).toBeCloseTo(value, 12);
});

test.each([
  { name: "lengths that differ", scores: [1], labels: [0, 1], says: "one length" },
  { name: "a score that is not a number", scores: [1, NaN], labels: [0, 1], says: "score 1 is not a number" },
  { name: "labels that are not 0 or 1", scores: [1, 2], labels: [0, 2], says: "label 1 is 2" },
])("auroc() and auprc() refuse $name", ({ scores: given, labels: truth, says }) => {
  expect(() => auroc(given, truth)).toThrow(says);
  expect(() => auprc(given, truth)).toThrow(says);
});

const rows = fc.array(fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 0, max: 1 })), {
  minLength: 2,
  maxLength: 40,
});

test("auroc() and auprc() are the same for every increasing transform", () => {
  fc.assert(
    fc.property(rows, (list) => {
      const given = list.map(([score]) => score);
      const truth = list.map(([, label]) => label);
      const bent = given.map((score) => Math.exp(score / 7) * 3 - 1);
      expect(auroc(bent, truth)).toBe(auroc(given, truth));
      expect(auprc(bent, truth)).toBe(auprc(given, truth));
    }),
  );
});

test("auroc() of turned scores, and of swapped labels, is the complement", () => {
  fc.assert(
    fc.property(rows, (list) => {
      const given = list.map(([score]) => score);
      const truth = list.map(([, label]) => label);
      const value = auroc(given, truth);
      if (value === undefined) return;
      expect(
        auroc(
          given.map((score) => -score),
          truth,
        ),
      ).toBeCloseTo(1 - value, 12);
      expect(
        auroc(
          given,
          truth.map((label) => 1 - label),
        ),
      ).toBeCloseTo(1 - value, 12);
    }),
  );
});

test("auroc() is the mean over all pairs of who is higher", () => {
  fc.assert(
    fc.property(rows, (list) => {
      let wins = 0;
      let pairs = 0;
      for (const [yes, a] of list) {
        for (const [no, b] of list) {
          if (a !== 1 || b !== 0) continue;
          pairs += 1;
          wins += yes > no ? 1 : yes === no ? 0.5 : 0;
        }
      }
      const value = auroc(
        list.map(([score]) => score),
        list.map(([, label]) => label),
      );
      if (pairs === 0) expect(value).toBeUndefined();
      else expect(value).toBeCloseTo(wins / pairs, 12);
    }),
  );
});

test("auroc() with whole weights is auroc() of repeated rows", () => {
  fc.assert(
    fc.property(rows, fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 40, maxLength: 40 }), (list, counts) => {
      const repeated = list.flatMap((row, i) => Array.from({ length: counts[i] }, () => row));
      const weighted = auroc(
        list.map(([score]) => score),
        list.map(([, label]) => label),
        counts.slice(0, list.length),
      );
      const plain = auroc(
        repeated.map(([score]) => score),
        repeated.map(([, label]) => label),
      );
      if (plain === undefined) expect(weighted).toBeUndefined();
      else expect(weighted).toBeCloseTo(plain, 12);
    }),
  );
});
