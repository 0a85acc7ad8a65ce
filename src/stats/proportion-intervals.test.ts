import { expect, test } from "vitest";
import type { Interval } from "../core/index.js";
import { clopperPearsonInterval, jeffreysInterval, wilsonInterval } from "./proportion-intervals.js";

// Golden values of statistics.md 1.5.
test("wilsonInterval() of 3 in 10 and of 0 in 64 are the golden ones", () => {
  expect(wilsonInterval(3, 10).lower).toBeCloseTo(0.10779, 5);
  expect(wilsonInterval(3, 10).upper).toBeCloseTo(0.60322, 5);
  expect(wilsonInterval(0, 64).lower).toBe(0);
  expect(wilsonInterval(0, 64).upper).toBeCloseTo(0.05662, 5);
});
test("clopperPearsonInterval() of 3 in 10 is the golden one", () => {
  expect(clopperPearsonInterval(3, 10).lower).toBeCloseTo(0.06674, 5);
  expect(clopperPearsonInterval(3, 10).upper).toBeCloseTo(0.65245, 5);
});
// statistics.md 1.3 and 2.5: what no success in n leaves open, 95 % one-sided.
test.each([
  { n: 64, percent: 4.57 },
  { n: 128, percent: 2.31 },
  { n: 256, percent: 1.16 },
  { n: 20, percent: 13.9 },
])("clopperPearsonInterval() leaves $percent % open after 0 of $n", ({ n, percent }) => {
  const { upper } = clopperPearsonInterval(0, n, 0.9);
  expect(Math.abs(100 * upper - percent)).toBeLessThan(0.05);
  expect(upper).toBeCloseTo(1 - 0.05 ** (1 / n), 12);
});

// References: SciPy 1.17 (binomtest and beta.ppf).
test.each([
  {
    c: 3,
    n: 10,
    wilson: [0.10779126740630102, 0.6032218525388546],
    exact: [0.06673951117773447, 0.652452850060008],
    jeffreys: [0.09269459393815316, 0.6058183181486713],
  },
  {
    c: 0,
    n: 64,
    wilson: [0, 0.05662405979280534],
    exact: [0, 0.05600908938663658],
    jeffreys: [0, 0.03834122889437085],
  },
  {
    c: 17,
    n: 20,
    wilson: [0.6395811352592431, 0.9476312541037835],
    exact: [0.6210731734547044, 0.9679290628144552],
    jeffreys: [0.651422289141546, 0.9558686580248441],
  },
  {
    c: 500,
    n: 1000,
    wilson: [0.4690696003681042, 0.5309303996318958],
    exact: [0.46854917297179194, 0.531450827028208],
    jeffreys: [0.46904771269911394, 0.5309522873008861],
  },
])("the intervals of $c in $n equal the references to 1e-10", ({ c, n, wilson, exact, jeffreys }) => {
  const made = [wilsonInterval(c, n), clopperPearsonInterval(c, n), jeffreysInterval(c, n)];
  [wilson, exact, jeffreys].forEach(([lower, upper], i) => {
    expect(made[i].lower).toBeCloseTo(lower, 10);
    expect(made[i].upper).toBeCloseTo(upper, 10);
  });
});

/** Returns the exact coverage over a grid of p by summing the binomial chances of the counts whose interval holds p. */
function coverages(make: (c: number, n: number) => Interval, n: number): number[] {
  const intervals = Array.from({ length: n + 1 }, (_, c) => make(c, n));
  return Array.from({ length: 399 }, (_, i) => (i + 1) / 400).map((p) => {
    let chance = (1 - p) ** n;
    let covered = 0;
    intervals.forEach(({ lower, upper }, c) => {
      if (lower <= p && p <= upper) covered += chance;
      chance *= ((n - c) / (c + 1)) * (p / (1 - p));
    });
    return covered;
  });
}
const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

test.each([5, 20, 64])("clopperPearsonInterval() covers at least its level at every p with n = %i", (n) => {
  expect(Math.min(...coverages(clopperPearsonInterval, n))).toBeGreaterThanOrEqual(0.95);
});
test.each([
  { name: "wilsonInterval()", make: wilsonInterval, n: 20, least: 0.83 },
  { name: "wilsonInterval()", make: wilsonInterval, n: 64, least: 0.83 },
  { name: "jeffreysInterval()", make: jeffreysInterval, n: 20, least: 0.87 },
  { name: "jeffreysInterval()", make: jeffreysInterval, n: 64, least: 0.87 },
])("$name covers .95 on average over p with n = $n, and not less than $least anywhere", ({ make, n, least }) => {
  const covered = coverages(make, n);
  expect(Math.abs(average(covered) - 0.95)).toBeLessThan(0.008);
  expect(Math.min(...covered)).toBeGreaterThan(least);
});
test("intervals hold the rate, mirror when successes and failures swap, and nest by level", () => {
  for (const make of [wilsonInterval, clopperPearsonInterval, jeffreysInterval]) {
    for (let c = 0; c <= 12; c += 1) {
      const { lower, upper } = make(c, 12, 0.95);
      const inner = make(c, 12, 0.8);
      const mirror = make(12 - c, 12, 0.95);
      expect(lower).toBeLessThanOrEqual(c / 12);
      expect(upper).toBeGreaterThanOrEqual(c / 12);
      expect(mirror.lower).toBeCloseTo(1 - upper, 10);
      expect(inner.lower).toBeGreaterThanOrEqual(lower);
      expect(inner.upper).toBeLessThanOrEqual(upper);
    }
  }
});
test("intervals refuse impossible counts and levels", () => {
  expect(() => wilsonInterval(3, 2)).toThrow(RangeError);
  expect(() => clopperPearsonInterval(0, 0)).toThrow(RangeError);
  expect(() => jeffreysInterval(-1, 2)).toThrow(RangeError);
  expect(() => wilsonInterval(1, 2, 1)).toThrow(RangeError);
});
