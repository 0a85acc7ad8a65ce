import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getEpisodeKey, sha256, type JsonValue, type Trajectory } from "../../core/index.js";
import { createSampleTrajectory, readAllTrajectories } from "../testing.js";
import { createRunManifest } from "./manifest.js";
import { readRun } from "./run-reader.js";
import { createRunStore } from "./run-store.js";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "turnwise-damage-"));
});
afterAll(() => rm(root, { recursive: true }));

let folderCount = 0;
function newFolder(): string {
  folderCount += 1;
  return join(root, `run-${folderCount}`);
}

function makeManifest() {
  const context = { now: new Date(0), turnwiseVersion: "0.0.0" };
  return createRunManifest({ kind: "eval", config: {}, policies: [{ id: "base" }] }, context);
}

function makeEpisode(taskNumber: number, changes: Partial<Trajectory> = {}): Trajectory {
  const id = `task-${taskNumber}`;
  return createSampleTrajectory({ task: { id, hash: sha256(id) }, ...changes });
}

/** Returns the JSON text of that many arrays, one in the other. */
function nest(levelCount: number): string {
  return "[".repeat(levelCount) + "]".repeat(levelCount);
}

test("a damaged line in the middle is named and its episode counts as not played", async () => {
  const folder = newFolder();
  const store = await createRunStore(folder, makeManifest());
  for (const number of [1, 2, 3]) await store.append(makeEpisode(number));
  await store.close();
  await rm(join(folder, "index"), { recursive: true });
  const segment = join(folder, "segments", "0001.jsonl");
  const lines = (await readFile(segment, "utf8")).split("\n");
  await writeFile(
    segment,
    [lines[0], lines[1].replace('"sampleIndex":0', '"sampleIndex":-5'), lines[2], ""].join("\n"),
  );
  const again = await createRunStore(folder, makeManifest());
  expect(again.problems).toMatchObject([
    { problemClass: "damaged_record", message: expect.stringContaining("sampleIndex") as unknown },
  ]);
  expect([1, 2, 3].map((number) => again.hasFinished(getEpisodeKey(makeEpisode(number))))).toEqual([true, false, true]);
  await again.close();
});

test.each([
  ["a byte that broke the JSON", "damaged_line", (line: string) => line.replace('"sampleIndex":', '"sampleIndex";')],
  ["a byte that broke the schema", "damaged_record", (line: string) => line.replace('"turns":[', '"turnz":[')],
  ["values nested too deep", "damaged_record", (line: string) => line.replace("{", `{"x":${nest(5000)},`)],
])(
  "%s is noticed although the stored index covers the line, and the episode is redone",
  async (_, problemClass, rot) => {
    const folder = newFolder();
    const store = await createRunStore(folder, makeManifest());
    // The damaged line lies far from the end of the segment.
    for (let number = 1; number <= 20; number += 1) await store.append(makeEpisode(number));
    await store.close();
    const segment = join(folder, "segments", "0001.jsonl");
    const lines = (await readFile(segment, "utf8")).split("\n");
    await writeFile(segment, [rot(lines[0]), ...lines.slice(1)].join("\n"));
    const run = await readRun(folder);
    expect(run.problems).toMatchObject([{ problemClass, segment: 1, offset: 0 }]);
    expect(await readAllTrajectories(run)).toHaveLength(19);
    const again = await createRunStore(folder, makeManifest());
    expect(again.hasFinished(getEpisodeKey(makeEpisode(1)))).toBe(false);
    await again.append(makeEpisode(1));
    await again.close();
    expect(await readAllTrajectories(await readRun(folder))).toHaveLength(20);
  },
);

test("an appended record that breaks the schema is kept on disk, named by readers and not counted as played", async () => {
  const folder = newFolder();
  const store = await createRunStore(folder, makeManifest());
  const odd = JSON.parse(JSON.stringify({ ...makeEpisode(1), success: "yes" })) as Trajectory; // as an untyped caller would
  await store.append(odd);
  await store.append(makeEpisode(2));
  expect(store.hasFinished(getEpisodeKey(odd))).toBe(false);
  expect(await readAllTrajectories(store)).toHaveLength(1);
  await store.close();
  const run = await readRun(folder);
  expect(run.problems).toMatchObject([
    { problemClass: "damaged_record", message: expect.stringContaining("success") as unknown },
  ]);
  expect(await readAllTrajectories(run)).toHaveLength(1);
});

test("append() refuses values nested too deep and names the episode; others are kept", async () => {
  const folder = newFolder();
  const store = await createRunStore(folder, makeManifest());
  const deep = makeEpisode(1, { extra: { deep: JSON.parse(nest(5000)) as JsonValue } }); // text of JSON
  await expect(store.append(deep)).rejects.toThrow(TypeError);
  await expect(store.append(deep)).rejects.toThrow(deep.episodeId);
  await store.append(makeEpisode(2, { extra: { deep: JSON.parse(nest(900)) as JsonValue } })); // as above
  await store.close();
  expect(await readAllTrajectories(await readRun(folder))).toHaveLength(1);
});
