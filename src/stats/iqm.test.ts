import { expect, test } from "vitest";
import { interquartileMean } from "./iqm.js";

test("interquartileMean() drops a quarter of the values at each end", () => {
  expect(interquartileMean([9, 0, 2, 1])).toBe(1.5);
  expect(interquartileMean([0.1, 0.2, 0.9, 0.4, 0.5, 0, 0.7, 0.8, 0.3, 0.6])).toBeCloseTo(0.45, 12); // SciPy trim_mean
  expect(interquartileMean([3])).toBe(3);
  expect(() => interquartileMean([])).toThrow(RangeError);
});
