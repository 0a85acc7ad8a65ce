import { appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { errorMessage, hashJson, inputError, isJsonObject, tagNumber, type JsonObject } from "../core/index.js";
import { encodeEventFileHeader, encodeScalarEvent } from "../records/index.js";

/** Version that every training folder carries. */
export const trainingSchema = "turnwise.training/1";

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
  /** Appends one line and one TensorBoard event. */
  log(line: MetricLine, wallTime: number): Promise<void>;
  /** Returns where a checkpoint of this name is kept. */
  getCheckpoint(name: string): string;
  /** Makes this checkpoint the one to go on from. */
  markLatest(name: string, step: number): Promise<void>;
  /** Returns where the episodes of an evaluation are kept. */
  getEvaluation(name: string): string;
}

async function readJson(path: string, what: string): Promise<JsonObject> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw inputError(`Cannot read ${what} "${path}": ${errorMessage(error)}`, "Name another folder with -o", error);
  }
  if (isJsonObject(value)) return value;
  throw inputError(`Cannot read ${what} "${path}": it holds no object`);
}

/** Writes a small file so that a reader sees the old or the new content, never half of one. */
async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

/** Returns the lines up to this step; what a stopped run logged after its last checkpoint is played again. */
async function readLines(path: string, lastStep: number): Promise<MetricLine[]> {
  if (!existsSync(path)) return [];
  const lines: MetricLine[] = [];
  for (const text of (await readFile(path, "utf8")).split("\n")) {
    try {
      const line = JSON.parse(text) as MetricLine; // written by this module
      if (line.step <= lastStep) lines.push(line);
    } catch {
      // A torn last line belongs to an update that is played again.
    }
  }
  return lines;
}

function formatLine({ step, data }: MetricLine): string {
  return `${JSON.stringify({ step, data: Object.fromEntries(Object.entries(data).map(([k, v]) => [k, tagNumber(v)])) })}\n`;
}

/** Returns the first setting in which two descriptions differ. */
function findDifference(ours: JsonObject, theirs: JsonObject): string | undefined {
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
  return names.find((name) => hashJson(ours[name] ?? null) !== hashJson(theirs[name] ?? null));
}

/**
 * Opens the folder of a training run, new or begun before. `description` is everything that decides the run: a folder
 * that was begun with another one is refused. Metrics after the last checkpoint are dropped, since those updates are
 * made again.
 *
 * @throws {TurnwiseError} (input) for a folder that holds another run or cannot be read.
 */
export async function openTrainingFolder(path: string, description: JsonObject): Promise<TrainingFolder> {
  const [manifest, metrics] = [join(path, "train.json"), join(path, "metrics.jsonl")];
  const events = join(path, "events.out.tfevents.0.turnwise");
  const pointer = join(path, "checkpoints", "latest.json");
  if (existsSync(manifest)) {
    const { description: found } = await readJson(manifest, "the training run");
    const difference = isJsonObject(found) ? findDifference(description, found) : "everything";
    if (difference !== undefined) {
      throw inputError(
        `Cannot go on with the training run in "${path}": its "${difference}" differs from what is asked for now`,
        "Name another folder with -o, or use the recipe it was begun with",
      );
    }
  } else if (existsSync(join(path, "run.json"))) {
    throw inputError(`Cannot train in "${path}": it holds a run of episodes`, "Name another folder with -o");
  }
  await mkdir(join(path, "checkpoints"), { recursive: true });
  if (!existsSync(manifest)) {
    await writeWhole(manifest, `${JSON.stringify({ schema: trainingSchema, description }, null, 2)}\n`);
  }
  const latest = existsSync(pointer) ? await readJson(pointer, "the mark of the latest checkpoint") : undefined;
  const lastStep = typeof latest?.["step"] === "number" ? latest["step"] : 0;
  const lines = await readLines(metrics, lastStep);
  await writeWhole(metrics, lines.map(formatLine).join(""));
  await writeFile(
    events,
    Buffer.concat([
      encodeEventFileHeader(0),
      ...lines.map(({ step, data }) => encodeScalarEvent({ step, wallTime: 0, scalars: data })),
    ]),
  );
  return {
    path,
    latest: typeof latest?.["name"] === "string" ? latest["name"] : undefined,
    async log(line, wallTime) {
      await appendFile(metrics, formatLine(line));
      await appendFile(events, encodeScalarEvent({ step: line.step, wallTime, scalars: line.data }));
    },
    getCheckpoint: (name) => join(path, "checkpoints", name),
    markLatest: (name, step) => writeWhole(pointer, `${JSON.stringify({ name, step })}\n`),
    getEvaluation: (name) => join(path, "evaluations", name),
  };
}
