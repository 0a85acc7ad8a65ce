import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSource, createZip, hasRealData, importAll } from "../../../test/support/importing.js";
import type { JsonValue } from "../../core/index.js";
import { TurnwiseError, isJsonObject } from "../../core/index.js";
import { openImportSource } from "../reading/source.js";
import { parseTolerantJson } from "../reading/tolerant-json.js";
import { explainRecord } from "../schema/validate.js";
import { samples } from "../../../test/support/import-samples.js";
import type { Importer } from "./importer.js";
import { openZip } from "./zip.js";

/** Values that other programs write where something else was meant. */
const oddValues: readonly JsonValue[] = [
  null,
  "",
  "text",
  0,
  -1,
  1.5,
  1e300,
  true,
  false,
  [],
  {},
  [null],
  [[]],
  { a: null },
  "###",
  "NaN",
  { $number: "NaN" },
];

/** Where a change is made: at a share of all places of the value, in the order of a walk. */
interface Mutation {
  readonly place: number;
  readonly kind: "drop" | "replace" | "repeat" | "wrap";
  readonly oddIndex: number;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  kind: fc.constantFrom("drop", "replace", "repeat", "wrap"),
  oddIndex: fc.nat({ max: oddValues.length - 1 }),
});

function countPlaces(value: JsonValue): number {
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).reduce<number>((sum, item) => sum + 1 + countPlaces(item), 0);
  if (isJsonObject(value))
    return Object.values(value).reduce<number>((sum, item) => sum + 1 + countPlaces(item ?? null), 0);
  return 0;
}

/** Returns `value` with one place changed. */
function mutate(value: JsonValue, { place, kind, oddIndex }: Mutation): JsonValue {
  let left = Math.floor(place * countPlaces(value));
  const visit = (current: JsonValue): JsonValue => {
    if (typeof current !== "object" || current === null || left < 0) return current;
    const entries: [string, JsonValue][] = [];
    for (const [key, item] of Object.entries(current)) {
      const isHere = left === 0;
      left -= 1;
      if (!isHere) entries.push([key, visit(item ?? null)]);
      else if (kind === "replace") entries.push([key, oddValues[oddIndex]]);
      else if (kind === "wrap") entries.push([key, [item ?? null]]);
      else if (kind === "repeat") entries.push([key, item ?? null], [`${key}0`, item ?? null]);
    }
    return Array.isArray(current) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
  };
  return visit(value);
}

/**
 * Returns what an importer did wrong with a file, or `undefined`: it must give valid records and name what it lost, or
 * refuse the file with an input error.
 */
async function findFault(
  importer: Importer,
  name: string,
  content: JsonValue | Uint8Array,
): Promise<string | undefined> {
  const source = createSource(name, typeof content === "object" && content !== null ? content : String(content));
  const certainty = importer.detect(source);
  if (!(certainty >= 0 && certainty <= 1)) return `certainty ${certainty}`;
  try {
    const { trajectories, problems } = await importAll(importer, source);
    const unreadable = problems.find((problem) => problem.problemClass === "unreadable");
    if (unreadable !== undefined) return unreadable.message;
    if (trajectories.length + problems.length === 0) return "neither a record nor a problem";
    return trajectories.map(explainRecord).find((fault) => fault !== undefined);
  } catch (error) {
    if (error instanceof TurnwiseError && error.kind === "input") return undefined;
    throw error;
  }
}

/** Returns a sample's file as text. */
function writeText(value: JsonValue, isLines: boolean | undefined): string {
  if (isLines !== true || !Array.isArray(value)) return JSON.stringify(value);
  return (value as readonly JsonValue[]).map((line) => JSON.stringify(line)).join("\n"); // Array.isArray loses the type
}

test.each(samples)(
  "$importer.format gives valid records or an input error for damaged $name",
  async ({ importer, name, value, isLines }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 6 }), async (mutations) => {
        const damaged = mutations.reduce<JsonValue>(mutate, value);
        expect(await findFault(importer, name, writeText(damaged, isLines))).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  },
);

test.each(samples)(
  "$importer.format gives valid records or an input error for $name cut anywhere",
  async ({ importer, name, value, isLines }) => {
    const text = writeText(value, isLines);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: text.length }), async (length) => {
        expect(await findFault(importer, name, text.slice(0, length))).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  },
);

const importers = [...new Map(samples.map(({ importer }) => [importer.format, importer])).values()];

test.each(importers)("$format refuses or reads any JSON at all", async (importer) => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      expect(await findFault(importer, "some.json", JSON.stringify(value))).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});

test("inspect gives valid records or an input error for archives with damaged bytes", async () => {
  const sample = samples.find(({ importer }) => importer.format === "inspect");
  if (sample === undefined || !isJsonObject(sample.value)) throw new Error("No sample of an Inspect log");
  const { samples: logged, ...header } = sample.value;
  const [first] = logged as JsonValue[]; // the sample has one
  const archive = createZip([
    { name: "_journal/start.json", content: header, packing: "zstd" },
    { name: "samples/1_epoch_1.json", content: first as object, packing: "zstd_frames" },
    { name: "header.json", content: header, packing: "deflate" },
  ]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat({ max: archive.length - 1 }), fc.nat({ max: 255 })), { maxLength: 8 }),
      async (changes) => {
        const damaged = archive.slice();
        for (const [at, byte] of changes) damaged[at] = byte;
        expect(await findFault(sample.importer, "log.eval", damaged)).toBeUndefined();
      },
    ),
    { numRuns: 200 },
  );
});

/** Returns every file of the raw data below a limit that keeps the test quick. */
function listRealFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return listRealFiles(path);
    return statSync(path).size < 120_000 ? [path] : [];
  });
}

/** Returns a public file's first document, whatever it is packed in. */
async function readFirstDocument(path: string, importer: Importer): Promise<JsonValue | undefined> {
  const bytes = await (await openImportSource(path)).readAll();
  const text = path.endsWith(".eval") ? readFirstSample(bytes) : Buffer.from(bytes).toString("utf8");
  return parseTolerantJson(importer.format === "verifiers" ? text.split("\n")[0] : text).values.at(0);
}

test.skipIf(!hasRealData)("every importer survives damaged copies of the raw data", async () => {
  let checkedCount = 0;
  for (const path of listRealFiles("../shared/real-data")) {
    const source = await openImportSource(path);
    const [best] = importers
      .map((importer) => ({ importer, certainty: importer.detect(source) }))
      .sort((a, b) => b.certainty - a.certainty);
    if (best.certainty < 0.4) continue;
    const value = await readFirstDocument(path, best.importer);
    if (value === undefined) continue;
    for (const one of fc.sample(mutation, { numRuns: 4, seed: 7 })) {
      const name = source.name.replace(/\.eval$/, ".json");
      expect(await findFault(best.importer, name, JSON.stringify(mutate(value, one))), path).toBeUndefined();
      checkedCount += 1;
    }
  }
  expect(checkedCount).toBeGreaterThan(100);
});

/** Returns the first sample of an archive as a log of its own. */
function readFirstSample(bytes: Uint8Array): string {
  const members = [...openZip(bytes, "log.eval").members.values()];
  const find = (pattern: RegExp): string =>
    Buffer.from(members.find(({ name }) => pattern.test(name))?.read() ?? new Uint8Array()).toString("utf8");
  const header = find(/header\.json$/);
  return `${header.trimEnd().slice(0, -1)},"samples":[${find(/^samples\//)}]}`;
}
