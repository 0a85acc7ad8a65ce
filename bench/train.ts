// What an optimiser step and generation cost: turnwise's embedded trainer against PyTorch, in turn in one run.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { ensurePython } from "./lib/python.js";
import { median, type BenchReport, type BenchRow } from "./lib/report.js";
import { codec, learningRate, lossSpec, makeRows, optimizer, sizes, type Job } from "./train/job.js";

const rounds = 25;
const widths = [64, 128];
const torchVersion = "2.13.0";
const numpyVersion = "2.4.6";
const path = (name: string): string => fileURLToPath(new URL(`train/${name}`, import.meta.url));

/** What a side answers to a command. */
interface Outcome {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
  readonly loss?: number;
  readonly gradNorm?: number;
  readonly tokens?: number;
}

/** A process that waits for commands, and what it has answered. */
interface Side {
  readonly key: string;
  readonly label: string;
  readonly version: string;
  readonly parameters: number;
  readonly steps: Outcome[];
  readonly generations: Outcome[];
  ask(command: "step" | "generate"): Promise<Outcome>;
  end(): void;
}

async function startSide(key: string, label: string, command: readonly string[], env: object = {}): Promise<Side> {
  const [program = "", ...args] = command;
  const child: ChildProcessWithoutNullStreams = spawn(program, args, { env: { ...process.env, ...env } });
  child.stderr.pipe(process.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (): Promise<unknown> => {
    const line: IteratorResult<string, undefined> = await lines.next();
    if (line.done === true) throw new Error(`${key} ended early`);
    return JSON.parse(line.value);
  };
  const { version, parameters } = (await read()) as Pick<Side, "version" | "parameters">; // printed by the programs
  return {
    key,
    label: label.replace("%", version),
    version,
    parameters,
    steps: [],
    generations: [],
    async ask(request) {
      child.stdin.write(`${request}\n`);
      return (await read()) as Outcome; // printed by the programs
    },
    end: () => child.stdin.end(),
  };
}

/** Starts turnwise and PyTorch with one and with all threads, whole batches and parts, each with the same first weights. */
async function startSides(width: number, folder: string, python: string | undefined): Promise<Side[]> {
  const weights = join(folder, String(width));
  const own = await startSide("turnwise", "turnwise", [
    process.execPath,
    path("turnwise.mjs"),
    join(folder, "job.json"),
    String(width),
    weights,
  ]);
  if (python === undefined) return [own];
  const settings = [1, 2].flatMap((threads) => [16, sizes.batch].map((together) => ({ threads, together })));
  const env = { OMP_WAIT_POLICY: "passive" };
  const others = settings.map(({ threads, together }) =>
    startSide(
      `torch-${threads}-${together}`,
      `%, ${threads} thread${threads > 1 ? "s" : ""}, ${together} rows at a time`,
      [python, path("torch_run.py"), join(folder, "job.json"), weights, String(threads), String(together)],
      env,
    ),
  );
  return [own, ...(await Promise.all(others))];
}

/** Runs every side in turn, so that a busy moment hits all alike. The first answers warm up and are compared. */
async function runWidth(width: number, folder: string, python: string | undefined): Promise<Side[]> {
  const sides = await startSides(width, folder, python);
  const first: Outcome[] = [];
  for (const side of sides) {
    first.push(await side.ask("step"));
    await side.ask("generate");
  }
  for (const { loss = NaN, gradNorm = NaN } of first) {
    const [{ loss: ownLoss = NaN, gradNorm: ownNorm = NaN }] = first;
    if (!(Math.abs(loss - ownLoss) < 1e-5 && Math.abs(gradNorm / ownNorm - 1) < 1e-4))
      throw new Error(`The sides do not agree: loss ${loss} and ${ownLoss}, gradient ${gradNorm} and ${ownNorm}`);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const side of sides) side.steps.push(await side.ask("step"));
    for (const side of sides) side.generations.push(await side.ask("generate"));
  }
  for (const side of sides) side.end();
  return sides;
}

const fastest = (outcomes: readonly Outcome[]): number => Math.min(...outcomes.map(({ wallSeconds }) => wallSeconds));
const leastCpu = (outcomes: readonly Outcome[]): number => Math.min(...outcomes.map(({ cpuSeconds }) => cpuSeconds));
const stepSeconds = ({ steps }: Side): number => fastest(steps);
const tokensPerSecond = ({ generations }: Side): number => (generations[0]?.tokens ?? NaN) / fastest(generations);

