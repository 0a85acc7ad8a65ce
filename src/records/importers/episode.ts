// internal
import { createHash } from "node:crypto";
import type {
  Budget,
  JsonObject,
  JsonValue,
  Observation,
  RecordedNumber,
  StopReason,
  TerminalRule,
  Trajectory,
  Turn,
} from "../../core/index.js";
import {
  TurnwiseError,
  errorMessage,
  canonicalJson,
  inputError,
  trajectorySchema,
  untagNumber,
} from "../../core/index.js";
import { hashEpisodeKey, hashText } from "./hash-text.js";
import type { TranslatedMessages } from "./messages.js";
import { readJsonDocument } from "../reading/jsonl.js";
import type { ImportItem, ImportOptions, ImportSource } from "./importer.js";
import { getAt, getName } from "./fields.js";
import { readFlag, readReward } from "./outcome.js";

/** What an importer found out about one episode. */
export interface EpisodeParts {
  readonly format: string;
  readonly source: ImportSource;
  readonly position?: number;
  /** Translations made in this record, the meaning of a turn first. */
  readonly notes: readonly string[];
  readonly task: Trajectory["task"];
  readonly sampleIndex: number;
  readonly policy: Trajectory["policy"];
  readonly env: Trajectory["env"];
  readonly envSeed?: number;
  readonly samplingSeed?: number;
  readonly budget?: Budget;
  /** Default `hard`: only "ended within T" can be read off the record. */
  readonly terminalRule?: TerminalRule;
  readonly turns: readonly Turn[];
  readonly finalObservation?: Observation;
  readonly stopReason: StopReason;
  readonly success?: boolean;
  /** What judged success, where the source names one of several. */
  readonly grader?: string;
  readonly scores?: { readonly [name: string]: RecordedNumber | boolean | string };
  readonly episodeReturn?: RecordedNumber;
  readonly dependsOn?: string;
  readonly extra?: JsonObject;
}

/** Returns the trajectory with these parts. What the agent was told of its budget is taken as `hidden`. */
export function createEpisode(parts: EpisodeParts): Trajectory {
  const { format, source, position, notes, policy, task, sampleIndex, scores } = parts;
  const { budget = {}, terminalRule = "hard" } = parts;
  const disclosure = "hidden";
  // A plain literal, absent fields and all: spreading optional fields costs V8 a hidden class for each object.
  return {
    schema: trajectorySchema,
    episodeId: hashEpisodeKey({
      policyId: policy.id,
      taskHash: task.hash,
      sampleIndex,
      budget,
      disclosure,
      terminalRule,
    }),
    task,
    sampleIndex,
    policy,
    env: parts.env,
    envSeed: parts.envSeed,
    samplingSeed: parts.samplingSeed,
    budget,
    disclosure,
    terminalRule,
    turns: parts.turns,
    finalObservation: parts.finalObservation,
    stopReason: parts.stopReason,
    success: parts.success,
    grader: parts.grader,
    scores: scores !== undefined && Object.keys(scores).length > 0 ? scores : undefined,
    episodeReturn: parts.episodeReturn,
    dependsOn: parts.dependsOn,
    provenance: { format, source: source.name, position, notes },
    extra: parts.extra,
  };
}

/** Returns the record's other fields together with how the final observation was put together, when that is known. */
export function addFinalObserved(
  extra: JsonObject | undefined,
  translated: TranslatedMessages,
): JsonObject | undefined {
  return translated.finalObserved === undefined ? extra : { ...extra, finalObserved: translated.finalObserved };
}

/** Returns the task that is known by this content; its id is `id`, or the first 16 digits of the hash. */
export function createTaskRef(content: JsonObject, id?: string): Trajectory["task"] {
  const hash = hashText(canonicalJson(content));
  return { id: id ?? hash.slice(0, 16), hash };
}

/** How an episode that its env ended is named, given whether it succeeded; `unknown` while that is not known. */
export function createEnvEnd(success: boolean | undefined): StopReason {
  if (success === undefined) return { type: "unknown" };
  return { type: "env_end", kind: success ? "solved" : "wrong_final" };
}

/** What the user's own field options say about a record. */
export interface StatedOutcome {
  readonly success?: boolean;
  readonly reward?: RecordedNumber;
  readonly taskId?: string;
}

/** Reads `rewardField`, `successField` and `taskField` of `options` from a record. */
export function readStatedOutcome(record: unknown, options: ImportOptions): StatedOutcome {
  const { rewardField, successField, taskField, successThreshold } = options;
  const valueAt = (path: string | undefined): JsonValue | undefined =>
    path === undefined ? undefined : (getAt(record, path) as JsonValue | undefined); // records are parsed JSON
  const reward = readReward(valueAt(rewardField));
  return {
    reward,
    success:
      readFlag(valueAt(successField)) ??
      (successThreshold === undefined ? undefined : judgeReward(reward, successThreshold)),
    taskId: getName(valueAt(taskField)),
  };
}

