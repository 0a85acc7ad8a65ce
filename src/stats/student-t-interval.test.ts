import { expect, test } from "vitest";
import { studentTInterval } from "./student-t-interval.js";

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
