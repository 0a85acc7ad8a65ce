import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../core/index.js";
import { isDeeperThan, writeJson } from "./json-depth.js";

function nestLists(value: unknown, depth: number): JsonValue {
  let nested = value;
  for (let i = 0; i < depth; i += 1) nested = i % 2 === 0 ? [nested, i] : { 'a"': nested, b: null, c: undefined };
  return nested as JsonValue; // JSON inside JSON
}

test.each([
  [1, 0, false],
  [[], 0, true],
  [[], 1, false],
  [[1, { a: [] }], 2, true],
  [[1, { a: [] }], 3, false],
])("isDeeperThan() of %j for %d levels is %s", (value, limit, expected) => {
  expect(isDeeperThan(value as JsonValue, limit)).toBe(expected); // a literal of JSON
});

test("writeJson() writes what JSON.stringify() writes, below and above the depth it is meant for", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 501), (value, depth) => {
      const nested = nestLists(value, depth);
      expect(writeJson(nested)).toBe(JSON.stringify(nested));
    }),
    { numRuns: 50 },
  );
});

test("writeJson() writes what is nested too deep for JSON.stringify()", () => {
  const text = "[".repeat(50_000) + "]".repeat(50_000);
  expect(writeJson(JSON.parse(text) as JsonValue)).toBe(text); // JSON by its text
});
