import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { untagNumber, type CommonMetric, type MetricLog } from "../../core/index.js";
import { readMetricLogs } from "./read-metric-logs.js";

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "turnwise-logs-"))));
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, data: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, data);
  return path;
}

/** Returns the updates and values of a common metric, as written. */
function series(log: MetricLog, metric: CommonMetric): (readonly [number, number | undefined])[] {
  const column = log.columns.findIndex((candidate) => candidate.metric === metric);
  return log.rows.flatMap(({ updateIndex, values }) =>
    values[column] === undefined ? [] : [[updateIndex, untagNumber(values[column])] as const],
  );
}

const problemClasses = (log: MetricLog): string[] => log.problems.map(({ problemClass }) => problemClass);

test("metrics that are written as texts are read, and texts that are none are reported once a column", async () => {
  const lines = [
    { step: "1", reward: "0.5", loss: 0.2, run_id: "17", note: "warm-up" },
    { step: "2", reward: "n/a", loss: "oops", run_id: "17", note: "go" },
    { step: "3", reward: "n/a", loss: "1e-3", run_id: "17" },
  ];
  const [log] = await readMetricLogs(
    await write("text.jsonl", lines.map((line) => `${JSON.stringify(line)}\n`).join("")),
    "wandb-history",
  );
  expect(series(log, "reward")).toEqual([[1, 0.5]]);
  expect(series(log, "loss")).toEqual([
    [1, 0.2],
    [3, 0.001],
  ]);
  expect(log.columns.map(({ name }) => name)).not.toContain("run_id");
  expect(log.problems.map(({ message, line }) => [message, line])).toEqual([
    ['"reward" is no number in 2 of 3 records, the first states "n/a": left out', 2],
    ['"loss" is no number in 1 of 3 records, the first states "oops": left out', 2],
  ]);
  const [table] = await readMetricLogs(await write("text.csv", "step,reward,loss\n1,0.5,n/a\n2,-,0.1\n"));
  expect(table.problems.map(({ message }) => message.split(" is")[0])).toEqual(['"loss"', '"reward"']);
  const dump = ["0.5", "good"].map((score) => JSON.stringify({ input: "p", output: "o", score, step: 1 })).join("\n");
  const [rollouts] = await readMetricLogs(await write("1.jsonl", dump), "verl-rollouts");
  expect(series(rollouts, "reward")).toEqual([[1, 0.5]]);
  expect(problemClasses(rollouts)).toEqual(["not_a_number"]);
});

test("a row that does not say its update is left out where it states again what the row before states", async () => {
  const [log] = await readMetricLogs(await write("short.csv", "reward,loss,step\n1,2,1\n3,4\n5,6,2\n"));
  expect(log.rows.map(({ updateIndex }) => updateIndex)).toEqual([1, 2]);
  expect(series(log, "reward")).toEqual([
    [1, 1],
    [2, 5],
  ]);
  expect(problemClasses(log)).toEqual(["missing_cells", "no_update"]);
});
