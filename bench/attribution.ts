// What an attribution from logs costs: 1,000 tasks x 16 episodes x 16 turns, 1,000 bootstrap refits.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median, type BenchReport } from "./lib/report.js";

const repeats = 3;
const program = fileURLToPath(new URL("attribution/turnwise.ts", import.meta.url));

/** What one process prints. */
interface Outcome {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
  readonly classCount: number;
  readonly endpointError: number;
  readonly shareError: number;
}

/** Runs the job in processes of its own. */
export async function runBench(): Promise<BenchReport> {
  const outcomes = Array.from({ length: repeats }, (): Outcome => {
    const outcome = JSON.parse(
      execFileSync(process.execPath, ["--import", "tsx", program], { encoding: "utf8" }),
    ) as Outcome; // printed by the program
    process.stderr.write(`attribution: ${outcome.wallSeconds.toFixed(1)} s\n`);
    if (!(outcome.endpointError < 1e-12 && outcome.shareError < 1e-12)) {
      throw new Error(`The ends or the sum of shares are off by ${outcome.endpointError} and ${outcome.shareError}`);
    }
    return outcome;
  });
  const middle = (field: keyof Outcome): number => median(outcomes.map((outcome) => outcome[field]));
  const [wall, megabytes] = [middle("wallSeconds"), middle("peakMegabytes")];
  return {
    name: "attribution",
    title: "Attribution from logs",
    setup: `1,000 tasks x 16 episodes of each of two policies, up to 16 turns, difficulty spread over tasks: number of classes by BIC up to 8, 1,000 bootstrap refits of the latent-class chain, the check of the chain with 99 simulated data sets, bands and restart depth. Median of ${repeats} processes, one thread each; making the episodes is not counted. Before the time counts it is checked that the cells of A and B equal the mean success over tasks to 1e-12, and that the shares sum to the gap.`,
    columns: [
      { key: "wallSeconds", title: "s", decimals: 1 },
      { key: "cpuSeconds", title: "CPU s", decimals: 1 },
      { key: "peakMegabytes", title: "peak memory, MB", decimals: 0 },
      { key: "classCount", title: "classes", decimals: 0 },
    ],
    rows: [
      {
        label: "turnwise `attributeLogs`",
        values: {
          wallSeconds: wall,
          cpuSeconds: middle("cpuSeconds"),
          peakMegabytes: megabytes,
          classCount: middle("classCount"),
        },
      },
    ],
    verdicts: [
      `Target of 60 s: ${wall < 60 ? "met" : "not met"} (${wall.toFixed(1)} s).`,
      `Target of 1 GB: ${megabytes < 1000 ? "met" : "not met"} (${megabytes.toFixed(0)} MB).`,
    ],
  };
}