function describeSide(width: number, side: Side): BenchRow {
  return {
    label: `width ${width}: ${side.label}`,
    values: {
      step: stepSeconds(side) * 1000,
      stepMedian: median(side.steps.map(({ wallSeconds }) => wallSeconds)) * 1000,
      stepCpu: leastCpu(side.steps) * 1000,
      generation: tokensPerSecond(side),
      generationCpu: leastCpu(side.generations) * 1000,
      memory: Math.max(...side.generations.map(({ peakMegabytes }) => peakMegabytes)),
    },
  };
}

/** Says how the first side compares with the best setting of the others, for each target. */
function judgeWidth(width: number, [own, ...others]: readonly Side[]): string[] {
  const verdict = (isMet: boolean): string => (isMet ? "met" : "not met");
  const memory = describeSide(width, own).values["memory"];
  const parameters = (own.parameters / 1e6).toFixed(2);
  const verdicts = [
    `Memory at width ${width} (${parameters} M parameters), target under 400 MiB: ${verdict(memory < 400)} (${memory.toFixed(0)} MiB).`,
  ];
  if (others.length === 0) return verdicts;
  const time = stepSeconds(own) / Math.min(...others.map(stepSeconds));
  const speed = tokensPerSecond(own) / Math.max(...others.map(tokensPerSecond));
  const stepCpu = leastCpu(own.steps) / Math.min(...others.map(({ steps }) => leastCpu(steps)));
  const speedCpu = Math.min(...others.map(({ generations }) => leastCpu(generations))) / leastCpu(own.generations);
  return [
    `Step at width ${width}, target at most 0.8 of PyTorch's time at its best setting: ${verdict(time <= 0.8)} (${time.toFixed(2)}; in CPU-seconds ${stepCpu.toFixed(2)}).`,
    `Generation at width ${width}, target at least 1.3 times PyTorch's tokens per second at its best setting: ${verdict(speed >= 1.3)} (${speed.toFixed(2)}; per CPU-second ${speedCpu.toFixed(2)}).`,
    ...verdicts,
  ];
}

/** Runs both widths and compares with the best of PyTorch's settings, which is chosen for each job apart. */
export async function runBench(): Promise<BenchReport> {
  const folder = mkdtempSync(join(tmpdir(), "turnwise-bench-"));
  const job: Job = { sizes, codec, rows: makeRows(), loss: lossSpec, optimizer, learningRate };
  writeFileSync(join(folder, "job.json"), JSON.stringify(job));
  const python = ensurePython("torch", [`torch==${torchVersion}`, `numpy==${numpyVersion}`]);
  const rows: BenchRow[] = [];
  const verdicts: string[] = [];
  for (const width of widths) {
    const sides = await runWidth(width, folder, python);
    rows.push(...sides.map((side) => describeSide(width, side)));
    verdicts.push(...judgeWidth(width, sides));
  }
  rmSync(folder, { recursive: true });
  return {
    name: "train",
    title: "Training and generation",
    setup: `A step: 2 layers, 4 heads, vocabulary 128, 64 rows of 128 tokens, another mask of legal ids at each position, clipped loss with entropy bonus, gradient clipped to length 1, AdamW; turnwise's includes checking, packing and passing the rows to its threads. Generation: 64 streams from one token to the end of the context, ids drawn under the mask with their log-probabilities, a cache of keys and values on both sides. PyTorch runs with fused attention, fused AdamW and OMP_WAIT_POLICY=passive, in each of four settings (threads, rows at a time); a target is judged against the best of them for that job. Fastest of ${rounds} rounds in which all sides take turns; before the times count, loss and length of the gradient of the first step must agree to 1e-5 and 1e-4. Memory is the peak of the process.`,
    columns: [
      { key: "step", title: "step, ms", decimals: 0 },
      { key: "stepMedian", title: "median step, ms", decimals: 0 },
      { key: "stepCpu", title: "CPU of a step, ms", decimals: 0 },
      { key: "generation", title: "tokens/s", decimals: 0 },
      { key: "generationCpu", title: "CPU of generation, ms", decimals: 0 },
      { key: "memory", title: "memory, MiB", decimals: 0 },
    ],
    rows,
    verdicts,
  };
}
