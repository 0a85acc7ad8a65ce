import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeActionToken, normaliseAction, tokeniseAction } from "./action-tokens.js";
import { getCameraBinCentre, quantiseCamera, roundHalfEven, vptCamera } from "./camera-bins.js";

test.each([
  [-10, 0],
  [-5, 1],
  [-1, 4],
  [0, 5],
  [1, 6],
  [2, 7],
  [5, 9],
  [10, 10],
  [-99, 0],
])("quantiseCamera() puts %d into bin %i", (value, bin) => {
  expect(quantiseCamera(value, vptCamera)).toBe(bin);
});

test("getCameraBinCentre() is symmetric, and the centre of a bin lies in it", () => {
  const centres = Array.from({ length: 11 }, (_, bin) => getCameraBinCentre(bin, vptCamera));
  const rounded = centres.slice(0, 6).map((centre) => Number(centre.toFixed(4)) + 0);
  expect(rounded).toEqual([-10, -5.8095, -3.2154, -1.6095, -0.6154, 0]);
  centres.forEach((centre, bin) => {
    expect(quantiseCamera(centre, vptCamera)).toBe(bin);
    expect(centre).toBeCloseTo(-centres[10 - bin], 12);
  });
});

test("quantiseCamera() with equal bins rounds a half to the even bin", () => {
  expect([-1, 1, 3].map((value) => quantiseCamera(value, { maxValue: 10, binSize: 2 }))).toEqual([4, 6, 6]);
  expect([0.5, 1.5, -0.5, -1.5, 2.4].map(roundHalfEven)).toEqual([0, 2, 0, -2, 2]);
});

test.each([
  [-1, 31_999, -0.996078],
  [-0.5, 31_936, -0.501961],
  [0, 31_872, 0],
  [0.5, 31_808, 0.501961],
  [0.999, 31_745, 0.996078],
  [1, 31_744, 0.996078],
  [2, 31_744, 0.996078],
])("tokeniseAction() writes %d as %i, read back as %d", (value, token, centre) => {
  expect(tokeniseAction(value, 32_000)).toBe(token);
  expect(decodeActionToken(token, 32_000)).toBeCloseTo(centre, 6);
});

test("tokeniseAction() counts an edge as belonging to the bin above it", () => {
  // The edges as numpy's linspace makes them: 256 from -1 to 1.
  const edges = Array.from({ length: 256 }, (_, i) => (i === 255 ? 1 : i * (2 / 255) - 1));
  expect(edges.map((edge) => tokeniseAction(edge, 32_000))).toEqual(edges.map((_, i) => 31_999 - i));
});

test("tokeniseAction() is read back within half a bin", () => {
  fc.assert(
    fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (value) => {
      const error = Math.abs(decodeActionToken(tokeniseAction(value, 32_000), 32_000) - value);
      expect(error).toBeLessThanOrEqual(1 / 255 + 1e-12);
    }),
  );
});

test("normaliseAction() holds the range, makes constants 0 and leaves masked dimensions alone", () => {
  const ranges = [
    { low: 0, high: 10 },
    { low: 0, high: 10 },
    { low: 3, high: 3 },
    { low: 0, high: 1, isMasked: true },
  ];
  const [middle, beyond, constant, masked] = normaliseAction([5, 99, 7, 0.25], ranges);
  expect(middle).toBeCloseTo(0, 8);
  expect([beyond, constant, masked]).toEqual([1, 0, 0.25]);
});
