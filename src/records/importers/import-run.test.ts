import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sha256 } from "../../core/index.js";
import { createRunManifest } from "../store/manifest.js";
import { readRun } from "../store/run-reader.js";
import { createRunStore } from "../store/run-store.js";
import { createSampleTrajectory, readAllTrajectories } from "../testing.js";
import { importFile } from "./import-file.js";
import { importRun, listImportFiles } from "./import-run.js";
import type { ImportItem, ImportOptions } from "./importer.js";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "turnwise-import-"));
});
afterAll(() => rm(root, { recursive: true }));

const context = { now: new Date(0), turnwiseVersion: "0" };
let count = 0;
async function writeFileIn(content: string | Uint8Array, name = "chats.jsonl"): Promise<string> {
  count += 1;
  const folder = join(root, `in-${count}`);
  await mkdir(folder);
  await writeFile(join(folder, name), content);
  return join(folder, name);
}
function newFolder(): string {
  count += 1;
  return join(root, `out-${count}`);
}
function chatLine(question: string, fields: object = {}): string {
  return `${JSON.stringify({
    messages: [
      { role: "user", content: question },
      { role: "assistant", content: "4" },
    ],
    ...fields,
  })}\n`;
}
async function importAll(path: string, format?: string, options?: ImportOptions): Promise<ImportItem[]> {
  const items: ImportItem[] = [];
  for await (const item of (await importFile(path, format, options)).items) items.push(item);
  return items;
}

