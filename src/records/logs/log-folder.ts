import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorMessage, inputError, TurnwiseError, type MetricLog, type RefusedFile } from "../../core/index.js";
import { openImportSource } from "../reading/source.js";
import { checkLogFormat, joinDumps, rateLog, readMetricLogs } from "./read-metric-logs.js";

/** The logs of a folder. */
export interface LogFolder {
  readonly logs: readonly MetricLog[];
  /** Files that are logs by their content and could not be read. */
  readonly refused: readonly RefusedFile[];
  /** Files that could be logs by their name and are passed over. */
  readonly skipped: readonly RefusedFile[];
}

/** Folders below the one that was named. */
const maxDepth = 8;
/** More files than a training run writes logs. */
const maxFiles = 5000;
/** Certainty from which a file counts as a log whatever it is called; tables and histories may be anything. */
const surely = 0.8;

/** Names of files that can hold metrics. Weights, data and code are not looked into. */
const candidate = /(?:^|\.)tfevents\.|\.(?:csv|tsv|jsonl|ndjson|log|out|txt)(?:\.gz)?$|\.json(?:\.gz)?$/i;
/** JSON documents of a training folder that are no logs, whatever their fields. */
const noLog =
  /^(?:(?:tokenizer|special_tokens_map|added_tokens|vocab|generation_config|adapter_config|model\.safetensors\.index|preprocessor_config)(?:_config)?|(?:.*_)?config|package(?:-lock)?|tsconfig)\.json$|^(?:requirements|merges|vocab|license|readme)\.txt$/i;

async function listFiles(folder: string, depth: number, found: string[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth < maxDepth && !entry.name.startsWith(".") && entry.name !== "node_modules")
        await listFiles(path, depth + 1, found);
      continue;
    }
    // A link to a folder is not followed, as it may lead back.
    const isFile = entry.isFile() || (entry.isSymbolicLink() && (await stat(path).catch(() => undefined))?.isFile());
    if (isFile === true && candidate.test(entry.name) && !noLog.test(entry.name)) found.push(path);
    if (found.length > maxFiles)
      throw inputError(
        `Cannot audit the folder "${folder}": it and those below hold more than ${maxFiles} files that could be logs`,
        "Name the logs, or the folder of one run",
      );
  }
}

/** Returns the number of the checkpoint folder that a file lies in, or `undefined`. */
function findCheckpoint(path: string): number | undefined {
  const found = /^checkpoint-(\d+)$/.exec(basename(dirname(path)));
  return found === null ? undefined : Number(found[1]);
}

/**
 * Splits off the trainer states that a later one repeats: each checkpoint holds the history up to it, and the output
 * folder the whole.
 */
function dropEarlierStates(paths: readonly string[]): { readonly kept: string[]; readonly skipped: RefusedFile[] } {
  const best = new Map<string, { readonly path: string; readonly rank: number }>();
  const getRun = (path: string): string =>
    findCheckpoint(path) === undefined ? dirname(path) : dirname(dirname(path));
  const isState = (path: string): boolean => /^trainer_state\.json(?:\.gz)?$/.test(basename(path));
  for (const path of paths.filter(isState)) {
    const rank = findCheckpoint(path) ?? Infinity;
    const found = best.get(getRun(path));
    if (found === undefined || rank > found.rank) best.set(getRun(path), { path, rank });
  }
  const isKept = (path: string): boolean => !isState(path) || best.get(getRun(path))?.path === path;
  return {
    kept: paths.filter(isKept),
    skipped: paths
      .filter((path) => !isKept(path))
      .map((path) => ({ file: path, reason: `"${best.get(getRun(path))?.path}" holds the same history and more` })),
  };
}

/** Returns the logs of one file of a folder, or why there are none and whether that is a fault. */
async function readOne(
  path: string,
  format: string,
): Promise<{ readonly logs: readonly MetricLog[] } | { readonly fault: RefusedFile; readonly isRefused: boolean }> {
  let certainty = 0;
  try {
    const source = await openImportSource(path);
    certainty = source.head.length === 0 ? 0 : rateLog(source);
    if (format === "auto" && certainty === 0) {
      const reason = source.head.length === 0 ? "the file is empty" : "it was not recognised as a training log";
      return { fault: { file: path, reason }, isRefused: false };
    }
    const logs = await readMetricLogs(path, format);
    const isKnown = logs.some(({ columns }) => columns.some(({ metric }) => metric !== undefined));
    if (format === "auto" && certainty < surely && !isKnown)
      return { fault: { file: path, reason: "none of its columns is a known metric" }, isRefused: false };
    return { logs };
  } catch (error) {
    if (!(error instanceof TurnwiseError)) throw error;
    return { fault: { file: path, reason: errorMessage(error) }, isRefused: certainty >= surely };
  }
}

/**
 * Returns the training logs in a folder and those below it (hidden ones and links to folders are left out): files that a
 * reader recognises by their content, compressed ones included. Rollout dumps of one folder are one log. Of the trainer
 * states of one run only the last is read. What is passed over is listed with the reason.
 *
 * @throws {TurnwiseError} (usage) for an unknown format; (input) when no log is found, or far too many files are there.
 */
export async function readLogFolder(folder: string, format = "auto"): Promise<LogFolder> {
  checkLogFormat(format);
  const paths: string[] = [];
  try {
    await listFiles(folder, 0, paths);
  } catch (error) {
    if (error instanceof TurnwiseError) throw error;
    throw inputError(`Cannot audit the folder "${folder}": ${errorMessage(error)}`, undefined, error);
  }
  const { kept, skipped } = dropEarlierStates(paths);
  const byFolder = new Map<string, MetricLog[]>();
  const refused: RefusedFile[] = [];
  for (const path of kept) {
    const found = await readOne(path, format);
    if ("logs" in found) byFolder.set(dirname(path), [...(byFolder.get(dirname(path)) ?? []), ...found.logs]);
    else (found.isRefused ? refused : skipped).push(found.fault);
  }
  const logs = [...byFolder].flatMap(([parent, own]) => joinDumps(parent, own));
  if (logs.length === 0 && refused.length === 0) throw refuseEmpty(folder, skipped);
  return { logs, refused, skipped };
}

function refuseEmpty(folder: string, skipped: readonly RefusedFile[]): TurnwiseError {
  const names = skipped.slice(0, 3).map(({ file, reason }) => `"${file}" (${reason})`);
  const more = skipped.length > 3 ? `, and ${skipped.length - 3} more` : "";
  const seen = names.length === 0 ? "it holds no file that could be one" : `passed over ${names.join(", ")}${more}`;
  return inputError(
    `Cannot audit the folder "${folder}": no training log was found: ${seen}`,
    "Logs are trainer_state.json, progress.csv, *.jsonl, *.log, TensorBoard events and <step>.jsonl dumps, .gz included; name the log itself to have it read",
  );
}
