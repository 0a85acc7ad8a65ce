import { inputError, usageError, type MetricLog, type RecordedNumber } from "../../core/index.js";
import type { ImportSource } from "../importers/importer.js";
import { showStart } from "../reading/file-kind.js";
import { openImportSource, refuseUnusable } from "../reading/source.js";
import { buildLog, type LogRecord } from "./log-builder.js";
import type { LogReader } from "./log-reader.js";
import { progressCsvReader } from "./progress-csv.js";
import { rolloutDumpReader } from "./rollout-dump.js";
import { tensorboardReader } from "./tensorboard.js";
import { trainerStateReader } from "./trainer-state.js";
import { trlConsoleReader } from "./trl-console.js";
import { verlConsoleReader } from "./verl-console.js";
import { verlFileReader } from "./verl-file.js";
import { wandbChartReader } from "./wandb-csv.js";
import { historyReader } from "./wandb-history.js";

/** Every reader of training logs, in the order help lists them. A new one is one line here. */
export const logReaders: readonly LogReader[] = [
  trainerStateReader,
  trlConsoleReader,
  verlFileReader,
  verlConsoleReader,
  rolloutDumpReader,
  progressCsvReader,
  tensorboardReader,
  wandbChartReader,
  historyReader,
];

function chooseReader(format: string, source: ImportSource): LogReader {
  const named = logReaders.find((reader) => reader.format === format);
  if (named !== undefined) return named;
  const [best] = logReaders
    .map((reader) => ({ reader, certainty: reader.detect(source) }))
    .sort((a, b) => b.certainty - a.certainty);
  if (best.certainty > 0) return best.reader;
  refuseUnusable(source);
  const start = showStart(source.head);
  throw inputError(
    `Cannot audit "${source.path}": its format was not recognised; ${start === undefined ? "it is no text" : `it begins with ${start}`}`,
    `Name it with --format: ${logReaders.map((reader) => reader.format).join(", ")}`,
  );
}

/** Returns logs of single steps as one, ordered by update. */
function joinLogs(file: string, logs: readonly MetricLog[]): MetricLog {
  const records = logs.flatMap(({ columns, rows }) =>
    rows.map(({ updateIndex, values }): LogRecord => {
      const stated = columns.flatMap(({ name }, i): [string, RecordedNumber][] => {
        const value = values[i];
        return value === undefined ? [] : [[name, value]];
      });
      return { updateIndex, values: new Map(stated) };
    }),
  );
  records.sort((a, b) => (a.updateIndex ?? 0) - (b.updateIndex ?? 0));
  return buildLog(
    { file, format: rolloutDumpReader.format },
    records,
    logs.flatMap(({ problems }) => problems),
  );
}

/**
 * Returns the logs of rollout dumps, a file for each step, as one log under the folder's name.
 *
 * @throws {TurnwiseError} (input) when no file of them states a metric.
 */
export function joinDumps(folder: string, logs: readonly MetricLog[]): readonly MetricLog[] {
  const dumps = logs.filter((log) => log.format === rolloutDumpReader.format);
  const others = logs.filter((log) => log.format !== rolloutDumpReader.format);
  return dumps.length === 0 ? others : [...others, joinLogs(folder, dumps)];
}

/** Returns how surely some reader knows the file, 0 to 1. */
export function rateLog(source: ImportSource): number {
  return Math.max(...logReaders.map((reader) => reader.detect(source)));
}

/** Refuses a format that does not exist. */
export function checkLogFormat(format: string): void {
  if (format === "auto" || logReaders.some((reader) => reader.format === format)) return;
  const known = logReaders.map((reader) => reader.format).join(", ");
  throw usageError(`Cannot read logs as "${format}": formats are auto, ${known}`);
}

/**
 * Returns the training logs in a file, one for each run in it. Compressed files (.gz) are opened. With `format` "auto" the
 * file is recognised by its content.
 *
 * @throws {TurnwiseError} (usage) for an unknown format; (input) for a file that is missing, empty, not recognised or
 * without a metric.
 */
export async function readMetricLogs(path: string, format = "auto"): Promise<readonly MetricLog[]> {
  checkLogFormat(format);
  const source = await openImportSource(path);
  if (source.head.length === 0) throw inputError(`Cannot audit "${path}": the file is empty`);
  const logs = await chooseReader(format, source).read(source);
  if (logs.length === 0) throw inputError(`Cannot audit "${path}": it holds no metric`);
  return logs;
}
