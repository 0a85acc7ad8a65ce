// What a task bootstrap with simultaneous bands costs: turnwise against NumPy, in one run.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cellCount, level, makeValues, replicates, taskCount } from "./bootstrap/values.js";
import { ensurePython } from "./lib/python.js";
import { median, type BenchReport, type BenchRow } from "./lib/report.js";

const repeats = 7;
const numpyVersion = "2.4.6";

/** What a contender prints. */
interface Outcome {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
  readonly criticalValue: number;
  readonly standardErrors: readonly number[];
}

interface Contender {
  readonly key: string;
  readonly label: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const path = (name: string): string => fileURLToPath(new URL(`bootstrap/${name}`, import.meta.url));

function listContenders(file: string): Contender[] {
  const own = (method: string): string[] => [process.execPath, "--import", "tsx", path("turnwise.ts"), method, file];
  const python = ensurePython("numpy", [`numpy==${numpyVersion}`]);
  const shape = [taskCount, cellCount, replicates, level].map(String);
  const reference = (method: string): string[] => [python ?? "", path("numpy_run.py"), method, file, ...shape];
  const numpy = `NumPy ${numpyVersion}`;
  return [
    { key: "bootstrap", label: "turnwise `bootstrapMeans`", command: own("bootstrap") },
    { key: "multiplier", label: "turnwise `multiplierBand`", command: own("multiplier") },
    ...(python === undefined
      ? []
      : [
          { key: "gather", label: `${numpy}, gather loop`, command: reference("gather") },
          { key: "counts", label: `${numpy}, count matrix on BLAS, all cores`, command: reference("counts") },
          {
            key: "counts1",
            label: `${numpy}, count matrix on BLAS, one thread`,
            command: reference("counts"),
            env: { OPENBLAS_NUM_THREADS: "1" },
          },
        ]),
  ];
}

/** Runs every contender in processes of their own, in turn so that a busy moment hits all alike. */
export async function runBench(): Promise<BenchReport> {
  const folder = mkdtempSync(join(tmpdir(), "turnwise-bench-"));
  const file = join(folder, "values.f64");
  writeFileSync(file, new Uint8Array(makeValues().buffer));
  const contenders = listContenders(file);
  const outcomes = new Map<string, Outcome[]>(contenders.map(({ key }) => [key, []]));
  for (let round = 0; round < repeats; round += 1) {
    for (const contender of contenders) outcomes.get(contender.key)?.push(runContender(contender));
  }
  rmSync(folder, { recursive: true });
  checkAgreement(outcomes);
  return describe(contenders, outcomes);
}

function runContender({ key, command: [program = "", ...args], env }: Contender): Outcome {
  // Settings for another processor or cache would slow NumPy down; it chooses for itself.
  const { OPENBLAS_CORETYPE: _core, OPENBLAS_L2_SIZE: _cache, ...rest } = process.env;
  const output = execFileSync(program, args, { encoding: "utf8", env: { ...rest, ...env } });
  const outcome = JSON.parse(output) as Outcome; // printed by the programs beside this file
  process.stderr.write(`${key}: ${outcome.wallSeconds.toFixed(2)} s\n`);
  return outcome;
}

/** Throws unless all contenders found the same band: they have different random numbers, so within simulation error. */
function checkAgreement(outcomes: ReadonlyMap<string, readonly Outcome[]>): void {
  const [own] = outcomes.get("bootstrap") ?? [];
  for (const [key, [outcome]] of outcomes) {
    const ratios = outcome.standardErrors.map((error, cell) => Math.abs(error / own.standardErrors[cell] - 1));
    const shift = Math.abs(outcome.criticalValue - own.criticalValue);
    if (!(Math.max(...ratios) < 0.04 && shift < 0.06)) {
      throw new Error(
        `${key} found another band: standard errors differ by ${Math.max(...ratios)}, critical value by ${shift}`,
      );
    }
  }
}

function describe(contenders: readonly Contender[], outcomes: ReadonlyMap<string, readonly Outcome[]>): BenchReport {
  const middle = (key: string, field: "wallSeconds" | "cpuSeconds" | "peakMegabytes"): number =>
    median((outcomes.get(key) ?? []).map((outcome) => outcome[field]));
  const own = middle("bootstrap", "wallSeconds");
  const rows: BenchRow[] = contenders.map(({ key, label }) => ({
    label,
    values: {
      wallSeconds: middle(key, "wallSeconds"),
      cpuSeconds: middle(key, "cpuSeconds"),
      peakMegabytes: middle(key, "peakMegabytes"),
      ratio: middle(key, "wallSeconds") / own,
      criticalValue: outcomes.get(key)?.[0]?.criticalValue ?? NaN,
    },
  }));
  return {
    name: "bootstrap",
    title: "Task bootstrap with simultaneous bands",
    setup:
      `${taskCount.toLocaleString("en-US")} tasks x ${cellCount} (K,T) cells x ${replicates.toLocaleString("en-US")} replicates: standard errors, percentile intervals and a sup-t band of a paired difference surface. ` +
      `Medians of ${repeats} processes each, in turn; the time is that of the first call after the imports, compilation of our JavaScript included. turnwise uses one thread. ` +
      "The gather loop indexes the values and takes the mean for each replicate, as rliable does; the count-matrix product computes the same means on BLAS. " +
      "All bands agree within simulation error, which is checked before the times count.",
    columns: [
      { key: "wallSeconds", title: "s", decimals: 2 },
      { key: "cpuSeconds", title: "CPU s", decimals: 2 },
      { key: "peakMegabytes", title: "peak memory, MB", decimals: 0 },
      { key: "ratio", title: "time relative to `bootstrapMeans`", decimals: 2 },
      { key: "criticalValue", title: "critical value", decimals: 3 },
    ],
    rows,
    verdicts: outcomes.has("gather")
      ? [
          `Target of no more time than the NumPy gather loop: ${own <= middle("gather", "wallSeconds") ? "met" : "not met"} (${(middle("gather", "wallSeconds") / own).toFixed(1)} times as fast).`,
          `Against the count-matrix product on BLAS, which has no target: ${(own / middle("counts", "wallSeconds")).toFixed(1)} times its time on all cores, ${(own / middle("counts1", "wallSeconds")).toFixed(1)} times on one thread.`,
          `\`multiplierBand\`, whose coverage is tested to equal the bootstrap's: ${(own / middle("multiplier", "wallSeconds")).toFixed(1)} times as fast as \`bootstrapMeans\`.`,
        ]
      : [],
  };
}
