import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CommonMetric, MetricLog } from "../../core/index.js";
import { parseCsv, untagNumber } from "../../core/index.js";
import { findCommonMetric } from "./metric-names.js";
import { readMetricLogs } from "./read-metric-logs.js";
import { repeatedShare } from "./repetition.js";

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

test("trainer_state.json keeps NaN, joins evaluation and training of an update, and leaves out the run's totals", async () => {
  const path = await write(
    "trainer_state.json",
    `{"best_metric": null, "epoch": 1.0, "global_step": 2, "max_steps": 9, "log_history": [
      {"epoch": 0.5, "step": 1, "loss": 0.0, "grad_norm": NaN, "learning_rate": 1e-06, "reward": 0.5, "frac_reward_zero_std": 0.25, "completions/clipped_ratio": 1.0},
      {"epoch": 1.0, "step": 2, "loss": 0.01, "grad_norm": 0.4, "learning_rate": 5e-07, "reward": 0.75, "my/own": 3},
      {"epoch": 1.0, "step": 2, "eval_loss": 0.3},
      {"epoch": 1.0, "step": 2, "train_runtime": 12.5, "train_loss": 0.005, "total_flos": 0.0}
    ]}`,
  );
  const [log] = await readMetricLogs(path);
  expect(log).toMatchObject({ format: "trl-trainer-state", plannedUpdates: 9, problems: [] });
  expect(log.rows).toHaveLength(2);
  expect(series(log, "grad_norm")).toEqual([
    [1, NaN],
    [2, 0.4],
  ]);
  expect(series(log, "flat_group_share")).toEqual([[1, 0.25]]);
  expect(log.columns).toContainEqual({ name: "my/own" });
  expect(log.columns.some(({ name }) => name === "train_runtime")).toBe(false);
});

test("verl's file logger gives its metrics and survives a torn last line", async () => {
  const path = await write(
    "verl.jsonl",
    '{"step": 1, "data": {"actor/entropy": 0.9, "critic/score/mean": 0.1, "critic/rewards/mean": 0.05, "actor/grad_norm": Infinity}}\n{"step": 2, "data": {"actor/entropy": 0.8, "critic/score/mean": 0.2}}\n{"step": 3, "data": {"actor/en',
  );
  const [log] = await readMetricLogs(path);
  expect(log.format).toBe("verl-file");
  expect(series(log, "entropy")).toEqual([
    [1, 0.9],
    [2, 0.8],
  ]);
  expect(series(log, "reward")).toEqual([
    [1, 0.1],
    [2, 0.2],
  ]);
  expect(series(log, "grad_norm")).toEqual([[1, Infinity]]);
  expect(problemClasses(log)).toEqual(["torn_tail"]);
});

test("verl's console lines are found among others, with colours, Ray prefixes and NumPy scalars", async () => {
  const path = await write(
    "train.out",
    "Loading model...\n\u001b[36m(TaskRunner pid=17)\u001b[0m step:1 - actor/entropy:0.5 - actor/pg_loss:np.float64(-0.25) - episode/success_rate:nan\nepoch step:x\n(main_task pid=3) step:2 - actor/entropy:0.25 - odd:abc - val-core/lookup/acc/mean@1:0.5\n",
  );
  const [log] = await readMetricLogs(path);
  expect(log.format).toBe("verl-console");
  expect(series(log, "entropy")).toEqual([
    [1, 0.5],
    [2, 0.25],
  ]);
  expect(series(log, "loss")).toEqual([[1, -0.25]]);
  expect(series(log, "success")).toEqual([[1, NaN]]);
  expect(series(log, "eval_success")).toEqual([[2, 0.5]]);
  expect(log.problems).toEqual([
    { problemClass: "not_a_number", message: '1 metrics of the line state no number, the first is "odd:abc"', line: 4 },
  ]);
});

test("TRL's console lines are found between progress bars", async () => {
  const path = await write(
    "trl.out",
    "  0%|  | 1/10 [00:01<?]{'loss': 0.0, 'grad_norm': nan, 'reward': 0.5, 'epoch': 0.01}\n 10%|# | 2/10\r{'loss': 0.02, 'grad_norm': 0.7, 'reward': 0.75}\n",
  );
  const [log] = await readMetricLogs(path);
  expect(log).toMatchObject({ format: "trl-console", problems: [] });
  expect(log.indexName).toBeUndefined();
  expect(series(log, "grad_norm")).toEqual([
    [0, NaN],
    [1, 0.7],
  ]);
});

