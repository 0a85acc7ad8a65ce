import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ByteWriter, parquetWrite } from "hyparquet-writer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readBudgetRollouts } from "./read-budget-rollouts.js";

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "turnwise-rollouts-"))));
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, records: readonly object[] | string): Promise<string> {
  const path = join(folder, name);
  const text = typeof records === "string" ? records : records.map((record) => `${JSON.stringify(record)}\n`).join("");
  await writeFile(path, text);
  return path;
}

test("verl's dump gives group, update, told budgets, reward and first answer, and what the reward function added", async () => {
  const path = await write("3.jsonl", [
    {
      input: "system\nHelp.\nuser\nQuestion: what?\n\nTurns left, this one included: 2.\nassistant\n",
      output:
        "<think>hm</think>search barn\ntool\nThe barn is red.\n\nTurns left, this one included: 1.\nassistant\nanswer red",
      gts: "red",
      score: 1,
      step: 3,
      uid: "5a5a_0_1",
      num_turns: 4,
      acc: true,
      max_turns: 2,
    },
  ]);
  const found = await readBudgetRollouts(path);
  expect(found).toEqual({
    format: "verl",
    problems: [],
    rollouts: [
      {
        place: { file: path, line: 1 },
        group: "5a5a",
        update: 2,
        told: [
          { kind: "left", turns: 2, turnIndex: 0 },
          { kind: "left", turns: 1, turnIndex: 1 },
        ],
        reward: 1,
        firstAction: "search barn",
        maxTurns: 2,
        turns: 2,
        success: true,
      },
    ],
  });
});

test("fields of a plan's row are found beside the record, in extra_info, and in extra_info as text", async () => {
  const info = { group_key: "u0g1", max_turns: 8, task_id: "t1", task_hash: "h1", env_seed: 5 };
  const own = { input: "q", output: "a", score: 0, stop_reason: "max_turns", response_tokens: 12 };
  const path = await write("info.jsonl", [
    { ...own, ...info },
    { ...own, extra_info: info },
    { ...own, extra_info: JSON.stringify(info) },
  ]);
  const { rollouts = [] } = (await readBudgetRollouts(path)) ?? {};
  const expected = {
    group: "u0g1",
    maxTurns: 8,
    taskId: "t1",
    taskHash: "h1",
    envSeed: 5,
    tokens: 12,
    end: "max_turns",
  };
  expect(rollouts).toHaveLength(3);
  for (const rollout of rollouts) expect(rollout).toMatchObject(expected);
});

test("verl's data_source names the budget where nothing else does, and turns follow from num_turns", async () => {
  const base = { input: "q", output: "a", score: 0, data_source: "vault/T4" };
  const path = await write(
    "source.jsonl",
    [1, 2, 3, 4, 5].map((num_turns) => ({ ...base, num_turns })),
  );
  const { rollouts = [] } = (await readBudgetRollouts(path)) ?? {};
  expect(rollouts.map(({ turns, maxTurns }) => [turns, maxTurns])).toEqual([
    [undefined, 4],
    [1, 4],
    [1, 4],
    [2, 4],
    [2, 4],
  ]);
});

test("TRL's completions as messages give turns, the first call, and the sum of the reward columns", async () => {
  const call = { type: "function", function: { name: "read", arguments: { plate: "age" } } };
  const path = await write("completions.jsonl", [
    {
      step: 7,
      prompt: [{ role: "user", content: "Keys. You have 3 turns in all." }],
      completion: [
        { role: "assistant", content: "", tool_calls: [call] },
        { role: "tool", content: "old" },
        { role: "assistant", content: [{ type: "text", text: "commit" }] },
      ],
      correct: 1,
      format: 0.5,
      advantage: 2,
      max_turns: 3,
    },
  ]);
  const { format, rollouts = [] } = (await readBudgetRollouts(path)) ?? {};
  expect(format).toBe("trl");
  expect(rollouts[0]).toMatchObject({
    turns: 2,
    reward: 1.5,
    maxTurns: 3,
    told: [{ kind: "all", turns: 3, turnIndex: 0 }],
  });
  expect(rollouts[0].firstAction).toBe('{"arguments":{"plate":"age"},"name":"read"}');
  expect(rollouts[0].update).toBeUndefined();
});

test("TRL's parquet is read like its JSONL", async () => {
  const writer = new ByteWriter();
  await parquetWrite({
    writer,
    columnData: [
      { name: "step", data: [1n, 1n] },
      { name: "prompt", data: ["You have 2 turns in all.", "You have 2 turns in all."] },
      { name: "completion", data: ["read\ntool\nx", "force"] },
      { name: "solved_reward", data: [0, 1], type: "DOUBLE" },
      { name: "group_key", data: ["u0g0", "u0g0"] },
    ],
  });
  const path = join(folder, "completions_00001.parquet");
  await writeFile(path, new Uint8Array(writer.getBuffer()));
  const { format, rollouts = [] } = (await readBudgetRollouts(path)) ?? {};
  expect(format).toBe("trl");
  expect(rollouts.map(({ group, reward, firstAction }) => [group, reward, firstAction])).toEqual([
    ["u0g0", 0, "read"],
    ["u0g0", 1, "force"],
  ]);
  await writeFile(path, new Uint8Array(writer.getBuffer()).slice(0, 60));
  await expect(readBudgetRollouts(path)).rejects.toThrow("the parquet file is damaged");
});

test("torn lines and records of another shape are problems; a file of other records is no dump", async () => {
  const path = await write("mixed.jsonl", `{"input":"q","output":"a","score":1}\n{"other":1}\n{"input":"q","out`);
  const { rollouts = [], problems = [] } = (await readBudgetRollouts(path)) ?? {};
  expect(rollouts).toHaveLength(1);
  expect(problems).toEqual([expect.stringMatching(/^line 3: /), "line 2: no record of verl"]);
  expect(await readBudgetRollouts(await write("other.jsonl", [{ a: 1 }]))).toBeUndefined();
});

test("readBudgetRollouts() refuses an unknown format, an empty file, and no file", async () => {
  const path = await write("empty.jsonl", "");
  await expect(readBudgetRollouts(path, "ray")).rejects.toThrow(
    'Cannot read rollouts as "ray": formats are auto, verl, trl',
  );
  await expect(readBudgetRollouts(path)).rejects.toThrow("the file is empty");
  await expect(readBudgetRollouts(join(folder, "nowhere.jsonl"))).rejects.toThrow("there is no such file");
});
