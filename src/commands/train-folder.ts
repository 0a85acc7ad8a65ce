import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  describeSystemError,
  errorMessage,
  getSystemCode,
  inputError,
  isJsonObject,
  tagNumber,
  untagNumber,
  type JsonObject,
  type JsonValue,
  type RecordedNumber,
  type Trajectory,
} from "../core/index.js";
import { encodeEventFileHeader, encodeScalarEvent, lockFolder } from "../records/index.js";
import { findDifference } from "./find-difference.js";

/** Version that every training folder carries. */
export const trainingSchema = "turnwise.training/1";

/** Where the time of each line is kept: TensorBoard shows it, and it is as little part of the results as other speeds. */
const timeName = "perf/wall_time";

/** One line of `metrics.jsonl`, in the form of verl's file logger, which `audit log` and other tools read. */
export interface MetricLine {
  /** 1-based optimiser phase steps: those of the warm start first, then the updates of reinforcement learning. */
  readonly step: number;
  readonly data: { readonly [name: string]: number };
}

/** Where a training run keeps what it writes. */
export interface TrainingFolder {
  readonly path: string;
  /** Name of the checkpoint to go on from; absent at the beginning. */
  readonly latest: string | undefined;
  /** Steps before the checkpoint that `metrics.jsonl` no longer holds. */
  readonly lostSteps: number;
  /** Appends one line and one TensorBoard event; `wallTime` is in seconds since 1970. */
  log(line: MetricLine, wallTime: number): Promise<void>;
  /** Keeps the episodes of an update, in place of those an interrupted run may have kept of it. */
  keepRollouts(update: number, trajectories: readonly Trajectory[]): Promise<void>;
  /** Returns where a checkpoint of this name is kept. */
  getCheckpoint(name: string): string;
  /** Makes this checkpoint the one to go on from. */
  markLatest(name: string, step: number): Promise<void>;
  /** Returns where the episodes of an evaluation are kept. */
  getEvaluation(name: string): string;
  /** Returns the names of the evaluations that were begun, in no order. */
  listEvaluations(): Promise<readonly string[]>;
  /** Writes a document beside the others. */
  write(name: string, value: unknown): Promise<void>;
  /** Lets others write the folder. */
  close(): Promise<void>;
}

async function readJson(path: string, what: string): Promise<JsonObject> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw inputError(
      `Cannot read ${what} "${path}": ${describeSystemError(error)}`,
      "Name another folder with -o",
      error,
    );
  }
  if (isJsonObject(value)) return value;
  throw inputError(`Cannot read ${what} "${path}": it holds no object`);
}

/** Does the writing; what the disk refuses is told with the folder and what to do. */
async function guardWrite<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (getSystemCode(error) === undefined) throw error;
    throw inputError(
      `Cannot write the training run in "${path}": ${describeSystemError(error)}`,
      "The last checkpoint is sound: make room or mend the folder, and the same command goes on from it",
      error,
    );
  }
}

/** Writes a small file so that a reader sees the old or the new content, never half of one. */
async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(`${path}.new`, content);
  await rename(`${path}.new`, path);
}

/** Returns the number a line holds; odd values are tagged, as JSON has none. */
function readValue(value: JsonValue | undefined): number {
  return untagNumber(value as RecordedNumber) ?? NaN; // written by this module, which writes numbers only
}

/** Returns the lines up to this step; what a stopped run logged after its last checkpoint is played again. */
async function readLines(path: string, lastStep: number): Promise<MetricLine[]> {
  if (!existsSync(path)) return [];
  const texts = (await readFile(path, "utf8")).split("\n").filter((text) => text !== "");
  const lines: MetricLine[] = [];
  for (const [index, text] of texts.entries()) {
    try {
      const { step, data } = JSON.parse(text) as { readonly step: number; readonly data: JsonObject }; // written by this module
      if (step > lastStep) continue;
      lines.push({
        step,
        data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, readValue(value)])),
      });
    } catch (error) {
      // A torn last line belongs to an update that is played again.
      if (index === texts.length - 1) continue;
      throw inputError(
        `Cannot go on with the metrics "${path}": line ${index + 1} is damaged: ${errorMessage(error)}`,
        "Restore the file, or name another folder with -o",
        error,
      );
    }
  }
  return lines;
}

function formatLine({ step, data }: MetricLine): string {
  return `${JSON.stringify({ step, data: Object.fromEntries(Object.entries(data).map(([k, v]) => [k, tagNumber(v)])) })}\n`;
}

function toEvent({ step, data }: MetricLine): Uint8Array {
  const { [timeName]: wallTime = 0, ...scalars } = data;
  return encodeScalarEvent({ step, wallTime, scalars });
}

