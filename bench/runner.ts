// What playing episodes costs beside the model: turnwise against the same job by hand and in two Python frameworks.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { ensurePython } from "./lib/python.js";
import { median, type BenchReport, type BenchRow } from "./lib/report.js";
import { readScenario } from "./runner/scenario.js";

// TURNWISE_BENCH_SLOW_RUNS sets how often the Python frameworks, minutes a run, take their turn (default 3).
const slowRuns = Number(process.env["TURNWISE_BENCH_SLOW_RUNS"] ?? 3);

/** What a contender prints. */
interface Cost {
  readonly solved: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

interface Contender {
  readonly label: string;
  readonly command: readonly string[] | undefined;
  /** The slow ones are run less often. */
  readonly repeats: number;
}

const path = (name: string): string => fileURLToPath(new URL(`runner/${name}`, import.meta.url));
const tsx = [process.execPath, "--import", "tsx"];

function listContenders(): Contender[] {
  const inspect = ensurePython("inspect", ["inspect-ai==0.3.285", "openai==2.54.0"]);
  const verifiers = ensurePython("verifiers", ["verifiers==0.3.1"]);
  return [
    { label: "turnwise", command: [...tsx, path("turnwise.ts")], repeats: 7 },
    { label: "`openai` 6.49.0 + p-limit, by hand", command: [...tsx, path("openai-client.ts")], repeats: 7 },
    {
      label: "verifiers 0.3.1 (`MultiTurnEnv`)",
      command: verifiers === undefined ? undefined : [verifiers, path("verifiers_run.py")],
      repeats: slowRuns,
    },
    {
      label: "Inspect AI 0.3.285",
      command: inspect === undefined ? undefined : [inspect, path("inspect_run.py")],
      repeats: slowRuns,
    },
  ];
}

/** Runs every contender against one server, alternating, and returns what they cost. */
export async function runBench(): Promise<BenchReport> {
  const { episodes, turns } = readScenario();
  const contenders = listContenders().filter(({ command }) => command !== undefined);
  const server = spawn(process.execPath, ["--import", "tsx", path("mock.ts")], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  const readLine = async (): Promise<string> => String((await lines.next()).value);
  const url = await readLine();
  const costs = new Map<string, Cost[]>(contenders.map(({ label }) => [label, []]));
  let served = 0;
  for (let round = 0; round < Math.max(...contenders.map(({ repeats }) => repeats)); round += 1) {
    for (const { label, command = [], repeats } of contenders) {
      if (round >= repeats) continue;
      const [program = "", ...args] = command;
      const output = execFileSync(program, [...args, url], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
        maxBuffer: 2 ** 28,
      });
      const cost = JSON.parse(output.trim().split("\n").at(-1) ?? "") as Cost;
      server.stdin.write("count\n");
      const count = Number(await readLine());
      if (cost.solved !== episodes || count - served !== episodes * turns) {
        throw new Error(
          `${label} solved ${cost.solved} episodes with ${count - served} calls: expected ${episodes} with ${episodes * turns}`,
        );
      }
      served = count;
      costs.get(label)?.push(cost);
      process.stderr.write(`${label}: ${((episodes * turns) / cost.cpuSeconds).toFixed(0)} turns per CPU-second\n`);
    }
  }
  server.kill();
  await once(server, "close");
  return describe(episodes, turns, costs);
}

function describe(episodes: number, turns: number, costs: ReadonlyMap<string, readonly Cost[]>): BenchReport {
  const rows: BenchRow[] = [...costs].map(([label, runs]) => ({
    label,
    values: {
      runs: runs.length,
      turnsPerSecond: (episodes * turns) / median(runs.map(({ wallSeconds }) => wallSeconds)),
      turnsPerCpuSecond: (episodes * turns) / median(runs.map(({ cpuSeconds }) => cpuSeconds)),
      peakMegabytes: median(runs.map(({ peakMegabytes }) => peakMegabytes)),
    },
  }));
  const own = rows[0]?.values["turnsPerCpuSecond"] ?? NaN;
  for (const [index, row] of rows.entries()) {
    rows[index] = { ...row, values: { ...row.values, ratio: own / (row.values["turnsPerCpuSecond"] ?? NaN) } };
  }
  return {
    name: "runner",
    title: "Playing episodes",
    setup:
      `${episodes.toLocaleString("en-US")} episodes of ${turns} turns, all in flight at once, against a server in a second process that answers at once. ` +
      "Every contender plays the same environment, sends the same messages and keeps every transcript; CPU time is that of the contender's process after its imports, medians of the runs. " +
      "turnwise also records usage, timing and grade of every turn, and its client holds retries, rate limits and a circuit ready; it opens connections a few at a time and uses those again that are free before all are open, which against a server this fast are a few hundred; " +
      "verifiers is the newest release that plays multi-turn environments in its own process (0.4 starts a program for every segment of a conversation).",
    columns: [
      { key: "turnsPerSecond", title: "turns/s", decimals: 0 },
      { key: "turnsPerCpuSecond", title: "turns per CPU-second", decimals: 0 },
      { key: "peakMegabytes", title: "peak memory, MB", decimals: 0 },
      { key: "ratio", title: "turnwise is … times as frugal", decimals: 1 },
      { key: "runs", title: "runs", decimals: 0 },
    ],
    rows,
    verdicts: rows.slice(1).map(({ label, values }) => {
      const ratio = values["ratio"] ?? NaN;
      return `Target of 5 times the turns per CPU-second of ${label}: ${ratio >= 5 ? "met" : "not met"} (${ratio.toFixed(1)} times).`;
    }),
  };
}