test("importRun() writes a run whose manifest names the source, its hash and its problems", async () => {
  const text = `${chatLine("a", { success: true })}not json\n${chatLine("b")}{"torn`;
  const path = await writeFileIn(text);
  const folder = newFolder();
  const summary = await importRun([path], folder, context);
  expect(summary).toMatchObject({ importedCount: 2, knownCount: 0 });
  const run = await readRun(folder);
  expect(run.manifest).toMatchObject({
    kind: "import",
    sources: [
      {
        name: "chats.jsonl",
        format: "openai-messages",
        sha256: sha256(text),
        byteCount: Buffer.byteLength(text),
        episodeCount: 2,
        problemCounts: { not_json: 1, torn_tail: 1 },
      },
    ],
  });
  expect(
    (await readAllTrajectories(run)).map(({ success }) => String(success)).toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(["true", "undefined"]);
});

test("importRun() again adds what a file that was still being written has got since", async () => {
  const path = await writeFileIn(`${chatLine("a")}${chatLine("b").slice(0, 20)}`);
  const folder = newFolder();
  expect(await importRun([path], folder, context)).toMatchObject({ importedCount: 1 });
  await appendFile(path, `${chatLine("b").slice(20)}${chatLine("c")}`);
  expect(await importRun([path], folder, context)).toMatchObject({
    importedCount: 2,
    knownCount: 1,
    sources: [{ episodeCount: 3, problemCounts: {} }],
  });
  expect((await readRun(folder)).episodeCount).toBe(3);
});

test("importRun() with other options into the same folder is refused", async () => {
  const path = await writeFileIn(chatLine("a"));
  const folder = newFolder();
  await importRun([path], folder, context);
  await expect(importRun([path], folder, context, { successThreshold: 1 })).rejects.toThrow(
    "config.successThreshold: (absent) -> 1",
  );
});

test("importRun() of several files counts attempts over all of them", async () => {
  const paths = [
    await writeFileIn(chatLine("a"), "one.jsonl"),
    await writeFileIn(gzipSync(chatLine("a", { run: 2 })), "two.jsonl.gz"),
  ];
  const folder = newFolder();
  await importRun(paths, folder, context, { policyId: "p" });
  expect((await readAllTrajectories(await readRun(folder))).map(({ sampleIndex }) => sampleIndex)).toEqual([0, 1]);
});

test("importRun() reads a folder, and refuses one in which nothing is recognised", async () => {
  const path = await writeFileIn(chatLine("a"));
  await writeFile(join(path, "..", "notes.txt"), "hello");
  expect(await listImportFiles(join(path, ".."))).toEqual([path]);
  const other = await writeFileIn("hello", "notes.txt");
  await expect(importRun([join(other, "..")], newFolder(), context)).rejects.toThrow(
    "none of its 1 files was recognised",
  );
});

test("importRun() refuses a file without any episode", async () => {
  const path = await writeFileIn('{"messages": 7}\n');
  await expect(importRun([path], newFolder(), context, { format: "openai-messages" })).rejects.toThrow(
    "no episode was found",
  );
});

test("turnwise records are taken as they are, values stored beside included", async () => {
  const run = newFolder();
  const store = await createRunStore(run, createRunManifest({ kind: "eval", config: {}, policies: [] }, context), {
    maxInlineLength: 1000,
  });
  const episode = createSampleTrajectory({ finalObservation: { text: "x".repeat(2000) } });
  await store.append(episode);
  await store.close();
  const segment = join(run, "segments", "0001.jsonl");
  expect(await importAll(segment)).toEqual([{ type: "trajectory", trajectory: episode }]);
  const alone = await writeFileIn(await readFile(segment));
  expect(await importAll(alone)).toMatchObject([{ type: "problem", problemClass: "missing_blob" }]);
});

test("turnwise records that break the schema are named", async () => {
  const path = await writeFileIn(`${JSON.stringify({ ...createSampleTrajectory(), sampleIndex: "first" })}\n`);
  expect(await importAll(path)).toMatchObject([
    { problemClass: "not_a_record", message: expect.stringContaining("sampleIndex") as unknown },
  ]);
});

test("importFile() refuses an unknown format and an unrecognised file, and says what to do", async () => {
  const path = await writeFileIn('{"a":1}\n');
  await expect(importFile(path, "excel")).rejects.toThrow('Cannot import as "excel": formats are auto, turnwise');
  await expect(importFile(path)).rejects.toMatchObject({
    kind: "input",
    remedy: expect.stringContaining("--map") as unknown,
  });
  await expect(importFile(await writeFileIn(""))).rejects.toThrow("the file is empty");
});

test("turns after the state was solved are kept and reported", async () => {
  const turn = { observation: { text: "" }, action: { text: "" } };
  const record = createSampleTrajectory({ turns: [{ ...turn, solvedAfter: true }, turn, turn] });
  const [problem, item] = await importAll(await writeFileIn(`${JSON.stringify(record)}\n`));
  expect(problem).toMatchObject({
    problemClass: "contradiction",
    message: "the episode has 2 turns after the state was first graded as solved",
  });
  expect(item).toMatchObject({ trajectory: { turns: [{}, {}, {}] } });
});

test("importRun() reads files of the same content once, compressed or not, and reports the others", async () => {
  const text = chatLine("a", { success: true }) + chatLine("b", { success: false });
  const path = await writeFileIn(text, "results.jsonl");
  const folder = join(path, "..");
  await writeFile(join(folder, "results.jsonl.gz"), gzipSync(text));
  await writeFile(join(folder, "other.jsonl"), chatLine("c", { success: true }));
  const problems: string[] = [];
  const summary = await importRun([folder, path], newFolder(), context, {
    onProblem: (_path, { problemClass }) => problems.push(problemClass),
  });
  expect(summary.importedCount).toBe(3);
  expect(problems).toEqual(["same_file", "same_file"]);
  expect(summary.sources.map(({ name, episodeCount, problemCounts }) => [name, episodeCount, problemCounts])).toEqual([
    ["other.jsonl", 1, {}],
    ["results.jsonl", 2, {}],
    ["results.jsonl.gz", 0, { same_file: 1 }],
    ["results.jsonl", 0, { same_file: 1 }],
  ]);
});

test.each([
  ["a line", 5000, (lines: readonly string[]) => lines.join("")],
  ["a line that only the stored record makes too deep", 999, (lines: readonly string[]) => lines.join("")],
  ["an element of a document", 5000, (lines: readonly string[]) => `[\n${lines.join(",")}]`],
])("values nested too deep in %s cost that record alone", async (_name, depth, combine) => {
  const deep = "[".repeat(depth) + "]".repeat(depth);
  const fields = { success: true };
  const lines = [
    chatLine("a", fields),
    chatLine("b", { ...fields, extra: "DEEP" }).replace('"DEEP"', deep),
    chatLine("c", fields),
  ];
  const path = await writeFileIn(combine(lines), "chats.json");
  const summary = await importRun([path], newFolder(), context);
  expect(summary.importedCount).toBe(2);
  expect(summary.sources[0].problemCounts).toMatchObject({ too_deep: 1 });
});
