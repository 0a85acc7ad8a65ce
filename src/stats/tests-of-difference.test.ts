import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom } from "../core/index.js";
import { holmAdjust } from "./holm.js";
import { mcnemarTest } from "./mcnemar.js";
import { signFlipTest } from "./sign-flip.js";
import { studentTInterval } from "./student-t-interval.js";
import { tostPaired } from "./tost.js";

// Golden values of statistics.md 1.3 and 2.5.
test.each([
  { a: 5, b: 1, exact: 0.21875, mid: 0.125 },
  { a: 9, b: 1, exact: 0.0214844, mid: 0.0117188 },
  { a: 6, b: 0, exact: 0.03125, mid: 0.015625 },
  { a: 5, b: 0, exact: 0.0625, mid: 0.03125 },
  { a: 3, b: 7, exact: 0.34375, mid: 0.2265625 },
  { a: 3, b: 3, exact: 1, mid: 1 }, // .6875 if the cap came first
  { a: 0, b: 4, exact: 0.125, mid: 0.0625 },
  { a: 0, b: 0, exact: 1, mid: 1 },
])("mcnemarTest($a, $b) is $exact, mid-p $mid", ({ a, b, exact, mid }) => {
  const { pExact, pMid } = mcnemarTest(a, b);
  expect(pExact).toBeCloseTo(exact, 7);
  expect(pMid).toBeCloseTo(mid, 7);
});
test("mcnemarTest() is symmetric, and mid-p never exceeds the exact p", () => {
  const count = fc.integer({ min: 0, max: 800 });
  fc.assert(
    fc.property(count, count, (a, b) => {
      const { pExact, pMid } = mcnemarTest(a, b);
      expect(mcnemarTest(b, a)).toEqual({ pExact, pMid });
      expect(pMid).toBeLessThanOrEqual(pExact);
      expect(pMid).toBeGreaterThanOrEqual(0);
      expect(pExact).toBeLessThanOrEqual(1);
    }),
  );
});
test("mcnemarTest() agrees with itself where it changes from products to logarithms", () => {
  const below = mcnemarTest(470, 530);
  const above = mcnemarTest(470, 531);
  expect(above.pExact).toBeLessThan(below.pExact);
  expect(above.pExact).toBeGreaterThan(0.9 * below.pExact);
});
test("mcnemarTest() refuses what is not a count", () => {
  expect(() => mcnemarTest(-1, 2)).toThrow(RangeError);
  expect(() => mcnemarTest(1.5, 2)).toThrow(RangeError);
});

test("holmAdjust() gives the golden values in the order of the input", () => {
  const adjusted = holmAdjust([0.01, 0.04, 0.03]);
  [0.03, 0.06, 0.06].forEach((golden, i) => expect(adjusted[i]).toBeCloseTo(golden, 12));
});
test("holmAdjust() keeps the order of p-values and lies between p and Bonferroni", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }), (pValues) => {
      const adjusted = holmAdjust(pValues);
      pValues.forEach((p, i) => {
        expect(adjusted[i]).toBeGreaterThanOrEqual(p);
        expect(adjusted[i]).toBeLessThanOrEqual(Math.min(1, p * pValues.length) + 1e-15);
        pValues.forEach((other, j) => {
          if (p <= other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j]);
        });
      });
    }),
  );
  expect(() => holmAdjust([1.1])).toThrow(RangeError);
});

test("signFlipTest() cannot go below .0625 with five differences", () => {
  const { pValue, isExact } = signFlipTest([0.3, 0.9, 0.2, 0.5, 0.1], { seed: 1 });
  expect([pValue, isExact]).toEqual([0.0625, true]);
});
test("signFlipTest() leaves out differences of 0, and all zeros give 1", () => {
  expect(signFlipTest([0, 0.3, 0, 0.2], { seed: 1 }).pValue).toBe(0.5);
  expect(signFlipTest([0, 0], { seed: 1 }).pValue).toBe(1);
});
test("signFlipTest() equals an enumeration by hand: 22 of 128 patterns", () => {
  expect(signFlipTest([0.3, -0.1, 0.2, 0.4, 0.1, -0.2, 0.5], { seed: 1 }).pValue).toBe(0.171875);
});
test("signFlipTest() with random patterns is close to the exact p, above 0 and repeatable", () => {
  const random = createRandom(3);
  const differences = Array.from({ length: 14 }, () => random.nextNormal() + 0.5);
  const exact = signFlipTest(differences, { seed: 1 });
  const drawn = signFlipTest(differences, { seed: 1, maxExact: 0 });
  expect([exact.isExact, drawn.isExact]).toEqual([true, false]);
  expect(Math.abs(drawn.pValue - exact.pValue)).toBeLessThan(0.01);
  expect(signFlipTest(differences, { seed: 1, maxExact: 0 })).toEqual(drawn);
  const clear = Array.from({ length: 40 }, () => 1);
  expect(signFlipTest(clear, { seed: 1, patterns: 99 }).pValue).toBe(0.01);
});
test("signFlipTest() does not change with the sign or the scale of the differences", () => {
  const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(values, (differences) => {
      const { pValue } = signFlipTest(differences, { seed: 1 });
      expect(
        signFlipTest(
          differences.map((x) => -4 * x),
          { seed: 1 },
        ).pValue,
      ).toBe(pValue);
    }),
  );
});

test("studentTInterval() equals the reference (SciPy ttest_1samp)", () => {
  const { mean, standardError, degrees, interval } = studentTInterval([0.4, 0.5, 0.65, 0.2, 0.3]);
  expect(mean).toBeCloseTo(0.41, 12);
  expect(mean / standardError).toBeCloseTo(5.249512077248734, 10);
  expect(degrees).toBe(4);
  expect(interval.lower).toBeCloseTo(0.19315270516956312, 10);
  expect(interval.upper).toBeCloseTo(0.6268472948304369, 10);
});
test("studentTInterval() needs two values and gives equal ones no width", () => {
  expect(() => studentTInterval([1])).toThrow(RangeError);
  expect(studentTInterval([0.1, 0.1, 0.1]).standardError).toBe(0);
});

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
