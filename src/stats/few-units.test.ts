import fc from "fast-check";
import { expect, test } from "vitest";
import { studentTQuantile } from "./distributions.js";
import { createRandom } from "../core/index.js";
import { bootstrapMeans } from "./bootstrap.js";
import { widenBand, widenForFewUnits } from "./few-units.js";

test("widenForFewUnits() exchanges the normal quantile for Student's t and mends the standard error", () => {
  expect(widenForFewUnits(1.959963984540054, 10)).toBeCloseTo(studentTQuantile(0.975, 9) * Math.sqrt(10 / 9), 10);
  expect(widenForFewUnits(1.959963984540054, 10)).toBeCloseTo(2.3845, 4);
  expect(widenForFewUnits(0, 10)).toBe(0);
});

test("widenForFewUnits() always widens, the more the fewer units there are, and hardly at all with many", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.5, max: 6, noNaN: true }), fc.integer({ min: 3, max: 500 }), (width, units) => {
      expect(widenForFewUnits(width, units)).toBeGreaterThan(width);
      expect(widenForFewUnits(width, units - 1)).toBeGreaterThan(widenForFewUnits(width, units));
    }),
  );
  expect(widenForFewUnits(2.8, 10_000)).toBeCloseTo(2.8, 2);
});

test("widenForFewUnits() keeps its digits far out and refuses what is no band", () => {
  expect(Number.isFinite(widenForFewUnits(12, 30))).toBe(true);
  expect(() => widenForFewUnits(2, 1)).toThrow(RangeError);
  expect(() => widenForFewUnits(-1, 9)).toThrow(RangeError);
});

/** Differences of two identical policies: 8 samples each on 10 tasks that differ in difficulty, at six budgets. */
function createNullDifferences(repeat: number): Float64Array {
  const budgets = [1, 2, 3, 4, 6, 8];
  const random = createRandom("null", repeat);
  const values = new Float64Array(10 * budgets.length);
  for (let task = 0; task < 10; task += 1) {
    const failsTurn = random.next() * random.next();
    for (let sample = 0; sample < 16; sample += 1) {
      let turn = 1;
      while (turn <= 8 && random.next() > failsTurn) turn += 1;
      budgets.forEach((maxTurns, cell) => {
        if (turn <= maxTurns) values[task * budgets.length + cell] += (sample < 8 ? 1 : -1) / 8;
      });
    }
  }
  return values;
}

test("widenBand() tells identical policies on ten tasks apart no more often than it says; the plain band does", () => {
  const repeats = Array.from({ length: 300 }, (_, repeat) => repeat);
  const isCalled = ({ bandLower, bandUpper }: { bandLower: Float64Array; bandUpper: Float64Array }): boolean =>
    bandLower.some((lower, cell) => lower > 1e-9 || bandUpper[cell] < -1e-9);
  const bands = repeats.map((seed) =>
    bootstrapMeans({ values: createNullDifferences(seed), taskCount: 10, cellCount: 6 }, { replicates: 400, seed }),
  );
  expect(bands.filter(isCalled).length / repeats.length).toBeGreaterThan(0.1);
  expect(bands.map(widenBand).filter(isCalled).length / repeats.length).toBeLessThan(0.08);
});

test("widenBand() leaves means, pointwise intervals and cells that never vary as they are", () => {
  const values = Float64Array.from([0, 1, 1, 1, 0, 1]); // the second cell is always 1
  const plain = bootstrapMeans({ values, taskCount: 3, cellCount: 2 }, { replicates: 200, seed: 1 });
  const wide = widenBand(plain);
  expect([wide.mean, wide.lower, wide.upper]).toEqual([plain.mean, plain.lower, plain.upper]);
  expect(wide.bandLower[0]).toBeLessThan(plain.bandLower[0]);
  expect([wide.bandLower[1], wide.bandUpper[1]]).toEqual([1, 1]);
  const flat = bootstrapMeans(
    { values: new Float64Array(3), taskCount: 3, cellCount: 1 },
    { replicates: 200, seed: 1 },
  );
  expect(widenBand(flat)).toBe(flat);
});
