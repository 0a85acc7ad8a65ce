import { inputError, usageError, type BudgetRollout, type JsonObject } from "../../core/index.js";
import type { ImportSource } from "../importers/importer.js";
import { readJsonRecords } from "../reading/jsonl.js";
import { isParquet, readParquetRows } from "../reading/parquet.js";
import { openImportSource } from "../reading/source.js";
import type { RolloutReader } from "./rollout-reader.js";
import { trlRolloutReader } from "./trl-rollouts.js";
import { verlRolloutReader } from "./verl-rollouts.js";

const rolloutReaders: readonly RolloutReader[] = [verlRolloutReader, trlRolloutReader];

/** Trainers whose dumps {@linkcode readBudgetRollouts} reads, with what their files hold. */
export const rolloutFormats: readonly { readonly format: string; readonly description: string }[] = rolloutReaders.map(
  ({ format, description }) => ({ format, description }),
);

/** The rollouts of one file. */
export interface BudgetRolloutFile {
  readonly format: string;
  readonly rollouts: readonly BudgetRollout[];
  /** What could not be read, in words, with the line. */
  readonly problems: readonly string[];
}

interface PlacedRecord {
  readonly record: JsonObject;
  readonly line: number;
}

async function readRecords(
  source: ImportSource,
): Promise<{ readonly records: PlacedRecord[]; readonly problems: string[] }> {
  if (isParquet(source.head)) {
    const rows = await readParquetRows(source);
    return { records: rows.map((record, index) => ({ record, line: index + 1 })), problems: [] };
  }
  const records: PlacedRecord[] = [];
  const problems: string[] = [];
  for await (const item of readJsonRecords(source)) {
    if (item.type === "record") records.push({ record: item.record, line: item.line });
    else problems.push(`line ${item.position ?? "?"}: ${item.message}`);
  }
  return { records, problems };
}

function chooseReader(format: string, records: readonly PlacedRecord[]): RolloutReader | undefined {
  if (format !== "auto") return rolloutReaders.find((reader) => reader.format === format);
  return rolloutReaders.find((reader) => records.some(({ record }) => reader.matches(record)));
}

/**
 * Returns the episodes of a trainer's dump, JSONL or parquet, with what it says of their budgets; `undefined` when the
 * file is no dump that is known. Records of another shape inside a dump are problems.
 *
 * @throws {TurnwiseError} (usage) for a format that does not exist; (input) for a file that cannot be read.
 */
export async function readBudgetRollouts(path: string, format = "auto"): Promise<BudgetRolloutFile | undefined> {
  if (format !== "auto" && !rolloutReaders.some((reader) => reader.format === format)) {
    throw usageError(
      `Cannot read rollouts as "${format}": formats are auto, ${rolloutReaders.map((reader) => reader.format).join(", ")}`,
    );
  }
  const source = await openImportSource(path);
  if (source.head.length === 0) throw inputError(`Cannot read rollouts from "${path}": the file is empty`);
  const { records, problems } = await readRecords(source);
  const reader = chooseReader(format, records);
  if (reader === undefined) return undefined;
  const named = /(\d+)\.(?:jsonl|parquet)$/.exec(source.name)?.[1];
  const rollouts: BudgetRollout[] = [];
  for (const { record, line } of records) {
    if (reader.matches(record)) {
      const rollout = reader.read(record, named === undefined ? undefined : Number(named));
      rollouts.push({ place: { file: path, line }, ...rollout });
    } else problems.push(`line ${line}: no record of ${reader.format}`);
  }
  return { format: reader.format, rollouts, problems };
}
