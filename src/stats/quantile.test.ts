import { expect, test } from "vitest";
import { quantile } from "./quantile.js";

test("quantile() interpolates as type 7 and leaves its input alone", () => {
  const values = [3, 1, 2, 4];
  expect([0, 0.25, 0.5, 1].map((p) => quantile(values, p))).toEqual([1, 1.75, 2.5, 4]);
  expect(values).toEqual([3, 1, 2, 4]);
  expect(() => quantile([], 0.5)).toThrow(RangeError);
  expect(() => quantile([1], 1.1)).toThrow(RangeError);
});
