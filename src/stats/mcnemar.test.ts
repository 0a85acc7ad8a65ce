import fc from "fast-check";
import { expect, test } from "vitest";
import { mcnemarTest } from "./mcnemar.js";

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
