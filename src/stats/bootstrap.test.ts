import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom } from "../core/index.js";
import { bootstrapMeans } from "./bootstrap.js";
import { multiplierBand } from "./multiplier-band.js";

/** Uniform values with a task effect, so that cells correlate as the cells of a surface do. */
function makeValues(taskCount: number, cellCount: number, seed: number): Float64Array {
  const random = createRandom(seed, "values");
  const values = new Float64Array(taskCount * cellCount);
  for (let task = 0; task < taskCount; task += 1) {
    const effect = random.next();
    for (let cell = 0; cell < cellCount; cell += 1) values[task * cellCount + cell] = (effect + random.next()) / 2;
  }
  return values;
}

// Skewed rates of 20 tasks. References: two million resamples of whole numbers in NumPy, where ties are exact.
const skewed = [0, 0, 0, 0, 0, 0, 0, 0, 0.1, 0.1, 0.2, 0.3, 0.9, 1, 1, 0, 0, 0.4, 0, 0];
test.each([
  { method: "percentile", lower: 0.065, upper: 0.36 },
  { method: "bca", lower: 0.085, upper: 0.4 },
] as const)("bootstrapMeans() by $method equals the reference within simulation error", ({ method, lower, upper }) => {
  const input = { values: skewed, taskCount: 20, cellCount: 1 };
  const result = bootstrapMeans(input, { seed: 1, replicates: 40_000, method });
  expect(result.mean[0]).toBeCloseTo(0.2, 12);
  expect(Math.abs(result.standardError[0] - 0.076238)).toBeLessThan(0.001);
  expect(Math.abs(result.lower[0] - lower)).toBeLessThan(0.006);
  expect(Math.abs(result.upper[0] - upper)).toBeLessThan(0.006);
});
test("bootstrapMeans() with one cell has the band of the |t| quantile", () => {
  const values = makeValues(200, 1, 5);
  const { criticalValue } = bootstrapMeans({ values, taskCount: 200, cellCount: 1 }, { seed: 2, replicates: 20_000 });
  expect(Math.abs((criticalValue ?? 0) - 1.96)).toBeLessThan(0.05);
});
test("bootstrapMeans() gives the same bytes for the same seed and other bytes for another", () => {
  const input = { values: makeValues(50, 7, 1), taskCount: 50, cellCount: 7 };
  const first = bootstrapMeans(input, { seed: 7, replicates: 333 });
  expect(bootstrapMeans(input, { seed: 7, replicates: 333 })).toEqual(first);
  expect(bootstrapMeans(input, { seed: 8, replicates: 333 }).lower).not.toEqual(first.lower);
  expect(first.criticalValue).toBe(2.5615083272156043); // a change here changes every published band
});
test("bootstrapMeans() treats each cell as if it were alone, whatever its place in a tile", () => {
  const values = makeValues(40, 8, 2);
  const options = { seed: 3, replicates: 130 }; // neither cells nor replicates fill their tiles
  const all = bootstrapMeans({ values, taskCount: 40, cellCount: 8 }, options);
  for (let cell = 0; cell < 8; cell += 1) {
    const column = Array.from({ length: 40 }, (_, task) => values[task * 8 + cell]);
    const alone = bootstrapMeans({ values: column, taskCount: 40, cellCount: 1 }, options);
    expect(all.lower[cell]).toBe(alone.lower[0]);
    expect(all.upper[cell]).toBe(alone.upper[0]);
    expect(all.standardError[cell]).toBe(alone.standardError[0]);
  }
});
test("bootstrapMeans() keeps its mean when tasks change places, and intervals inside the values", () => {
  const rates = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 2, maxLength: 30 });
  fc.assert(
    fc.property(rates, (counts) => {
      const values = counts.map((count) => count / 8);
      const options = { seed: 1, replicates: 100 };
      const shape = { taskCount: values.length, cellCount: 1 };
      const result = bootstrapMeans({ values, ...shape }, options);
      const moved = bootstrapMeans({ values: values.toReversed(), ...shape }, options);
      expect(moved.mean[0]).toBeCloseTo(result.mean[0], 12);
      expect(result.lower[0]).toBeGreaterThanOrEqual(Math.min(...values));
      expect(result.upper[0]).toBeLessThanOrEqual(Math.max(...values));
      expect(result.lower[0]).toBeLessThanOrEqual(result.upper[0]);
    }),
    { numRuns: 50 },
  );
});
test("bootstrapMeans() keeps the order of cells in k and T: nested values give nested bounds", () => {
  const base = makeValues(60, 1, 3);
  const values = Array.from(base).flatMap((value) => [value, value ** 0.5, value ** 0.25]);
  const { lower, upper } = bootstrapMeans({ values, taskCount: 60, cellCount: 3 }, { seed: 1, replicates: 500 });
  expect(lower.toSorted()).toEqual(lower);
  expect(upper.toSorted()).toEqual(upper);
});
test("bounds nest by level, and the band holds more than a pointwise interval of its kind", () => {
  const input = { values: makeValues(80, 10, 4), taskCount: 80, cellCount: 10 };
  for (const make of [bootstrapMeans, multiplierBand]) {
    const wide = make(input, { seed: 1, level: 0.95 });
    const narrow = make(input, { seed: 1, level: 0.8 });
    expect(wide.criticalValue).toBeGreaterThan(narrow.criticalValue ?? Infinity);
    expect(wide.criticalValue).toBeGreaterThan(1.96);
    wide.lower.forEach((lower, cell) => expect(lower).toBeLessThanOrEqual(narrow.lower[cell]));
    wide.bandLower.forEach((lower, cell) => expect(lower).toBeLessThan(narrow.bandLower[cell]));
  }
});
test("cells without variance are left out of the band, even where rounding makes their sums differ", () => {
  const taskCount = 30;
  const noise = makeValues(taskCount, 1, 6);
  const values = Array.from(noise).flatMap((value) => [0.1, value, 0]);
  for (const make of [bootstrapMeans, multiplierBand]) {
    const { mean, standardError, lower, upper, bandLower, bandUpper, criticalValue } = make(
      { values, taskCount, cellCount: 3 },
      { seed: 1 },
    );
    const alone = make({ values: noise, taskCount, cellCount: 1 }, { seed: 1 });
    expect(criticalValue).toBe(alone.criticalValue);
    expect(standardError[1]).toBeGreaterThan(0);
    for (const cell of [0, 2]) {
      expect(standardError[cell]).toBe(0);
      expect([lower, upper, bandLower, bandUpper].map((ends) => ends[cell])).toEqual(Array(4).fill(mean[cell]));
    }
  }
});
test("nothing varies: no critical value, and one task alone is such a case", () => {
  for (const make of [bootstrapMeans, multiplierBand]) {
    const same = make({ values: [0.3, 0.3, 0.3], taskCount: 3, cellCount: 1 }, { seed: 1 });
    const single = make({ values: [0.4, 0.7], taskCount: 1, cellCount: 2 }, { seed: 1 });
    expect([same.criticalValue, single.criticalValue]).toEqual([undefined, undefined]);
    expect([...single.lower, ...single.bandUpper, ...single.standardError]).toEqual([0.4, 0.7, 0.4, 0.7, 0, 0]);
  }
});
test("families of one task each give the bytes of no families", () => {
  const input = { values: makeValues(33, 4, 8), taskCount: 33, cellCount: 4 };
  const clusters = Array.from({ length: 33 }, (_, task) => 1000 - 3 * task);
  expect(bootstrapMeans({ ...input, clusters }, { seed: 1 })).toEqual(bootstrapMeans(input, { seed: 1 }));
  expect(multiplierBand({ ...input, clusters }, { seed: 1 })).toEqual(multiplierBand(input, { seed: 1 }));
});
test("families weigh by their size: the mean is over tasks, and copies of tasks in a family add nothing", () => {
  const values = [1, 1, 1, 0, 0.5];
  const clusters = [4, 4, 4, 9, 2];
  const unequal = bootstrapMeans({ values, taskCount: 5, cellCount: 1, clusters }, { seed: 1 });
  expect(unequal.mean[0]).toBeCloseTo(0.7, 12);
  expect(unequal.unitCount).toBe(3);
  const base = makeValues(25, 1, 9);
  const tripled = Array.from(base).flatMap((value) => [value, value, value]);
  const families = tripled.map((_, task) => Math.floor(task / 3));
  const once = bootstrapMeans({ values: base, taskCount: 25, cellCount: 1 }, { seed: 1 });
  const thrice = bootstrapMeans({ values: tripled, taskCount: 75, cellCount: 1, clusters: families }, { seed: 1 });
  expect(thrice.standardError[0]).toBeCloseTo(once.standardError[0], 12);
  expect(thrice.lower[0]).toBeCloseTo(once.lower[0], 12);
});
test("multiplierBand() has the exact standard error of a mean", () => {
  const values = [0, 0, 1, 1, 0.5];
  const { standardError } = multiplierBand({ values, taskCount: 5, cellCount: 1 }, { seed: 1 });
  expect(standardError[0]).toBeCloseTo(0.5 / Math.sqrt(5), 12);
});
test("multiplierBand() agrees with the bootstrap on a surface of many tasks, dependent cells included", () => {
  const taskCount = 2000;
  const base = makeValues(taskCount, 5, 11);
  // A sixth cell that is the mean of two others: the covariance is singular.
  const values = Array.from({ length: taskCount }, (_, task) => {
    const row = base.subarray(task * 5, task * 5 + 5);
    return [...row, (row[0] + row[1]) / 2];
  }).flat();
  const input = { values, taskCount, cellCount: 6 };
  const band = multiplierBand(input, { seed: 1 });
  const bootstrap = bootstrapMeans(input, { seed: 1, replicates: 4000 });
  expect(Math.abs((band.criticalValue ?? 0) - (bootstrap.criticalValue ?? 0))).toBeLessThan(0.06);
  band.standardError.forEach((error, cell) => {
    expect(Math.abs(error / bootstrap.standardError[cell] - 1)).toBeLessThan(0.05);
  });
});
test.each([
  { name: "values that do not fit", input: { values: [1, 2, 3], taskCount: 2, cellCount: 2 }, options: {} },
  { name: "no task", input: { values: [], taskCount: 0, cellCount: 1 }, options: {} },
  { name: "NaN", input: { values: [Number.NaN], taskCount: 1, cellCount: 1 }, options: {} },
  { name: "a family missing", input: { values: [1, 2], taskCount: 2, cellCount: 1, clusters: [1] }, options: {} },
  { name: "too few replicates", input: { values: [1], taskCount: 1, cellCount: 1 }, options: { replicates: 99 } },
  { name: "a level of 1", input: { values: [1], taskCount: 1, cellCount: 1 }, options: { level: 1 } },
])("bootstrapMeans() and multiplierBand() refuse $name", ({ input, options }) => {
  expect(() => bootstrapMeans(input, { seed: 1, ...options })).toThrow(RangeError);
  expect(() => multiplierBand(input, { seed: 1, ...options })).toThrow(RangeError);
});
