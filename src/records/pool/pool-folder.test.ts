import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  createTask,
  hashPoolEntries,
  poolSchema,
  sealPoolCard,
  renderPoolEntries,
  type ErrorPool,
  type ErrorPrefix,
} from "../../core/index.js";
import { readPool, writePool } from "./pool-folder.js";

function createPool(seed = 1): ErrorPool {
  const turn = {
    observation: { text: "0" },
    action: { text: "down \ud800" },
    distanceAfter: { $number: "Infinity" as const },
  };
  const prefix: ErrorPrefix = {
    kind: "error",
    id: "p1",
    producer: "base",
    origin: { run: "run", episodeId: "e1", sampleIndex: 0 },
    task: createTask("counter", { index: 0 }),
    envSeed: 3,
    turnIndex: 0,
    before: { turns: [], observation: { text: "0" } },
    label: "trap",
    evidence: "distance",
    error: { turn, observation: { text: "1" } },
  };
  const entries = { prefixes: [prefix], visited: [] };
  const card = {
    schema: poolSchema,
    prefixesHash: hashPoolEntries(renderPoolEntries(entries)),
    turnwiseVersion: "0",
    env: { id: "counter", version: "1" },
    restore: "replay" as const,
    rules: { perTask: 4, isBalanced: true, minSlack: 0, regretThreshold: 0.05, statesPerTask: 0, seed },
    sources: [{ run: "run", episodes: 3 }],
    producers: [{ id: "base", episodes: 3, episodesWithError: 1, turns: 9, errorRate: 0.25, prefixes: 1, visited: 0 }],
    prefixCount: 1,
    visitedCount: 0,
    taskCount: 1,
    labels: { trap: 1 },
    endedCount: 0,
    controlCount: 0,
    slack: { unknown: 1 },
    excluded: {
      erroredEpisodes: 0,
      duplicates: 0,
      withoutError: 0,
      diverged: 0,
      belowSlack: 0,
      overCap: 0,
      overBalance: 0,
    },
    notes: [],
  } as const;
  return { card: sealPoolCard(card), ...entries };
}
const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "turnwise-pool-"));

test("readPool() returns what writePool() wrote, and writing the same pool again changes nothing", async () => {
  const folder = await makeFolder();
  await writePool(folder, createPool());
  await writePool(folder, createPool());
  expect(await readPool(folder)).toEqual(createPool());
});
test("writePool() never replaces another pool", async () => {
  const folder = await makeFolder();
  await writePool(folder, createPool());
  await expect(writePool(folder, createPool(2))).rejects.toThrow("it holds another one");
});
test.each([
  { file: "prefixes.jsonl", find: '"base"', replace: '"rl"' },
  { file: "pool.json", find: '"perTask": 4', replace: '"perTask": 5' },
  { file: "pool.json", find: '"errorRate": 0.25', replace: '"errorRate": 0.5' },
  { file: "pool.json", find: '"prefixes": 1', replace: '"prefixes": 2' },
  { file: "pool.json", find: '"run": "run"', replace: '"run": "other"' },
  { file: "pool.json", find: '"notes": []', replace: '"notes": ["nothing to see"]' },
])("readPool() refuses a pool whose $file was changed: $find", async ({ file, find, replace }) => {
  const folder = await makeFolder();
  await writePool(folder, createPool());
  const path = join(folder, file);
  await writeFile(path, (await readFile(path, "utf8")).replace(find, replace));
  await expect(readPool(folder)).rejects.toThrow(`"${file}" was changed after the pool was frozen`);
});
test("readPool() says what a folder lacks that is no pool", async () => {
  await expect(readPool(await makeFolder())).rejects.toThrow(/Cannot read ".*pool.json"/);
});

test("writePool() refuses a folder that holds a run, and a folder of a pool holds no run", async () => {
  const run = await makeFolder();
  await writeFile(join(run, "run.json"), "{}");
  await expect(writePool(run, createPool())).rejects.toThrow("it holds a run");
});
test.each([
  { name: "no schema", text: "{}", says: 'it has no "schema"' },
  { name: "another schema", text: '{"schema":"turnwise.pool/9"}', says: 'its schema is "turnwise.pool/9"' },
  { name: "a list", text: "[]", says: "it is a list, not an object" },
])("readPool() says in words what stands in place of a card: $name", async ({ text, says }) => {
  const folder = await makeFolder();
  await writeFile(join(folder, "pool.json"), text);
  await expect(readPool(folder)).rejects.toThrow(`${says}, expected "turnwise.pool/1"`);
});
test("readPool() says in words that there is nothing to read", async () => {
  await expect(readPool(join(await makeFolder(), "none"))).rejects.toThrow("there is no such file or folder (ENOENT)");
});
