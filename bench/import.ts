// What an import costs: JSONL parsed, translated, validated and written as durable records, against Python's json.
// TURNWISE_BENCH_MB sets the size of the file (default 1024).
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeConversations } from "./import/generate.js";
import { median, type BenchReport } from "./lib/report.js";

const megabytes = Number(process.env["TURNWISE_BENCH_MB"] ?? 1024);
const repeats = 3;
const path = (name: string): string => fileURLToPath(new URL(`import/${name}`, import.meta.url));

/** What a contender prints. */
interface Outcome {
  readonly episodeCount: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

const contenders = [
  { key: "turnwise", label: "turnwise `importRun`", command: [process.execPath, path("turnwise.mjs")] },
  { key: "python", label: "Python `json`", command: ["python3", path("import_json.py")] },
] as const;

/** Imports the same file by each contender, in processes of their own and in turn. */
export async function runBench(): Promise<BenchReport> {
  const folder = mkdtempSync(join(tmpdir(), "turnwise-bench-"));
  try {
    const file = join(folder, "conversations.jsonl");
    const { episodeCount, byteCount } = await writeConversations(file, megabytes * 1e6);
    const outcomes = new Map<string, Outcome[]>(contenders.map(({ key }) => [key, []]));
    for (let round = 0; round < repeats; round += 1) {
      for (const { key, command } of contenders) {
        const outcome = runContender(command, file, join(folder, `run-${key}`));
        if (outcome.episodeCount !== episodeCount) {
          throw new Error(`${key} kept ${outcome.episodeCount} of ${episodeCount} episodes`);
        }
        outcomes.get(key)?.push(outcome);
        process.stderr.write(`${key}: ${outcome.wallSeconds.toFixed(1)} s, ${outcome.peakMegabytes.toFixed(0)} MB\n`);
      }
    }
    return describe(outcomes, episodeCount, byteCount / 1e6);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runContender([program, ...args]: readonly [string, ...string[]], file: string, output: string): Outcome {
  const text = execFileSync(program, [...args, file, output], { encoding: "utf8" });
  rmSync(output, { recursive: true });
  return JSON.parse(text) as Outcome; // printed by the programs beside this file
}

function describe(outcomes: ReadonlyMap<string, readonly Outcome[]>, episodeCount: number, size: number): BenchReport {
  const middle = (key: string, field: keyof Outcome): number =>
    median((outcomes.get(key) ?? []).map((outcome) => outcome[field]));
  const ratio = middle("python", "wallSeconds") / middle("turnwise", "wallSeconds");
  const peak = middle("turnwise", "peakMegabytes");
  return {
    name: "import",
    title: "Importing a large JSONL file",
    setup:
      `${size.toFixed(0)} MB of OpenAI messages, ${episodeCount.toLocaleString("en-US")} episodes of about ${((size * 1e6) / episodeCount / 1000).toFixed(1)} KB. Both read it as a stream, translate messages to turns, ` +
      "validate, hash task and episode, tell copies from conflicts, and write records that are durable batch by batch; turnwise also writes its index. " +
      `Medians of ${repeats} processes each, in turn; all episodes must arrive.`,
    columns: [
      { key: "speed", title: "MB/s", decimals: 1 },
      { key: "wallSeconds", title: "s", decimals: 1 },
      { key: "cpuSeconds", title: "CPU s", decimals: 1 },
      { key: "peakMegabytes", title: "peak memory, MB", decimals: 0 },
    ],
    rows: contenders.map(({ key, label }) => ({
      label,
      values: {
        speed: size / middle(key, "wallSeconds"),
        wallSeconds: middle(key, "wallSeconds"),
        cpuSeconds: middle(key, "cpuSeconds"),
        peakMegabytes: middle(key, "peakMegabytes"),
      },
    })),
    verdicts: [
      `Target of at least 1.2 times the speed of Python: ${ratio >= 1.2 ? "met" : "not met"} (${ratio.toFixed(2)} times).`,
      `Target of less than 500 MB at its peak: ${peak < 500 ? "met" : "not met"} (${peak.toFixed(0)} MB).`,
    ],
  };
}
