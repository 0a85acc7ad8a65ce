import fc from "fast-check";
import { expect, test } from "vitest";
import { holmAdjust } from "./holm.js";

// Golden values of statistics.md 2.5.
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