test("a JSON log of several runs becomes one log for each, and unknown fields are kept as columns", async () => {
  const path = await write(
    "mixed.jsonl",
    '{"run": "a", "step": 1, "reward": 1, "odd": {"deep": 2}, "note": "text"}\n{"run": "b", "step": 1, "reward": 5}\n{"run": "a", "step": 2, "reward": 2}\n',
  );
  const logs = await readMetricLogs(path);
  expect(logs.map((log) => [log.run, series(log, "reward")])).toEqual([
    [
      "a",
      [
        [1, 1],
        [2, 2],
      ],
    ],
    ["b", [[1, 5]]],
  ]);
  expect(logs[0].columns.map(({ name }) => name)).toEqual(["reward", "odd/deep"]);
});

test("a column that stands twice in a header gets its number", async () => {
  const [log] = await readMetricLogs(await write("twice.csv", "step,reward,reward\n1,0.5,0.6\n"));
  expect(log.columns.map(({ name }) => name)).toEqual(["reward", "reward (2)"]);
  expect(problemClasses(log)).toEqual(["duplicate_column"]);
});

test("rollout dumps judge each group on its own", async () => {
  const line = (uid: string, score: number, output: string): string =>
    JSON.stringify({ input: "p", output, gts: "g", score, step: 7, uid });
  const loop = "go north and then go south again now ".repeat(12);
  const path = await write(
    "7.jsonl",
    [
      line("a_0_0", 1, "x"),
      line("a_1_0", 1, "x"),
      line("b_0_0", 0, "y"),
      line("b_1_0", 1, loop),
      line("c_0_0", 1, "z"),
    ].join("\n"),
  );
  const [log] = await readMetricLogs(path);
  expect(log.format).toBe("verl-rollouts");
  expect(series(log, "flat_group_share")).toEqual([[7, 0.5]]);
  expect(series(log, "smallest_group")).toEqual([[7, 1]]);
  expect(series(log, "loop_share")).toEqual([[7, 0.2]]);
  expect(series(log, "duplicate_share")).toEqual([[7, 0.2]]);
  expect(series(log, "reward")).toEqual([[7, 0.8]]);
});

test("progress.csv passes over a header that comes again and a torn last line", async () => {
  const path = await write(
    "progress.csv",
    "eprewmean,misc/nupdates,loss/policy_entropy\n1.5,1,2.7\nnan,2,inf\neprewmean,misc/nupdates,loss/policy_entropy\n2.5,2,2.5\n3.5,3\n4.5,4",
  );
  const [log] = await readMetricLogs(path);
  expect(log).toMatchObject({ format: "progress-csv", indexName: "misc/nupdates" });
  expect(series(log, "reward")).toEqual([
    [1, 1.5],
    [2, NaN],
    [2, 2.5],
    [3, 3.5],
  ]);
  expect(series(log, "entropy")[1]).toEqual([2, Infinity]);
  expect(log.rows.map(({ line }) => line)).toEqual([2, 3, 5, 6]);
  expect(problemClasses(log)).toEqual(["repeated_header", "missing_cells", "torn_tail"]);
});

test("a table of several runs becomes one log for each", async () => {
  const path = await write("runs.csv", "run,step,reward\nbase,1,0.1\nrl,1,0.2\nbase,2,0.15\nrl,2,0.4\n");
  const logs = await readMetricLogs(path);
  expect(logs.map((log) => [log.run, series(log, "reward")])).toEqual([
    [
      "base",
      [
        [1, 0.1],
        [2, 0.15],
      ],
    ],
    [
      "rl",
      [
        [1, 0.2],
        [2, 0.4],
      ],
    ],
  ]);
});

test("the CSV of a W&B chart becomes one log for each run", async () => {
  const header =
    '"Step","tidy-sun-1 - train/reward","tidy-sun-1 - train/reward__MIN","tidy-sun-1 - train/reward__MAX","late-moon-2 - train/reward","late-moon-2 - train/reward__MIN","late-moon-2 - train/reward__MAX"';
  const path = await write(
    "wandb_export.csv",
    `${header}\n"1","0.5","0.5","0.5","","",""\n"2","0.6","0.6","0.6","0.1","0.1","0.1"\n`,
  );
  const logs = await readMetricLogs(path);
  expect(logs.map((log) => [log.run, series(log, "reward")])).toEqual([
    [
      "tidy-sun-1",
      [
        [1, 0.5],
        [2, 0.6],
      ],
    ],
    ["late-moon-2", [[2, 0.1]]],
  ]);
});

