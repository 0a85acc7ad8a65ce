import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../core/index.js";
import { writeJson } from "./write-json.js";

function nestLists(value: unknown, depth: number): JsonValue {
  let nested = value;
  for (let i = 0; i < depth; i += 1) nested = i % 2 === 0 ? [nested, i] : { 'a"': nested, b: null, c: undefined };
  return nested as JsonValue; // JSON inside JSON
}

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
