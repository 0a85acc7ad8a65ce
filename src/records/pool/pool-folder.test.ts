import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  createTask,
  hashPool,
  hashPoolEntries,
  poolSchema,
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
    sources: [],
    producers: [],
    prefixCount: 1,
    visitedCount: 0,
    taskCount: 1,
    labels: { trap: 1 },
    endedCount: 0,
    controlCount: 0,
    slack: { unknown: 1 },
    excluded: { erroredEpisodes: 0, withoutError: 0, diverged: 0, belowSlack: 0, overCap: 0, overBalance: 0 },
    notes: [],
  } as const;
  return { card: { ...card, poolHash: hashPool(card) }, ...entries };
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
])("readPool() refuses a pool whose $file was changed", async ({ file, find, replace }) => {
  const folder = await makeFolder();
  await writePool(folder, createPool());
  const path = join(folder, file);
  await writeFile(path, (await readFile(path, "utf8")).replace(find, replace));
  await expect(readPool(folder)).rejects.toThrow(`"${file}" was changed after the pool was frozen`);
});
test("readPool() says what a folder lacks that is no pool", async () => {
  await expect(readPool(await makeFolder())).rejects.toThrow(/Cannot read ".*pool.json"/);
});