/** Refuses a folder that was begun with other settings, or holds something else. */
async function checkManifest(path: string, manifest: string, description: JsonObject): Promise<void> {
  if (existsSync(manifest)) {
    const { schema, description: found } = await readJson(manifest, "the training run");
    if (schema !== trainingSchema || !isJsonObject(found)) {
      throw inputError(
        `Cannot go on with the training run in "${path}": its train.json is not of schema "${trainingSchema}"`,
        "Name another folder with -o",
      );
    }
    const difference = findDifference(found, description);
    if (difference === undefined) return;
    throw inputError(
      `Cannot go on with the training run in "${path}": ${difference.path} was ${difference.before} when it began, and is ${difference.now} now`,
      "Name another folder with -o, or go back to what it was begun with",
    );
  }
  if (existsSync(join(path, "run.json"))) {
    throw inputError(`Cannot train in "${path}": it holds a run of episodes`, "Name another folder with -o");
  }
}

/** The checkpoint to go on from. */
interface LatestMark {
  readonly name: string;
  readonly step: number;
}

/** Returns the mark of the latest checkpoint; absent at the beginning. What is no mark would begin the run anew, over the old one. */
async function readLatest(pointer: string): Promise<LatestMark | undefined> {
  if (!existsSync(pointer)) return undefined;
  const { name, step } = await readJson(pointer, "the mark of the latest checkpoint");
  if (typeof name === "string" && /^(?:warm|update)-\d+$/.test(name) && typeof step === "number" && step >= 0) {
    return { name, step };
  }
  throw inputError(
    `Cannot go on from the latest checkpoint: "${pointer}" names none, but ${JSON.stringify({ name, step })}`,
    'Let it name one of the folders beside it, as {"name":"update-20","step":170} with the last step of metrics.jsonl that it has seen; or name another folder with -o',
  );
}

/** Brings metrics and events back to the last checkpoint. */
async function rewind(
  path: string,
  lastStep: number,
): Promise<{ readonly metrics: string; readonly events: string; readonly lostSteps: number }> {
  const metrics = join(path, "metrics.jsonl");
  const events = join(path, "events.out.tfevents.0.turnwise");
  const lines = await readLines(metrics, lastStep);
  await writeWhole(metrics, lines.map(formatLine).join(""));
  const began = lines[0]?.data[timeName] ?? 0;
  await writeWhole(events, Buffer.concat([encodeEventFileHeader(began), ...lines.map(toEvent)]));
  return { metrics, events, lostSteps: Math.max(0, lastStep - new Set(lines.map(({ step }) => step)).size) };
}

/**
 * Opens the folder of a training run, new or begun before, for one process. `description` is everything that decides
 * the run: a folder that was begun with another one is refused. Metrics after the last checkpoint are dropped, since
 * those updates are made again.
 *
 * @throws {TurnwiseError} (input) for a folder that holds another run, is being written, or cannot be read or written.
 */
export async function openTrainingFolder(path: string, description: JsonObject): Promise<TrainingFolder> {
  const manifest = join(path, "train.json");
  const pointer = join(path, "checkpoints", "latest.json");
  await checkManifest(path, manifest, description);
  await guardWrite(path, () => mkdir(join(path, "checkpoints"), { recursive: true }));
  const lock = await lockFolder(path);
  try {
    if (!existsSync(manifest)) {
      const text = `${JSON.stringify({ schema: trainingSchema, description }, null, 2)}\n`;
      await guardWrite(path, () => writeWhole(manifest, text));
    }
    const latest = await readLatest(pointer);
    const { metrics, events, lostSteps } = await guardWrite(path, () => rewind(path, latest?.step ?? 0));
    return {
      path,
      latest: latest?.name,
      lostSteps,
      log: (line, wallTime) =>
        guardWrite(path, async () => {
          const timed = { ...line, data: { ...line.data, [timeName]: wallTime } };
          await appendFile(metrics, formatLine(timed));
          await appendFile(events, toEvent(timed));
        }),
      keepRollouts: (update, trajectories) =>
        guardWrite(path, async () => {
          const folder = join(path, "rollouts");
          if (update === 0) await rm(folder, { recursive: true, force: true });
          await mkdir(folder, { recursive: true });
          const text = trajectories.map((trajectory) => `${JSON.stringify(trajectory)}\n`).join("");
          await writeWhole(join(folder, `update-${update}.jsonl`), text);
        }),
      getCheckpoint: (name) => join(path, "checkpoints", name),
      markLatest: (name, step) => guardWrite(path, () => writeWhole(pointer, `${JSON.stringify({ name, step })}\n`)),
      getEvaluation: (name) => join(path, "evaluations", name),
      listEvaluations: async () => (existsSync(join(path, "evaluations")) ? readdir(join(path, "evaluations")) : []),
      write: (name, value) => guardWrite(path, () => writeWhole(join(path, name), `${JSON.stringify(value)}\n`)),
      close: () => lock.release(),
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
