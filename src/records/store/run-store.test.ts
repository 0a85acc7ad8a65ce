import {
  appendFile,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { existsSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getEpisodeKey, sha256, type Trajectory } from "../../core/index.js";
import { createSampleTrajectory, readAllTrajectories } from "../testing.js";
import { createRunManifest, diffConfigs, type RunManifestFields } from "./manifest.js";
import { readRun } from "./run-reader.js";
import { createRunStore, openRunStore } from "./run-store.js";
import { isInShard } from "./shard.js";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "turnwise-store-"));
});
afterAll(() => rm(root, { recursive: true }));

let folderCount = 0;
function newFolder(): string {
  folderCount += 1;
  return join(root, `run-${folderCount}`);
}

function makeManifest(changes: Partial<RunManifestFields> = {}) {
  const fields: RunManifestFields = {
    kind: "eval",
    config: { temperature: 1, policies: [{ model: "a" }] },
    policies: [{ id: "base" }],
    ...changes,
  };
  return createRunManifest(fields, { now: new Date(0), turnwiseVersion: "0.0.0" });
}

function makeEpisode(taskNumber: number, changes: Partial<Trajectory> = {}): Trajectory {
  const id = `task-${taskNumber}`;
  return createSampleTrajectory({ task: { id, hash: sha256(id) }, ...changes });
}

const errored: Trajectory["stopReason"] = {
  type: "error",
  boundary: "policy",
  errorClass: "timeout",
  message: "no answer",
};

test("createRunStore() keeps every field of a record, unknown ones and lone surrogates included", async () => {
  const folder = newFolder();
  const episode = { ...makeEpisode(1), strange: { deep: [null, "\udfff"] }, $blobs: "mine" };
  const store = await createRunStore(folder, makeManifest());
  await store.append(episode);
  expect(await readAllTrajectories(store)).toEqual([episode]);
  await store.close();
  const run = await readRun(folder);
  expect(await readAllTrajectories(run)).toEqual([episode]);
  expect(run.problems).toEqual([]);
});

test("the newest record of a key wins, and an errored episode counts as not finished", async () => {
  const folder = newFolder();
  const store = await createRunStore(folder, makeManifest());
  await store.append(makeEpisode(1, { stopReason: errored }));
  expect(store.hasFinished(getEpisodeKey(makeEpisode(1)))).toBe(false);
  await store.append(makeEpisode(1, { success: true }));
  expect(store.hasFinished(getEpisodeKey(makeEpisode(1)))).toBe(true);
  expect(store.hasFinished(getEpisodeKey(makeEpisode(2)))).toBe(false);
  expect(store.hasFinished({ ...getEpisodeKey(makeEpisode(1)), sampleIndex: 1 })).toBe(false);
  expect(store.hasFinished({ ...getEpisodeKey(makeEpisode(1)), disclosure: "hidden" })).toBe(false);
  await store.close();
  const again = await createRunStore(folder, makeManifest());
  expect(again.hasFinished(getEpisodeKey(makeEpisode(1)))).toBe(true);
  expect((await readAllTrajectories(again)).map(({ success }) => success)).toEqual([true]);
  await again.close();
});

test("read() gives the same order whatever order episodes were finished in", async () => {
  const orders = [
    [1, 2, 3, 4],
    [4, 2, 1, 3],
  ];
  const seen = [];
  for (const order of orders) {
    const store = await createRunStore(newFolder(), makeManifest());
    for (const number of order) await store.append(makeEpisode(number, { sampleIndex: number % 2 }));
    seen.push((await readAllTrajectories(store)).map(({ task, sampleIndex }) => `${task.id}/${sampleIndex}`));
    await store.close();
  }
  expect(seen[1]).toEqual(seen[0]);
});

test("concurrent appends are all durable, over several segments", async () => {
  const folder = newFolder();
  const store = await createRunStore(folder, makeManifest(), { maxSegmentEpisodes: 30 });
  await Promise.all(Array.from({ length: 100 }, (_, number) => store.append(makeEpisode(number))));
  await store.close();
  expect(await readdir(join(folder, "segments"))).toEqual(["0001.jsonl", "0002.jsonl", "0003.jsonl", "0004.jsonl"]);
  expect((await readdir(join(folder, "index"))).sort()).toEqual(["0001.json", "0002.json", "0003.json", "0004.json"]);
  const run = await readRun(folder);
  expect(run.episodeCount).toBe(100);
  expect(new Set((await readAllTrajectories(run)).map(({ task }) => task.id)).size).toBe(100);
});