test.each([
  {
    name: "JSONL",
    text: '{"_step": 0, "_timestamp": 9.5, "train/global_step": 10, "train/loss": 0.5}\n{"_step": 1, "train/global_step": 20, "train/loss": "NaN"}\n',
  },
  {
    name: "list",
    text: '[{"_step": 0, "train/global_step": 10, "train/loss": 0.5}, {"_step": 1, "train/global_step": 20, "train/loss": NaN}]',
  },
  {
    name: "frame",
    text: '{"_step": {"0": 0, "1": 1}, "train/global_step": {"0": 10, "1": 20}, "train/loss": {"0": 0.5, "1": NaN}}',
  },
])("a W&B history as $name counts updates, not W&B's own steps", async ({ name, text }) => {
  const [log] = await readMetricLogs(await write(`history-${name}.json`, text));
  expect(log).toMatchObject({ format: "wandb-history", indexName: "train/global_step", problems: [] });
  expect(series(log, "loss")).toEqual([
    [10, 0.5],
    [20, NaN],
  ]);
});

test.each([
  { name: "empty.csv", text: "", message: /the file is empty/ },
  { name: "page.csv", text: "<!doctype html><html></html>", message: /web page/ },
  { name: "prose.txt", text: "nothing to see here\n", message: /format was not recognised/ },
  { name: "header.csv", text: "step,reward\n", message: /it holds no metric|holds no record/ },
  { name: "numbers.csv", text: "1,2\n3,4\n", message: /no header/ },
  { name: "state.json", text: '{"log_history": []}', message: /holds no record/ },
])("$name is refused with the reason", async ({ name, text, message }) => {
  await expect(readMetricLogs(await write(name, text))).rejects.toMatchObject({
    kind: "input",
    message: expect.stringMatching(message) as unknown,
  });
});

test("compressed logs are opened, and an unknown format is a usage error", async () => {
  const path = await write("progress.csv.gz", gzipSync("step,reward\n1,0.5\n"));
  expect(series((await readMetricLogs(path))[0], "reward")).toEqual([[1, 0.5]]);
  await expect(readMetricLogs(path, "excel")).rejects.toMatchObject({ kind: "usage" });
});

test("parseCsv() reads back any cells that were quoted", () => {
  const cells = fc.array(fc.array(fc.string(), { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(cells, (rows) => {
      const text = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\n");
      expect([...parseCsv(text)].map((record) => record.cells)).toEqual(rows);
    }),
  );
});

test.each([
  ["train/FrozenLake/success", "success"],
  ["val-env/Sokoban/success", "eval_success"],
  ["rollout/in_group_std", "group_reward_std"],
  ["episode/success_rate", "success"],
  ["episode/reward/mean", "reward"],
  ["env/all/by_group/frac_all_bad", "failed_group_share"],
  ["is_truncated/all/mean", "clipped_share"],
] as const)("findCommonMetric() takes %s of RAGEN, verl-agent, tinker-cookbook or prime-rl as %s", (name, metric) => {
  expect(findCommonMetric(name)).toBe(metric);
});

test("findCommonMetric() knows names of every tool, and no others", () => {
  expect(
    ["response_length/clip_ratio", "train/FrozenLake/success", "val-env/Sokoban/success", "KL", "timing_s/step"].map(
      findCommonMetric,
    ),
  ).toEqual(["clipped_share", "success", "eval_success", "kl", undefined]);
});

test("repeatedShare() is 0 for fresh text and near 1 for a loop", () => {
  expect(repeatedShare("one two three four", 2)).toBe(0);
  expect(repeatedShare("go up go up go up go up", 2)).toBeCloseTo(5 / 7, 12);
});

const procgen = "../shared/real-data/procgen-training-logs";
const published = [
  { run: 0, train: 7.757, test: 6.494 },
  { run: 1, train: 8.042, test: 6.398 },
  { run: 2, train: 7.23, test: 6.017 },
];
test.skipIf(!existsSync(procgen)).each(published)(
  "Procgen run $run has its published rewards over the last 100 rows (skipped without ../shared/real-data)",
  async (expected) => {
    for (const split of ["train", "test"] as const) {
      const [log] = await readMetricLogs(
        join(procgen, `hard-500-run${expected.run}`, `progress-coinrun-${split}.csv.gz`),
      );
      const rewards = series(log, "reward")
        .slice(-100)
        .map(([, value]) => value ?? NaN);
      expect(log.rows).toHaveLength(3051);
      expect(log.indexName).toBe("misc/nupdates");
      expect(rewards.reduce((sum, value) => sum + value, 0) / 100).toBeCloseTo(expected[split], 3);
    }
  },
);

test("a row of words is no new header unless it names a known column, so nothing after it is lost", async () => {
  const path = await write("progress.csv", "serial_timesteps,eprewmean\n1,0.5\nN/A,N/A\n3,0.7\n4,0.8\n");
  const [log] = await readMetricLogs(path, "progress-csv");
  expect(series(log, "reward").map(([, value]) => value)).toEqual([0.5, 0.7, 0.8]);
  expect(problemClasses(log)).not.toContain("changed_header");
});
