import fc from "fast-check";
import { expect, test } from "vitest";
import { findContours, type TriesTurnsSurface } from "./iso-contours.js";

/** Returns the surface 1 - (1 - p(T))^k. */
function makeSurface(rates: readonly number[], tries: readonly number[], turns: readonly number[]): TriesTurnsSurface {
  const values = tries.map((k) => rates.map((p) => 1 - (1 - p) ** k));
  return { tries, turns, values, lower: values, upper: values };
}

test("findContours() says that a doubling of turns which saves half of the tries has slope -1", () => {
  const [contour] = findContours(makeSurface([0.5, 0.75], [1, 2], [1, 2]), [0.75]);
  expect(contour.points.map(({ turns, tries }) => [turns, tries])).toEqual([
    [1, 2],
    [2, 1],
  ]);
  expect(contour.slopes).toEqual([-1]);
  expect(contour.slope).toBe(-1);
});

test("findContours() leaves out levels and T that are off the grid, and extrapolates nothing", () => {
  const surface = makeSurface([0.1, 0.3, 0.6], [1, 2, 4], [1, 2, 4]);
  const found = findContours(surface, [0.05, 0.32, 0.99]);
  expect(found.map(({ level }) => level)).toEqual([0.32]);
  expect(found[0].points.map(({ turns }) => turns)).toEqual([1, 2]); // at T=4 one try is above it already
});

test("findContours() inverts the band: the upper end of success is the lower end of tries", () => {
  const values = [[0.2], [0.4], [0.6]].map(([v]) => [v, v]);
  const shift = (by: number): number[][] => values.map((row) => row.map((v) => v + by));
  const surface = { tries: [1, 2, 4], turns: [1, 2], values, lower: shift(-0.1), upper: shift(0.1) };
  const [{ points, slope }] = findContours(surface, [0.4]);
  expect(points[0].tries).toBeCloseTo(2, 12);
  expect(points[0].lower).toBeCloseTo(2 ** 0.5, 12);
  expect(points[0].upper).toBeCloseTo(2 ** 1.5, 12);
  expect(slope).toBeCloseTo(0, 12);
});

test("findContours() gives for independent tries the slope of -log(1 - p) over T, whatever the level", () => {
  // With p(T) = 1 - exp(-c T^g) the tries at a level fall as T^-g exactly; interpolation over log2 k is close to it.
  const rate = fc.double({ min: 0.5, max: 2, noNaN: true });
  const tries = Array.from({ length: 65 }, (_unused, index) => 2 ** (index / 8));
  fc.assert(
    fc.property(rate, fc.double({ min: 0.2, max: 0.6, noNaN: true }), (power, level) => {
      const rates = [1, 2, 4].map((turns) => 1 - Math.exp(-0.05 * turns ** power));
      for (const { slope } of findContours(makeSurface(rates, tries, [1, 2, 4]), [level]))
        expect(Math.abs(slope + power)).toBeLessThan(0.02);
    }),
  );
});

test("findContours() refuses grids without a logarithm", () => {
  expect(() => findContours(makeSurface([0.5, 0.6], [1, 2], [0, 1]), [0.5])).toThrow(RangeError);
});
