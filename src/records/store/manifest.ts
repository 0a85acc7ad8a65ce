import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Budget, Disclosure, JsonObject, JsonValue, Split, TerminalRule } from "../../core/index.js";
import {
  getSystemCode,
  describeSystemError,
  hashJson,
  inputError,
  isJsonObject,
  writeCount,
} from "../../core/index.js";
import { describeSchema, replaceFile } from "./files.js";

/** The version that every run manifest of this shape carries. */
export const runSchema = "turnwise.run/1";

/** The tasks of a run. */
export interface RunSuite {
  readonly envId: string;
  readonly envVersion: string;
  readonly split?: Split;
  readonly level?: number;
  readonly taskCount: number;
  readonly seed?: number;
  /** SHA-256 of the list of task hashes, in order: the same suite, the same hash. */
  readonly tasksHash?: string;
}

/** A policy of a run and what defines it, without secrets. */
export interface RunPolicy {
  readonly id: string;
  readonly checkpoint?: string;
  readonly config?: JsonValue;
}

/** A file that was imported. */
export interface RunSource {
  /** File name without folders. */
  readonly name: string;
  readonly format: string;
  /** SHA-256 of the file's bytes as they lie on disk. */
  readonly sha256: string;
  readonly byteCount: number;
  readonly episodeCount: number;
  /** What one turn means in the format and how it was translated. */
  readonly turnNote: string;
  /** Problems by class, e.g. `torn_line: 1`. */
  readonly problemCounts: { readonly [problemClass: string]: number };
}

/** Which part of a run's plan was played here. */
export interface RunShard {
  /** 1-based, as in `--shard 1/4`. */
  readonly number: number;
  readonly count: number;
}

/** What a run was asked to do and with what: `run.json`. */
export interface RunManifest {
  readonly schema: typeof runSchema;
  readonly kind: "eval" | "import";
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly turnwiseVersion: string;
  /** The resolved settings that decide what the episodes are. Where and how fast they are played is no part of it. */
  readonly config: JsonObject;
  /** Hash of everything that decides what the episodes are; see {@linkcode getRunIdentity}. */
  readonly configHash: string;
  /** Seeds by purpose, e.g. `suite`, `sampling`. */
  readonly seeds?: { readonly [purpose: string]: number };
  readonly suite?: RunSuite;
  readonly policies: readonly RunPolicy[];
  readonly budgets?: readonly Budget[];
  readonly disclosures?: readonly Disclosure[];
  readonly terminalRule?: TerminalRule;
  /** Attempts per task and setting. */
  readonly samples?: number;
  /** Episodes the plan has here (of this shard, where there is one). */
  readonly plannedEpisodes?: number;
  readonly sources?: readonly RunSource[];
  readonly shard?: RunShard;
}

/** What the caller decides about a new manifest. */
export type RunManifestFields = Omit<RunManifest, "schema" | "runId" | "createdAt" | "configHash" | "turnwiseVersion">;

/** Returns what two runs must share to be one run: the manifest without times, versions, counts and sources. */
export function getRunIdentity(manifest: RunManifestFields): JsonObject {
  const { kind, config, seeds, suite, policies, budgets, disclosures, terminalRule, samples } = manifest;
  const identity = { kind, config, seeds, suite, policies, budgets, disclosures, terminalRule, samples };
  return JSON.parse(JSON.stringify(identity)) as JsonObject; // data only, so the round trip just drops absent fields
}

/**
 * Returns the manifest of a new run. The run id is made of the time and the configuration, so the same inputs give
 * the same bytes.
 */
export function createRunManifest(
  fields: RunManifestFields,
  context: { readonly now: Date; readonly turnwiseVersion: string },
): RunManifest {
  const createdAt = context.now.toISOString();
  const configHash = hashJson(getRunIdentity(fields));
  const runId = `${createdAt.replace(/[-:]/g, "").replace(/\.\d+/, "")}-${configHash.slice(0, 8)}`;
  return { schema: runSchema, runId, createdAt, turnwiseVersion: context.turnwiseVersion, configHash, ...fields };
}

/** One field that differs between two configurations. */
export interface ConfigDifference {
  /** Dotted path, e.g. `policies.0.config.model`. */
  readonly path: string;
  /** Absent where only the other side has the field. */
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** Returns the fields in which two JSON values differ, deepest path first named, in the order of `before`. */
export function diffConfigs(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path = "",
): ConfigDifference[] {
  if (isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    const old = before as JsonObject; // an array is read by its positions here
    const current = after as JsonObject; // likewise
    return [...keys].flatMap((key) => diffConfigs(old[key], current[key], path === "" ? key : `${path}.${key}`));
  }
  return before === after ? [] : [{ path, before, after }];
}

function isContainer(value: JsonValue | undefined): value is JsonObject | readonly JsonValue[] {
  return typeof value === "object" && value !== null;
}

/** Differences that are written out; a run of many policies differs in a hundred fields at once. */
const shownDifferences = 12;

/** Returns differences as text, one a line, and how many more there are: `samples: 4 -> 8`. */
export function renderConfigDifferences(differences: readonly ConfigDifference[]): string {
  const show = (value: JsonValue | undefined): string => {
    const text = value === undefined ? "(absent)" : JSON.stringify(value);
    return text.length > 80 ? `${text.slice(0, 77)}...` : text;
  };
  const lines = differences.map(({ path, before, after }) => `  ${path}: ${show(before)} -> ${show(after)}`);
  const more = lines.length - shownDifferences;
  return [...lines.slice(0, shownDifferences), ...(more > 0 ? [`  and ${writeCount(more, "more field")}`] : [])].join(
    "\n",
  );
}

/** Writes `run.json` durably, as a whole. */
export function writeRunManifest(folder: string, manifest: RunManifest): Promise<void> {
  return replaceFile(join(folder, "run.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Reads `run.json`, or returns `undefined` when the folder has none. Throws an input error when it is unusable. */
export async function findRunManifest(folder: string): Promise<RunManifest | undefined> {
  const path = join(folder, "run.json");
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const code = getSystemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw inputError(`Cannot read "${path}": ${describeSystemError(error)}`, undefined, error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw inputError(`Cannot read "${path}": it is not JSON`, undefined, error);
  }
  if (!isJsonObject(value) || value.schema !== runSchema) {
    throw inputError(`Cannot read "${path}": ${describeSchema(value)}, expected "${runSchema}"`);
  }
  if (typeof value.configHash !== "string" || !Array.isArray(value.policies) || !isJsonObject(value.config)) {
    throw inputError(`Cannot read "${path}": "configHash", "policies" or "config" is missing or of the wrong type`);
  }
  return value as unknown as RunManifest; // written by writeRunManifest under this schema version
}