test("a changed configuration is refused field by field, an unchanged one continues", async () => {
  const folder = newFolder();
  await (await createRunStore(folder, makeManifest())).close();
  const changed = makeManifest({ samples: 8, config: { temperature: 0.5, policies: [{ model: "b" }] } });
  await expect(createRunStore(folder, changed)).rejects.toThrow(
    'differs in 3 fields (found -> asked)\n  config.temperature: 1 -> 0.5\n  config.policies.0.model: "a" -> "b"\n  samples: (absent) -> 8',
  );
  await expect(createRunStore(folder, makeManifest({ shard: { number: 1, count: 2 } }))).rejects.toThrow(
    "it holds all episodes, asked for shard 1/2",
  );
  await (await createRunStore(folder, makeManifest())).close();
});

test("diffConfigs() names added, removed and changed fields", () => {
  expect(diffConfigs({ a: 1, b: [1, 2], c: { d: null } }, { a: 1, b: [1], c: null, e: "x" })).toEqual([
    { path: "b.1", before: 2, after: undefined },
    { path: "c", before: { d: null }, after: null },
    { path: "e", before: undefined, after: "x" },
  ]);
});

test("a second writer is refused with the process that holds the folder", async () => {
  const folder = newFolder();
  const store = await createRunStore(folder, makeManifest());
  await expect(createRunStore(folder, makeManifest())).rejects.toThrow("this process itself is writing it");
  await store.close();
  const owner = { pid: process.ppid, host: hostname(), processStart: "", token: "t" };
  await writeFile(join(folder, "lock"), JSON.stringify(owner));
  await expect(openRunStore(folder)).rejects.toThrow(`process ${process.ppid} on `);
});

test.each([
  { name: "a process that is gone", lock: { pid: 2 ** 22 + 1, processStart: "", token: "t" } },
  { name: "a process id that was given to another process", lock: { pid: process.pid, processStart: "1", token: "t" } },
  { name: "a half-written file", lock: "{" },
])("a lock left by $name is taken over", async ({ lock }) => {
  const folder = newFolder();
  await (await createRunStore(folder, makeManifest())).close();
  await writeFile(
    join(folder, "lock"),
    typeof lock === "string" ? lock : JSON.stringify({ ...lock, host: hostname() }),
  );
  if (typeof lock !== "string" && lock.pid === process.pid && !existsSync("/proc/self/stat")) return; // start times are known on Linux only
  const store = await openRunStore(folder);
  await store.close();
  expect(await readdir(folder)).not.toContain("lock");
});

test("a lock of another machine is respected, and the message says what to do", async () => {
  const folder = newFolder();
  await (await createRunStore(folder, makeManifest())).close();
  await writeFile(join(folder, "lock"), JSON.stringify({ pid: 1, host: "elsewhere", processStart: "", token: "t" }));
  await expect(openRunStore(folder)).rejects.toMatchObject({
    message: expect.stringContaining("process 1 on elsewhere") as unknown,
    remedy: expect.stringContaining("delete") as unknown,
  });
});

test("a torn last record is reported and cut off by the next writer, never by a reader", async () => {
  const folder = newFolder();
  const store = await createRunStore(folder, makeManifest());
  await store.append(makeEpisode(1));
  await store.close();
  const segment = join(folder, "segments", "0001.jsonl");
  const whole = await readFile(segment);
  await appendFile(segment, whole.subarray(0, 100));
  const run = await readRun(folder);
  expect(run.problems).toMatchObject([{ problemClass: "torn_tail", segment: 1, offset: whole.length }]);
  expect((await stat(segment)).size).toBe(whole.length + 100);
  const again = await createRunStore(folder, makeManifest());
  expect(again.problems).toMatchObject([{ problemClass: "torn_tail" }]);
  await again.append(makeEpisode(2));
  await again.close();
  expect((await readRun(folder)).problems).toEqual([]);
  expect((await readRun(folder)).episodeCount).toBe(2);
});

