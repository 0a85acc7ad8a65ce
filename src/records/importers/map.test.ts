import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../core/index.js";
import { importFile } from "./import-file.js";
import type { ImportItem } from "./importer.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "turnwise-map-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function importMapped(records: readonly unknown[], map: JsonObject | undefined): Promise<ImportItem[]> {
  const path = join(folder, "log.jsonl");
  await writeFile(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  const items: ImportItem[] = [];
  for await (const item of (await importFile(path, "map", { map })).items) items.push(item);
  return items;
}

const log = {
  game: { id: 17, kind: "easy" },
  run: 2,
  agent: "mine",
  score: 0.9,
  end: "limit",
  steps: [
    { obs: "start", act: "go", r: 0, calls: [{ name: "move", arguments: { to: "n" } }], bad: 0 },
    { obs: { wall: true }, act: null, r: "1", bad: 1, done: true },
  ],
};

test("map reads turns from a list, item by item", async () => {
  const [item] = await importMapped([log], {
    turns: "steps",
    turn: { observation: "obs", action: "act", reward: "r", toolCalls: "calls", invalid: "bad", solvedAfter: "done" },
    taskId: "game.id",
    family: "game.kind",
    sampleIndex: "run",
    policyId: "agent",
    envId: { value: "maze" },
    success: { path: "score", atLeast: 0.5 },
    reward: "score",
    maxTurns: { value: 5 },
    stopReason: { path: "end", values: { limit: "max_turns" } },
  });
  expect(item).toMatchObject({
    type: "trajectory",
    trajectory: {
      task: { id: "17", family: "easy" },
      sampleIndex: 2,
      policy: { id: "mine" },
      env: { id: "maze", version: "unknown" },
      budget: { maxTurns: 5 },
      success: true,
      episodeReturn: 0.9,
      stopReason: { type: "max_turns" },
      turns: [
        {
          observation: { text: "start" },
          action: { text: "go", toolCalls: [{ name: "move", arguments: { to: "n" } }] },
          reward: 0,
        },
        {
          observation: { text: '{"wall":true}' },
          action: { text: "" },
          reward: 1,
          flags: { invalid: true },
          solvedAfter: true,
        },
      ],
      extra: { record: log },
    },
  });
});

test("map reads messages, and turn counts without transcripts", async () => {
  const messages = [
    { role: "user", content: "q" },
    { role: "assistant", content: "a" },
  ];
  expect(await importMapped([{ chat: messages }], { messages: "chat" })).toMatchObject([
    { trajectory: { turns: [{ action: { text: "a" } }] } },
  ]);
  const counted = await importMapped([{ t: "x", n: 3, ok: "yes" }], { turnCount: "n", taskId: "t", success: "ok" });
  expect(counted).toMatchObject([
    { trajectory: { turns: [{}, {}, {}], success: true, stopReason: { type: "env_end", kind: "solved" } } },
  ]);
});

test("map compares to a value, and what it does not find is unknown", async () => {
  const map = { turnCount: "n", taskId: "t", success: { path: "verdict", equals: "ok" } };
  const items = await importMapped(
    [
      { t: 1, n: 1, verdict: "ok" },
      { t: 2, n: 1, verdict: "no" },
      { t: 3, n: 1 },
    ],
    map,
  );
  expect(items.map((item) => (item.type === "trajectory" ? item.trajectory.success : item))).toEqual([
    true,
    false,
    undefined,
  ]);
});

test("map names records that the mapping does not fit", async () => {
  const map = { turns: "steps", turn: { action: "act" }, taskId: "t", stopReason: "end" };
  const items = await importMapped([{ t: 1 }, { steps: [] }, { t: 2, steps: [], end: "odd" }], map);
  expect(items).toMatchObject([
    { problemClass: "not_mapped" },
    { problemClass: "no_task" },
    { problemClass: "unknown_stop_reason" },
    { trajectory: { stopReason: { type: "unknown" } } },
  ]);
});

test.each([
  { name: "no mapping", map: undefined, message: "none was given" },
  {
    name: "an unknown field",
    map: { turnCount: "n", solved: "ok" },
    message: 'no field "solved"; allowed: messages, turns',
  },
  { name: "an unknown field of a turn", map: { turns: "s", turn: { act: "a" } }, message: 'a turn has no field "act"' },
  { name: "a rule that is none", map: { turnCount: 7 }, message: '"turnCount" is 7' },
  { name: "two ways to find turns", map: { turnCount: "n", messages: "m" }, message: "exactly one of" },
  { name: "turns without an action", map: { turns: "s" }, message: '"action" or "toolCalls"' },
])("map refuses $name", async ({ map, message }) => {
  await expect(importMapped([{}], map)).rejects.toThrow(message);
});
