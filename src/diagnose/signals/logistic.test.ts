import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom } from "../../core/index.js";
import { fitLogistic, predictLogistic } from "./logistic.js";

test("fitLogistic() finds the weights that made the labels", () => {
  const random = createRandom(1, "logistic test");
  const x = Array.from({ length: 20_000 }, () => random.nextNormal());
  const z = Array.from({ length: 20_000 }, () => random.nextInt(2));
  const y = x.map((value, i) => (random.next() < 1 / (1 + Math.exp(-(-0.5 + 1.2 * value - 0.8 * z[i]))) ? 1 : 0));
  const model = fitLogistic([x, z], y);
  expect(model.converged).toBe(true);
  expect(model.weights[0] / model.deviations[0]).toBeCloseTo(1.2, 1);
  expect(model.weights[1] / model.deviations[1]).toBeCloseTo(-0.8, 1);
  expect(
    model.intercept -
      (model.weights[0] * model.means[0]) / model.deviations[0] -
      (model.weights[1] * model.means[1]) / model.deviations[1],
  ).toBeCloseTo(-0.5, 1);
});

test("fitLogistic() meets the share of positives: fitted chances sum to the positives", () => {
  const rows = fc.array(fc.tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: 0, max: 1 })), {
    minLength: 3,
    maxLength: 40,
  });
  fc.assert(
    fc.property(rows, (list) => {
      const x = list.map(([value]) => value);
      const y = list.map(([, label]) => label);
      const positives = y.reduce((sum, label) => sum + label, 0);
      if (positives === 0 || positives === y.length) return;
      const model = fitLogistic([x], y);
      expect(model.converged).toBe(true);
      expect(predictLogistic(model, [x], x.length).reduce((sum, p) => sum + p, 0)).toBeCloseTo(positives, 5);
    }),
  );
});

test("fitLogistic() stays finite where one value separates the labels, and with one class", () => {
  const separated = fitLogistic([[0, 0, 1, 1]], [0, 0, 1, 1]);
  expect(separated.converged).toBe(true);
  expect(separated.weights[0]).toBeLessThan(5);
  for (const p of predictLogistic(fitLogistic([[1, 2]], [1, 1]), [[5, 6]], 2)) expect(p).toBeCloseTo(2.5 / 3, 12);
});

test("predictLogistic() reads a missing value as the mean and an infinite one as just beyond the range", () => {
  const model = fitLogistic([[0, 1, 2, 3]], [0, 0, 1, 1]);
  const [missing, mean, infinite, beyond] = predictLogistic(model, [[NaN, 1.5, Infinity, 3 + model.deviations[0]]], 4);
  expect(missing).toBe(mean);
  expect(infinite).toBe(beyond);
  expect(() => predictLogistic(model, [], 1)).toThrow("1 features");
});

test("fitLogistic() refuses no rows and lengths that differ", () => {
  expect(() => fitLogistic([], [])).toThrow("without rows");
  expect(() => fitLogistic([[1]], [0, 1])).toThrow("feature 0 has 1 values for 2 labels");
});
