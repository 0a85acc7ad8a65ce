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
  if (Array.isArray(value)) return value.reduce((sum: number, item: JsonValue) => sum + 1 + countPlaces(item), 0);
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

/** An importer must give valid records or refuse the file with an input error; nothing else may be thrown. */
async function checkImport(importer: Importer, name: string, content: JsonValue | Uint8Array | string): Promise<void> {
  const source = createSource(name, typeof content === "object" && content !== null ? content : String(content));
  expect(importer.detect(source)).toBeGreaterThanOrEqual(0);
  try {
    const { trajectories, problems } = await importAll(importer, source);
    for (const trajectory of trajectories) expect(explainRecord(trajectory)).toBeUndefined();
    expect(problems.filter((problem) => problem.problemClass === "unreadable")).toEqual([]);
    expect(trajectories.length + problems.length).toBeGreaterThan(0);
  } catch (error) {
    if (!(error instanceof TurnwiseError) || error.kind !== "input") throw error;
  }
}

test.each(samples)(
  "$importer.format gives valid records or an input error for damaged $name",
  async ({ importer, name, value, isLines }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 6 }), async (mutations) => {
        const damaged = mutations.reduce<JsonValue>(mutate, value);
        await checkImport(
          importer,
          name,
          isLines === true && Array.isArray(damaged) ? damaged.map((line) => JSON.stringify(line)).join("\n") : damaged,
        );
      }),
      { numRuns: 200 },
    );
  },
);

test.each(samples)(
  "$importer.format gives valid records or an input error for $name cut anywhere",
  async ({ importer, name, value, isLines }) => {
    const text =
      isLines === true && Array.isArray(value)
        ? value.map((line) => JSON.stringify(line)).join("\n")
        : JSON.stringify(value);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: text.length }), (length) => checkImport(importer, name, text.slice(0, length))),
      { numRuns: 60 },
    );
  },
);

const importers = [...new Map(samples.map(({ importer }) => [importer.format, importer])).values()];

test.each(importers)("$format refuses or reads any JSON at all", async (importer) => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), (value) => checkImport(importer, "some.json", JSON.stringify(value))),
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
        await checkImport(sample.importer, "log.eval", damaged);
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

test.skipIf(!hasRealData)("every importer survives damaged copies of the raw data", async () => {
  const root = "../shared/real-data";
  for (const folder of [
    "inspect-logs",
    "intercode",
    "mini-swe-agent-traj",
    "swe-agent-traj",
    "tau2-base-vs-sft",
    "verifiers-evals",
  ]) {
    for (const path of listRealFiles(join(root, folder))) {
      const source = await openImportSource(path);
      const importer = importers
        .map((candidate) => ({ candidate, score: candidate.detect(source) }))
        .sort((a, b) => b.score - a.score)[0];
      if (importer.score < 0.4) continue;
      const bytes = await source.readAll();
      const text =
        importer.candidate.format === "inspect" && path.endsWith(".eval")
          ? readFirstSample(bytes)
          : Buffer.from(bytes).toString("utf8");
      const { values } = parseTolerantJson(
        text.split("\n").length < 200 && importer.candidate.format === "verifiers" ? text.split("\n")[0] : text,
      );
      const run = fc.sample(mutation, { numRuns: 4, seed: 7 });
      for (const one of run)
        if (values.length === 1)
          await checkImport(
            importer.candidate,
            source.name.replace(/\.eval$/, ".json"),
            JSON.stringify(mutate(values[0], one)),
          );
    }
  }
});

/** Returns the first sample of an archive as a log of its own. */
function readFirstSample(bytes: Uint8Array): string {
  const members = [...openZip(bytes, "log.eval").members.values()];
  const find = (pattern: RegExp): string =>
    Buffer.from(members.find(({ name }) => pattern.test(name))?.read() ?? new Uint8Array()).toString("utf8");
  const header = find(/header\.json$/);
  return `${header.trimEnd().slice(0, -1)},"samples":[${find(/^samples\//)}]}`;
}
