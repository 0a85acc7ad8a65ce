import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLogFolder } from "./log-folder.js";

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "turnwise-logs-"))));
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, data: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, data);
  return path;
}

test("a folder of rollout dumps is one log in the order of steps", async () => {
  for (const step of [10, 9, 11])
    await write(`dumps/${step}.jsonl`, `${JSON.stringify({ input: "p", output: `o${step}`, score: 0, step })}\n`);
  const {
    logs: [log, ...others],
    skipped,
  } = await readLogFolder(join(folder, "dumps"));
  expect([others, skipped]).toEqual([[], []]);
  expect(log.rows.map(({ updateIndex }) => updateIndex)).toEqual([9, 10, 11]);
});

test("a folder gives the logs in it and below by their content, and says what it passed over", async () => {
  const state = (step: number): string =>
    JSON.stringify({ log_history: [{ step, loss: 0.1, reward: 0.5 }], max_steps: 9 });
  await write("run/checkpoint-2/trainer_state.json", state(2));
  await write("run/checkpoint-10/trainer_state.json", state(10));
  await write("run/a/b/progress-coinrun-train.csv.gz", gzipSync("misc/nupdates,eprewmean\n1,2\n"));
  await write("run/own.jsonl", '{"step": 1, "reward": 0.5}\n');
  await write("run/train.log", "hello\nstep:1 - actor/entropy:0.3 - critic/score/mean:0.2\n");
  await write("run/samples.jsonl", '{"prompt": "a", "answer": "b"}\n');
  await write("run/table.csv", "name,colour\nx,red\n");
  await write("run/broken/trainer_state.json", '{"log_history": [], "max_steps": 1}');
  await write("run/config.json", "{}");
  await write("run/model.safetensors", "weights");
  await write("run/.cache/hidden.jsonl", '{"step": 1, "reward": 0.5}\n');
  const { logs, refused, skipped } = await readLogFolder(join(folder, "run"));
  const name = (path: string): string => path.slice(folder.length + 5);
  expect(logs.map(({ file }) => name(file)).sort()).toEqual([
    "a/b/progress-coinrun-train.csv.gz",
    "checkpoint-10/trainer_state.json",
    "own.jsonl",
    "train.log",
  ]);
  expect(refused.map(({ file }) => name(file))).toEqual(["broken/trainer_state.json"]);
  expect(skipped.map(({ file }) => name(file)).sort()).toEqual([
    "checkpoint-2/trainer_state.json",
    "samples.jsonl",
    "table.csv",
  ]);
  expect(skipped.every(({ reason }) => reason !== "")).toBe(true);
});

test("a folder without a log is refused with what was seen in it", async () => {
  await write("nolog/notes.txt", "hello");
  await expect(readLogFolder(join(folder, "nolog"))).rejects.toMatchObject({
    kind: "input",
    message: expect.stringContaining("not recognised as a training log") as unknown,
  });
});
