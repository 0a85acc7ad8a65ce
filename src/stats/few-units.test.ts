import fc from "fast-check";
import { expect, test } from "vitest";
import { studentTQuantile } from "./distributions.js";
import { widenForFewUnits } from "./few-units.js";

test("widenForFewUnits() exchanges the normal quantile for Student's t and mends the standard error", () => {
  expect(widenForFewUnits(1.959963984540054, 10)).toBeCloseTo(studentTQuantile(0.975, 9) * Math.sqrt(10 / 9), 10);
  expect(widenForFewUnits(1.959963984540054, 10)).toBeCloseTo(2.3845, 4);
  expect(widenForFewUnits(0, 10)).toBe(0);
});

test("widenForFewUnits() always widens, the more the fewer units there are, and hardly at all with many", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.5, max: 6, noNaN: true }), fc.integer({ min: 3, max: 500 }), (width, units) => {
      expect(widenForFewUnits(width, units)).toBeGreaterThan(width);
      expect(widenForFewUnits(width, units - 1)).toBeGreaterThan(widenForFewUnits(width, units));
    }),
  );
  expect(widenForFewUnits(2.8, 10_000)).toBeCloseTo(2.8, 2);
});

test("widenForFewUnits() keeps its digits far out and refuses what is no band", () => {
  expect(Number.isFinite(widenForFewUnits(12, 30))).toBe(true);
  expect(() => widenForFewUnits(2, 1)).toThrow(RangeError);
  expect(() => widenForFewUnits(-1, 9)).toThrow(RangeError);
});
