import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom } from "../core/index.js";
import { signFlipTest } from "./sign-flip.js";

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
