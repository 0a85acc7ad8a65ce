import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom } from "../core/index.js";
import { drawBackoffSeconds, parseRetryAfter } from "./retry.js";

test.each([
  ["2", 2],
  ["0", 0],
  ["1.5", 1.5],
  [" 7 ", 7],
  ["Thu, 01 Jan 1970 00:01:00 GMT", 40],
  ["Thu, 01 Jan 1970 00:00:10 GMT", 0],
  ["soon", undefined],
  ["", undefined],
  ["-3", undefined],
])("parseRetryAfter() reads %j", (header, expected) => {
  expect(parseRetryAfter(header, 20)).toBe(expected);
});

test("drawBackoffSeconds() draws from 0 up to the doubled base, never above the maximum", () => {
  const draws = fc.record({ attempt: fc.integer({ min: 1, max: 2000 }), seed: fc.integer() });
  fc.assert(
    fc.property(draws, ({ attempt, seed }) => {
      const seconds = drawBackoffSeconds(attempt, createRandom(seed), { baseSeconds: 0.5, maxSeconds: 20 });
      expect(seconds).toBeGreaterThanOrEqual(0);
      expect(seconds).toBeLessThanOrEqual(Math.min(20, 0.5 * 2 ** (attempt - 1)));
    }),
  );
});

test("drawBackoffSeconds() uses the whole range (full jitter)", () => {
  const random = createRandom("jitter");
  const draws = Array.from({ length: 1000 }, () => drawBackoffSeconds(3, random));
  expect(Math.min(...draws)).toBeLessThan(0.05);
  expect(Math.max(...draws)).toBeGreaterThan(3.95);
  expect(draws.reduce((sum, draw) => sum + draw, 0) / 1000).toBeCloseTo(2, 0);
});
