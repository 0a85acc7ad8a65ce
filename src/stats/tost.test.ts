import fc from "fast-check";
import { expect, test } from "vitest";
import { studentTInterval } from "./student-t-interval.js";
import { tostPaired } from "./tost.js";

test("tostPaired() equals the reference (SciPy t.sf and t.cdf)", () => {
  const result = tostPaired([0.01, -0.02, 0.03, 0, 0.015, -0.01, 0.02, -0.005]);
  expect(result.pLower).toBeCloseTo(0.0002904572987212058, 12);
  expect(result.pUpper).toBeCloseTo(0.0019282644615058937, 12);
  expect(result.pValue).toBe(result.pUpper);
  expect(result.isEquivalent).toBe(true);
});
test("tostPaired() rejects exactly when the 90 % t interval is inside the margin", () => {
  const values = fc.array(fc.double({ min: -0.1, max: 0.1, noNaN: true }), { minLength: 3, maxLength: 30 });
  fc.assert(
    fc.property(values, (differences) => {
      const { isEquivalent, standardError } = tostPaired(differences);
      const { lower, upper } = studentTInterval(differences, 0.9).interval;
      const distance = Math.min(Math.abs(lower + 0.03), Math.abs(upper - 0.03));
      fc.pre(distance > 1e-9);
      expect(isEquivalent).toBe(standardError > 0 && lower > -0.03 && upper < 0.03);
    }),
  );
});
test("tostPaired() never concludes from zero observed variance", () => {
  const { isEquivalent, pValue } = tostPaired(Array.from({ length: 20 }, () => 0));
  expect([isEquivalent, pValue]).toEqual([false, 1]);
});
