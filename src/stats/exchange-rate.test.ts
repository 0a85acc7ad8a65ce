import fc from "fast-check";
import { expect, test } from "vitest";
import { areaBetween, exchangeRates, trapezoidWeights } from "./exchange-rate.js";

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