test("readRun() changes nothing and sees what is durable while another writes", async () => {
  const folder = newFolder();
  const store = await createRunStore(folder, makeManifest());
  await store.append(makeEpisode(1));
  const before = await readdir(folder, { recursive: true });
  const run = await readRun(folder);
  expect(run.episodeCount).toBe(1);
  await store.append(makeEpisode(2));
  expect((await readAllTrajectories(run)).length).toBe(1);
  expect((await readRun(folder)).episodeCount).toBe(2);
  expect(await readdir(folder, { recursive: true })).toEqual(before);
  await store.close();
});

test("readRun() rebuilds an index that does not fit its segment, in memory", async () => {
  const folder = newFolder();
  const store = await createRunStore(folder, makeManifest());
  for (const number of [1, 2]) await store.append(makeEpisode(number));
  await store.close();
  const segment = join(folder, "segments", "0001.jsonl");
  const lines = (await readFile(segment, "utf8")).trimEnd().split("\n");
  await writeFile(segment, `${lines.toReversed().join("\n")}\n`);
  expect((await readAllTrajectories(await readRun(folder))).map(({ task }) => task.id).sort()).toEqual([
    "task-1",
    "task-2",
  ]);
  await writeFile(join(folder, "index", "0001.json"), "garbage");
  expect((await readRun(folder)).episodeCount).toBe(2);
});

test("rows carry the scalars of an episode and lead back to its record", async () => {
  const folder = newFolder();
  const store = await createRunStore(folder, makeManifest());
  const episode = makeEpisode(1);
  await store.append(episode);
  await store.append(makeEpisode(2, { stopReason: errored, success: undefined }));
  await store.close();
  const run = await readRun(folder);
  const row = run.findRow(getEpisodeKey(episode));
  expect(row).toMatchObject({
    task: { id: "task-1" },
    setting: { policyId: "base", checkpoint: "step-0", envId: "lookup", budget: { maxTurns: 4 } },
    stopLabel: "wrong_final",
    success: false,
    turnCount: 2,
    tokens: 129,
    toolCalls: 2,
    segment: 1,
    offset: 0,
  });
  expect(row && run.readEpisode(row)).toEqual(episode);
  const failed = run.findRow(getEpisodeKey(makeEpisode(2)));
  expect(failed).toMatchObject({ stopLabel: "error", errorClass: "policy/timeout" });
  expect(failed?.success).toBeUndefined();
  run.close();
});

test("large strings lie beside the records once and come back in place", async () => {
  const folder = newFolder();
  const image = `data:image/png;base64,${"QUJD".repeat(2_000_000)}`;
  const damaged = `\ud800${"x".repeat(300_000)}`;
  const episode = makeEpisode(1, {
    finalObservation: { text: damaged, data: { image, again: image, ["__proto__"]: { image } } },
  });
  const store = await createRunStore(folder, makeManifest());
  await store.append(episode);
  await store.append({ ...episode, sampleIndex: 1 });
  await store.close();
  expect((await stat(join(folder, "segments", "0001.jsonl"))).size).toBeLessThan(10_000);
  const blobs = (await readdir(join(folder, "blobs"), { recursive: true })).filter((name) => name.length > 60);
  expect(blobs).toHaveLength(2);
  const [first] = await readAllTrajectories(await readRun(folder));
  expect(JSON.stringify(first)).toBe(JSON.stringify(episode));
  await rm(join(folder, "blobs"), { recursive: true });
  await expect(readAllTrajectories(await readRun(folder))).rejects.toThrow(`episode ${episode.episodeId}`);
});

test("a value beside a record that was altered is noticed by its hash, and stored again", async () => {
  const folder = newFolder();
  const episode = makeEpisode(1, { finalObservation: { text: "z".repeat(300_000) } });
  const store = await createRunStore(folder, makeManifest());
  await store.append(episode);
  await store.close();
  const [name] = (await readdir(join(folder, "blobs"), { recursive: true })).filter((entry) => entry.length > 60);
  const blob = join(folder, "blobs", name);
  await writeFile(blob, "y".repeat(300_000));
  await expect(readAllTrajectories(await readRun(folder))).rejects.toThrow("was altered");
  await rm(join(folder, "index"), { recursive: true });
  expect((await readRun(folder)).problems).toMatchObject([{ problemClass: "altered_blob" }]);
  const again = await createRunStore(folder, makeManifest());
  await again.append(episode);
  await again.close();
  expect(await readAllTrajectories(await readRun(folder))).toEqual([episode]);
});

