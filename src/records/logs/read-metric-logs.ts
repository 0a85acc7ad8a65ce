import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { inputError, usageError, type MetricLog, type RecordedNumber } from "../../core/index.js";
import type { ImportSource } from "../importers/importer.js";
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
  const known = logReaders.map((reader) => reader.format).join(", ");
  if (format !== "auto") {
    const named = logReaders.find((reader) => reader.format === format);
    if (named === undefined) throw usageError(`Cannot read logs as "${format}": formats are auto, ${known}`);
    return named;
  }
  const sure = logReaders
    .map((reader) => ({ reader, certainty: reader.detect(source) }))
    .sort((a, b) => b.certainty - a.certainty);
  if (sure[0].certainty > 0) return sure[0].reader;
  refuseUnusable(source);
  throw inputError(`Cannot audit "${source.path}": its format was not recognised`, `Name it with --format: ${known}`);
}

/** Says whether a name in a folder is a training log; digits are verl's dumps, which are one log together. */
const isLogName = (name: string): boolean =>
  /tfevents|^(?:progress|log)\.csv(?:\.gz)?$|^trainer_state\.json$|^metrics\.jsonl$|^\d+\.jsonl$/.test(name);

async function readFolder(folder: string, format: string): Promise<readonly MetricLog[]> {
  const names = (await readdir(folder)).filter(isLogName);
  const logs: MetricLog[] = [];
  for (const name of names) logs.push(...(await readMetricLogs(join(folder, name), format)));
  if (logs.length === 0) {
    throw inputError(
      `Cannot audit the folder "${folder}": it holds no trainer_state.json, progress.csv, metrics.jsonl, TensorBoard events or <step>.jsonl`,
      "Name the log itself",
    );
  }
  const dumps = logs.filter((log) => log.format === rolloutDumpReader.format);
  const others = logs.filter((log) => log.format !== rolloutDumpReader.format);
  return dumps.length === 0 ? others : [...others, joinLogs(folder, dumps)];
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
 * Returns the training logs in a file or folder, one for each run in it. Compressed files (.gz) are opened. With
 * `format` "auto" the file is recognised by its content.
 *
 * @throws {TurnwiseError} (usage) for an unknown format; (input) for a file that is missing, empty, not recognised or
 * without a metric.
 */
export async function readMetricLogs(path: string, format = "auto"): Promise<readonly MetricLog[]> {
  const isFolder = await stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
  if (isFolder) return readFolder(path, format);
  const source = await openImportSource(path);
  if (source.head.length === 0) throw inputError(`Cannot audit "${path}": the file is empty`);
  const logs = await chooseReader(format, source).read(source);
  if (logs.length === 0) throw inputError(`Cannot audit "${path}": it holds no metric`);
  return logs;
}
