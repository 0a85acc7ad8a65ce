import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Trajectory } from "../../core/index.js";
import { createSampleTrajectory } from "../testing.js";
import { createTrajectoryJsonSchema, explainRecord, isTrajectory } from "./validate.js";

test("schemas/trajectory.schema.json is current", () => {
  const path = new URL("../../../schemas/trajectory.schema.json", import.meta.url);
  expect(existsSync(path)).toBe(true);
  expect(JSON.parse(readFileSync(path, "utf8")), "run: npx tsx scripts/schemas.ts").toEqual(
    createTrajectoryJsonSchema(),
  );
});

test("isTrajectory() accepts a full record, unknown fields included", () => {
  const record = { ...createSampleTrajectory(), unknownField: { deep: [1, null] } };
  expect(explainRecord(record)).toBeUndefined();
  expect(isTrajectory(record)).toBe(true);
});

test.each([
  { name: "a missing field", change: { policy: undefined }, place: "policy" },
  { name: "null for a number", change: { episodeReturn: null }, place: "episodeReturn" },
  { name: "a number that is not finite", change: { episodeReturn: Number.NaN }, place: "episodeReturn" },
  { name: "another version", change: { schema: "turnwise.trajectory/9" }, place: 'schema "turnwise.trajectory/9"' },
  { name: "a stop reason without its kind", change: { stopReason: { type: "env_end" } }, place: "stopReason.kind" },
  { name: "an unknown stop reason", change: { stopReason: { type: "bored" } }, place: "stopReason.type" },
  { name: "a turn without an action", change: { turns: [{ observation: { text: "" } }] }, place: "turns.0.action" },
  { name: "a negative sample index", change: { sampleIndex: -1 }, place: "sampleIndex" },
])("isTrajectory() and explainRecord() refuse $name", ({ change, place }) => {
  const record = { ...createSampleTrajectory(), ...change };
  expect(isTrajectory(record)).toBe(false);
  expect(explainRecord(record)).toContain(place);
});

/** Every place of a value, as a path. */
function listPaths(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, child]) => listPaths(child, [...path, key]))];
}

function replaceAt(value: unknown, path: readonly string[], replacement: unknown): unknown {
  if (path.length === 0) return replacement;
  const [key, ...rest] = path;
  const copy: Record<string, unknown> = { ...(value as object) }; // paths lead through objects and arrays only
  if (replacement === undefined && rest.length === 0 && !Array.isArray(value)) delete copy[key];
  else copy[key] = replaceAt(copy[key], rest, replacement);
  return Array.isArray(value) ? Object.values(copy) : copy;
}

test("the exported JSON Schema and the zod schema give the same verdict on damaged records", () => {
  const record = createSampleTrajectory();
  const paths = listPaths(record);
  const junk = fc.oneof(
    fc.constantFrom(
      null,
      undefined,
      true,
      false,
      "",
      "x",
      0,
      -1,
      1.5,
      2 ** 60,
      [],
      {},
      { $number: "NaN" },
      { type: "quit" },
      "solved",
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  let refused = 0;
  fc.assert(
    fc.property(fc.constantFrom(...paths), junk, (path, replacement) => {
      const damaged = replaceAt(record, path, replacement);
      const isValid = isTrajectory(damaged);
      if (!isValid) refused += 1;
      expect(explainRecord(damaged) === undefined).toBe(isValid);
    }),
    { numRuns: 2000 },
  );
  expect(refused).toBeGreaterThan(200);
});

test("a record with anything JSON can carry in its open fields is read back as it was written", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ stringUnit: "binary" })),
      fc.string({ unit: "binary" }),
      (extra, text) => {
        const record: Trajectory = { ...createSampleTrajectory(), extra, finalObservation: { text } };
        const line = JSON.stringify(record);
        const read: unknown = JSON.parse(Buffer.from(line, "utf8").toString("utf8"));
        expect(isTrajectory(read)).toBe(true);
        expect(JSON.stringify(read)).toBe(line);
      },
    ),
  );
});
