// How long `turnwise --help` takes compared with a Node that does nothing.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, type BenchReport } from "./lib/report.js";

const repeats = 15;
const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

/** Times both programs in turn, so that a busy moment hits both alike. */
export async function runBench(): Promise<BenchReport> {
  const folder = mkdtempSync(join(tmpdir(), "turnwise-bench-"));
  const empty = join(folder, "empty.mjs");
  writeFileSync(empty, "");
  const emptyTimes: number[] = [];
  const helpTimes: number[] = [];
  for (let index = 0; index < repeats; index += 1) {
    emptyTimes.push(time([empty], ""));
    helpTimes.push(time([main, "--help"], "Usage: turnwise"));
  }
  rmSync(folder, { recursive: true });
  const [emptyMs, helpMs] = [median(emptyTimes), median(helpTimes)];
  const extra = helpMs - emptyMs;
  return {
    name: "startup",
    title: "Starting the command",
    setup: `Wall time of a process from start to exit, median of ${repeats}, both programs in turn.`,
    columns: [{ key: "milliseconds", title: "ms", decimals: 1 }],
    rows: [
      { label: "`node` with an empty module", values: { milliseconds: emptyMs } },
      { label: "`turnwise --help`", values: { milliseconds: helpMs } },
    ],
    verdicts: [`Target of 40 ms over an empty Node: ${extra <= 40 ? "met" : "not met"} (${extra.toFixed(1)} ms over).`],
  };
}

/** Returns the milliseconds of one run, whose output must hold a text. */
function time(args: readonly string[], expected: string): number {
  const start = performance.now();
  const { stdout, status } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  const milliseconds = performance.now() - start;
  if (status !== 0 || !stdout.includes(expected))
    throw new Error(`${args.join(" ")} exited with ${status}: ${stdout.slice(0, 200)}`);
  return milliseconds;
}