/** Says whether a reward reaches `threshold`; a reward that is missing or not a number decides nothing. */
export function judgeReward(reward: RecordedNumber | undefined, threshold: number): boolean | undefined {
  const value = untagNumber(reward);
  return value === undefined || Number.isNaN(value) ? undefined : value >= threshold;
}

/** What reading one file needs everywhere. */
export interface ImportContext {
  readonly source: ImportSource;
  readonly options: ImportOptions;
  readonly samples: SampleCounter;
}

/** Returns the context of one file. */
export function createImportContext(source: ImportSource, options: ImportOptions): ImportContext {
  return { source, options, samples: createSampleCounter() };
}

/**
 * Yields what `convert` yields for one record. A record that breaks the conversion (nesting too deep, for instance)
 * costs that record alone and is named.
 */
export function* convertSafely(
  position: number | undefined,
  convert: () => Iterable<ImportItem>,
): Generator<ImportItem> {
  try {
    yield* convert();
  } catch (error) {
    if (error instanceof TurnwiseError) throw error;
    yield skipped("unreadable", `Record ${position ?? ""} could not be translated: ${errorMessage(error)}`, position);
  }
}

/** A JSON file beside the one that is read, and what went wrong with it. */
export interface SiblingDocument {
  readonly path: string;
  /** Absent when there is no such file or it cannot be read. */
  readonly value?: JsonValue;
  readonly problems: readonly ImportItem[];
}

/** Reads the first of `paths` that exists beside `source`; a file that cannot be read is a problem, not a failure. */
export async function readSiblingJson(source: ImportSource, paths: readonly string[]): Promise<SiblingDocument> {
  for (const path of paths) {
    const sibling = await source.sibling(path);
    if (sibling === undefined || sibling.path === source.path) continue;
    try {
      return { path, ...(await readJsonDocument(sibling)) };
    } catch (error) {
      if (!(error instanceof TurnwiseError)) throw error;
      return { path, problems: [repaired("sibling_unreadable", `Went on without "${path}": ${error.message}`)] };
    }
  }
  return { path: "", problems: [] };
}

/** Reads a file as one JSON document, or nothing where it cannot be read: for a look ahead that must not fail. */
export async function tryReadJson(source: ImportSource): Promise<{ readonly value?: JsonValue }> {
  try {
    return await readJsonDocument(source);
  } catch (error) {
    if (error instanceof TurnwiseError) return {};
    throw error;
  }
}

/** Returns the error for a file that is not of the format it is read as. */
export function wrongFormat(source: ImportSource, format: string, found: string, expected: string): TurnwiseError {
  return inputError(
    `Cannot import "${source.path}" as ${format}: found ${found}, expected ${expected}`,
    "Leave out --format, or name the tool that wrote the file",
  );
}

/** Returns a word for what a JSON value is, for messages. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return `a list of ${value.length} items`;
  if (typeof value !== "object") return `a ${typeof value}`;
  const keys = Object.keys(value);
  return keys.length === 0
    ? "an empty object"
    : `an object with ${keys
        .slice(0, 5)
        .map((key) => `"${key}"`)
        .join(", ")}`;
}

/** Gives every episode of a file its own sample index. */
export interface SampleCounter {
  /** Returns the next free index of this task. */
  next(taskHash: string): number;
  /**
   * Returns `wanted` when it is free. When it is taken: by a record with the same `content`, `undefined` (the record
   * is a copy); by another one, the next free index.
   */
  claim(
    taskHash: string,
    wanted: number,
    content: unknown,
  ): { readonly index: number; readonly isMoved: boolean } | undefined;
}

/** Returns a counter for one file. */
export function createSampleCounter(): SampleCounter {
  const taken = new Map<string, Map<number, string>>(); // task hash -> sample index -> fingerprint of the record
  const getTaken = (taskHash: string): Map<number, string> => {
    const known = taken.get(taskHash) ?? new Map<number, string>();
    taken.set(taskHash, known);
    return known;
  };
  const takeFree = (known: Map<number, string>, fingerprint: string): number => {
    let index = known.size;
    while (known.has(index)) index += 1;
    known.set(index, fingerprint);
    return index;
  };
  return {
    next: (taskHash) => takeFree(getTaken(taskHash), ""),
    claim(taskHash, wanted, content) {
      const known = getTaken(taskHash);
      const fingerprint = createHash("sha256").update(JSON.stringify(content)).digest("base64");
      if ([...known.values()].includes(fingerprint)) return undefined;
      if (known.has(wanted)) return { index: takeFree(known, fingerprint), isMoved: true };
      known.set(wanted, fingerprint);
      return { index: wanted, isMoved: false };
    },
  };
}

/** Returns the item that says a record was lost. */
export function skipped(problemClass: string, message: string, position?: number): ImportItem {
  return {
    type: "problem",
    severity: "skipped",
    problemClass,
    message,
    ...(position === undefined ? {} : { position }),
  };
}

/** Returns the item that says a record was kept with a change. */
export function repaired(problemClass: string, message: string, position?: number): ImportItem {
  return {
    type: "problem",
    severity: "repaired",
    problemClass,
    message,
    ...(position === undefined ? {} : { position }),
  };
}
