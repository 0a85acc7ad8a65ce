import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom } from "../core/index.js";
import { detectableDifference, estimateDesign, minimumDetectableDifference } from "./detectable-difference.js";
import { areaBetween, exchangeRates, trapezoidWeights } from "./exchange-rate.js";
import { interquartileMean } from "./iqm.js";
import { quantile } from "./quantile.js";

// Golden values of statistics.md 2.5: sd .15, p = .40 and .45, 80 % power, alpha .05.
test.each([
  { taskCount: 100, samplesPerTask: 1, golden: 0.2 },
  { taskCount: 100, samplesPerTask: 8, golden: 0.081 },
  { taskCount: 100, samplesPerTask: 64, golden: 0.049 },
  { taskCount: 300, samplesPerTask: 8, golden: 0.047 },
  { taskCount: 1000, samplesPerTask: 1, golden: 0.063 },
])("minimumDetectableDifference() of $taskCount tasks x $samplesPerTask is $golden", ({ golden, ...counts }) => {
  const design = { ...counts, differenceSd: 0.15, withinVariance: 0.4 * 0.6 + 0.45 * 0.55 };
  expect(Math.abs(minimumDetectableDifference(design) - golden)).toBeLessThan(0.0005);
});
test("detectableDifference() is found with the stated power in simulated tests", () => {
  const effect = detectableDifference(1);
  const random = createRandom(5, "power");
  let found = 0;
  for (let i = 0; i < 20_000; i += 1) if (Math.abs(random.nextNormal() + effect) > 1.959964) found += 1;
  expect(Math.abs(found / 20_000 - 0.8)).toBeLessThan(0.01);
});
test("estimateDesign() recovers the parts of the variance that episodes were drawn with", () => {
  const random = createRandom(9, "design");
  const draw = (p: number): number =>
    Array.from({ length: 8 }, () => Number(random.next() < p)).reduce((a, b) => a + b, 0);
  let within = 0;
  const tasks = Array.from({ length: 5000 }, () => {
    const p = 0.3 + 0.2 * random.next();
    const q = p + (random.next() < 0.5 ? -0.15 : 0.15);
    within += (p * (1 - p) + q * (1 - q)) / 5000;
    return { successesA: draw(p), samplesA: 8, successesB: draw(q), samplesB: 8 };
  });
  const design = estimateDesign(tasks);
  expect(Math.abs((design?.differenceSd ?? 0) - 0.15)).toBeLessThan(0.01);
  expect(Math.abs((design?.withinVariance ?? 0) - within)).toBeLessThan(0.01);
});
test("estimateDesign() says nothing when episodes are single or fewer than two tasks have more", () => {
  expect(estimateDesign([])).toBeUndefined();
  const single = { successesA: 1, samplesA: 1, successesB: 0, samplesB: 1 };
  expect(estimateDesign([single, single])).toBeUndefined();
});

const reference = { xs: [1, 2, 4, 8], values: [0.1, 0.2, 0.4, 0.5] };
test.each([
  { name: "between grid points", x: 2, value: 0.3, rate: { x: 2, value: 1 } },
  { name: "at a grid point", x: 2, value: 0.2, rate: { x: 2, value: 0 } },
  { name: "when the reference needs less", x: 8, value: 0.2, rate: { x: 8, value: -6 } },
  { name: "out of reach", x: 8, value: 0.6, rate: { x: 8, value: undefined, gap: "above_reference" } },
  { name: "below all of the reference", x: 1, value: 0.05, rate: { x: 1, value: undefined, gap: "below_reference" } },
])("exchangeRates() $name", ({ x, value, rate }) => {
  const [found] = exchangeRates(reference, { xs: [x], values: [value] });
  expect(found.gap).toBe(rate.gap);
  if (rate.value === undefined) expect(found.value).toBeUndefined();
  else expect(found.value).toBeCloseTo(rate.value, 12);
});
test("exchangeRates() has no value when both curves are at 0", () => {
  const flat = { xs: [1, 2, 4], values: [0, 0, 0.5] };
  expect(exchangeRates(flat, { xs: [1], values: [0] })[0]).toEqual({ x: 1, value: undefined, gap: "both_zero" });
});
test("exchangeRates() of a curve with itself is 0 and inverting the bands holds it", () => {
  const heights = fc.array(fc.double({ min: 0.01, max: 0.2, noNaN: true }), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(heights, (steps) => {
      const values = steps.map((_, i) => steps.slice(0, i + 1).reduce((sum, step) => sum + step, 0));
      const curve = {
        xs: [1, 2, 4, 8],
        values,
        bandLower: values.map((value) => value - 0.02),
        bandUpper: values.map((value) => value + 0.02),
      };
      for (const { value, lower, upper } of exchangeRates(curve, curve)) {
        expect(value).toBeCloseTo(0, 9);
        expect(lower).toBeLessThan(0);
        expect(upper).toBeGreaterThan(0);
      }
    }),
  );
});
test("exchangeRates() inverts the running maximum of a curve that falls", () => {
  const falling = { xs: [1, 2, 3, 4], values: [0.1, 0.3, 0.2, 0.5] };
  expect(exchangeRates(falling, { xs: [1], values: [0.4] })[0].value).toBeCloseTo(2.5, 12);
});
test("exchangeRates() refuses grids that do not ascend and values that do not fit", () => {
  expect(() => exchangeRates({ xs: [2, 1], values: [0, 1] }, reference)).toThrow(RangeError);
  expect(() => exchangeRates({ xs: [1], values: [0, 1] }, reference)).toThrow(RangeError);
});
test("areaBetween() is the trapezoid area divided by the width of the grid", () => {
  expect(areaBetween([1, 2, 4], [0, 0, 0], [1, 1, 0])).toBeCloseTo((1 + 1) / 3, 12);
  expect(areaBetween([3], [0.2], [0.5])).toBeCloseTo(0.3, 12);
  expect(trapezoidWeights([1, 2, 4]).map((weight) => weight * 6)).toEqual([1, 3, 2]);
});

test("interquartileMean() drops a quarter of the values at each end", () => {
  expect(interquartileMean([9, 0, 2, 1])).toBe(1.5);
  expect(interquartileMean([0.1, 0.2, 0.9, 0.4, 0.5, 0, 0.7, 0.8, 0.3, 0.6])).toBeCloseTo(0.45, 12); // SciPy trim_mean
  expect(interquartileMean([3])).toBe(3);
  expect(() => interquartileMean([])).toThrow(RangeError);
});
test("quantile() interpolates as type 7 and leaves its input alone", () => {
  const values = [3, 1, 2, 4];
  expect([0, 0.25, 0.5, 1].map((p) => quantile(values, p))).toEqual([1, 1.75, 2.5, 4]);
  expect(values).toEqual([3, 1, 2, 4]);
  expect(() => quantile([], 0.5)).toThrow(RangeError);
  expect(() => quantile([1], 1.1)).toThrow(RangeError);
});
