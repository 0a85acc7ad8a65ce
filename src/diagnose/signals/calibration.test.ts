import fc from "fast-check";
import { expect, test } from "vitest";
import { brierScore, equalMassEce } from "./calibration.js";

test("brierScore() is the mean squared distance", () => {
  expect(brierScore([0.1, 0.4, 0.4, 0.8], [0, 0, 1, 1])).toBeCloseTo(0.1425, 12);
  expect(brierScore([0.1, 0.4, 0.4, 0.8], [0, 0, 1, 1], [1, 0, 0, 1])).toBeCloseTo(0.025, 12);
  expect(brierScore([], [])).toBeUndefined();
});

test.each([
  { name: "is the distance of bins' means", p: [0.2, 0.2, 0.8, 0.8], y: [0, 0, 1, 1], bins: 2, value: 0.2 },
  { name: "is 0 for shares that come true", p: [0.5, 0.5, 0.5, 0.5], y: [0, 1, 0, 1], bins: 10, value: 0 },
  {
    name: "keeps equal probabilities in one bin",
    p: [0.3, 0.3, 0.3, 0.3, 0.9],
    y: [0, 1, 0, 0, 1],
    bins: 5,
    value: (4 * 0.05 + 0.1) / 5,
  },
  { name: "lets misses of one bin cancel", p: [0.1, 0.3], y: [0, 1], bins: 1, value: 0.3 },
])("equalMassEce() $name", ({ p, y, bins, value }) => {
  expect(equalMassEce(p, y, { binCount: bins })).toBeCloseTo(value, 12);
});

test("equalMassEce() does not depend on the order of rows and never exceeds 1", () => {
  const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 0, max: 1 })), {
    minLength: 1,
    maxLength: 50,
  });
  fc.assert(
    fc.property(rows, (list) => {
      const value =
        equalMassEce(
          list.map(([p]) => p / 10),
          list.map(([, y]) => y),
        ) ?? NaN;
      const turned = [...list].reverse();
      expect(
        equalMassEce(
          turned.map(([p]) => p / 10),
          turned.map(([, y]) => y),
        ),
      ).toBeCloseTo(value, 12);
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
    }),
  );
});

test("brierScore() and equalMassEce() refuse what is no probability", () => {
  expect(() => brierScore([1.2], [1])).toThrow("0..1");
  expect(() => equalMassEce([NaN], [1])).toThrow("0..1");
  expect(() => equalMassEce([0.5], [1, 0])).toThrow("needs a label");
  expect(() => equalMassEce([0.5], [1], { binCount: 0 })).toThrow("at least 1 bin");
});