test("close() waits for records whose large values are still being stored", async () => {
  const folder = newFolder();
  const store = await createRunStore(folder, makeManifest());
  const appended = store.append(makeEpisode(1, { finalObservation: { text: "y".repeat(3_000_000) } }));
  await store.close();
  await appended;
  expect((await readRun(folder)).episodeCount).toBe(1);
  await expect(store.append(makeEpisode(2))).rejects.toThrow(TypeError);
});

test("numbers that JSON cannot write become tags instead of null", async () => {
  const folder = newFolder();
  const store = await createRunStore(folder, makeManifest());
  await store.append(makeEpisode(1, { extra: { deep: [Number.NaN, { x: -Infinity }] }, episodeReturn: Infinity }));
  const [read] = await readAllTrajectories(store);
  expect(read.extra).toEqual({ deep: [{ $number: "NaN" }, { x: { $number: "-Infinity" } }] });
  expect(read.episodeReturn).toEqual({ $number: "Infinity" });
  await store.close();
});

test.skipIf(!existsSync("/dev/full"))(
  "a full disk fails the episodes that were not written and keeps those that were",
  async () => {
    const folder = newFolder();
    const store = await createRunStore(folder, makeManifest(), { maxSegmentEpisodes: 2 });
    await store.append(makeEpisode(1));
    await store.append(makeEpisode(2));
    await symlink("/dev/full", join(folder, "segments", "0002.jsonl"));
    await expect(store.append(makeEpisode(3))).rejects.toThrow("no space is left on the disk (ENOSPC)");
    await expect(store.append(makeEpisode(4))).rejects.toThrow("ENOSPC");
    await store.close();
    await rm(join(folder, "segments", "0002.jsonl"));
    const again = await createRunStore(folder, makeManifest());
    expect([1, 2, 3].map((number) => again.hasFinished(getEpisodeKey(makeEpisode(number))))).toEqual([
      true,
      true,
      false,
    ]);
    await again.close();
  },
);

test.skipIf(process.getuid?.() === 0)("a folder without write access is refused clearly", async () => {
  const folder = newFolder();
  await mkdir(folder);
  await chmod(folder, 0o555);
  await expect(createRunStore(folder, makeManifest())).rejects.toThrow("permission denied");
});

test("a file in the place of the folder, a missing run and a foreign run.json are refused clearly", async () => {
  const folder = newFolder();
  await writeFile(folder, "");
  await expect(createRunStore(folder, makeManifest())).rejects.toThrow("a file stands there");
  await expect(readRun(folder)).rejects.toThrow('there is no "run.json"');
  const other = newFolder();
  await mkdir(other);
  await writeFile(join(other, "run.json"), '{"schema":"turnwise.run/7"}');
  await expect(readRun(other)).rejects.toThrow('its schema is "turnwise.run/7", expected "turnwise.run/1"');
});

test("a copied run is the same run", async () => {
  const folder = newFolder();
  const store = await createRunStore(folder, makeManifest());
  await store.append(makeEpisode(1));
  await store.close();
  const copy = newFolder();
  await cp(folder, copy, { recursive: true });
  expect(await readAllTrajectories(await readRun(copy))).toEqual(await readAllTrajectories(await readRun(folder)));
});

test("isInShard() puts each episode in exactly one shard, evenly", () => {
  const counts = [0, 0, 0, 0];
  for (let number = 0; number < 400; number += 1) {
    const key = getEpisodeKey(makeEpisode(number));
    const shards = [1, 2, 3, 4].filter((shard) => isInShard(key, shard, 4));
    expect(shards).toHaveLength(1);
    counts[shards[0] - 1] += 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(70);
  expect(() => isInShard(getEpisodeKey(makeEpisode(1)), 0, 4)).toThrow(RangeError);
});
