// internal
import { inputError, parseCsv, type CsvRecord, type MetricLogProblem, type RecordedNumber } from "../../core/index.js";
import type { ImportSource } from "../importers/importer.js";
import { isCutShort, refuseUnusable } from "../reading/source.js";
import { parseMetric } from "./log-builder.js";

/** One line of a CSV log under the header that was in force. */
export interface CsvRow {
  readonly line: number;
  readonly values: ReadonlyMap<string, RecordedNumber>;
  /** Cells that are no number, by column. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A CSV log as read. */
export interface CsvTable {
  readonly rows: readonly CsvRow[];
  readonly problems: readonly MetricLogProblem[];
}

const isHeader = (cells: readonly string[]): boolean =>
  cells.length > 1 && cells.every((cell, i) => (cell.trim() === "" ? i === 0 : parseMetric(cell) === undefined));

/** Returns column names that are unique: a second column of a name gets its number. */
function nameColumns({ cells, line }: CsvRecord, problems: MetricLogProblem[]): string[] {
  const seen = new Map<string, number>();
  return cells.map((cell) => {
    const name = cell.trim();
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    if (count === 1) return name;
    problems.push({
      problemClass: "duplicate_column",
      message: `column "${name}" stands ${count} times in the header`,
      line,
    });
    return `${name} (${count})`;
  });
}

function toRow(columns: readonly string[], { cells, line }: CsvRecord, problems: MetricLogProblem[]): CsvRow {
  const values = new Map<string, RecordedNumber>();
  const texts = new Map<string, string>();
  if (cells.length !== columns.length) {
    const message = `the line has ${cells.length} cells where the header has ${columns.length}`;
    problems.push({ problemClass: cells.length > columns.length ? "extra_cells" : "missing_cells", message, line });
  }
  columns.forEach((name, i) => {
    const cell = cells[i]?.trim() ?? "";
    if (name === "" || cell === "") return; // an unnamed first column numbers the rows of a data frame
    const value = parseMetric(cell);
    if (value === undefined) texts.set(name, cell);
    else values.set(name, value);
  });
  return { line, values, texts };
}

async function readText(source: ImportSource, problems: MetricLogProblem[]): Promise<string> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of source.bytes()) chunks.push(chunk);
  } catch (error) {
    if (!isCutShort(error)) throw error;
    problems.push({
      problemClass: "torn_tail",
      message: "the compressed data ends early; the file may still be written",
    });
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * Reads a CSV log. A header that comes again, as after a restart that appended to the file, is passed over; another
 * header is in force from there on. A last line that is cut short is left out.
 *
 * @throws {TurnwiseError} (input) for a file that cannot hold a table.
 */
export async function readCsvTable(source: ImportSource): Promise<CsvTable> {
  refuseUnusable(source);
  const problems: MetricLogProblem[] = [];
  const rows: CsvRow[] = [];
  let columns: readonly string[] | undefined;
  for (const record of parseCsv(await readText(source, problems))) {
    // A row of words further down is a header only if it names a column that is known; "N/A,N/A" is a row without numbers.
    const isKnownHeader = record.cells.some((cell) => columns?.includes(cell.trim()) === true);
    if (columns === undefined || (isHeader(record.cells) && isKnownHeader)) {
      if (columns === undefined && !isHeader(record.cells)) {
        throw inputError(`Cannot audit "${source.path}" as CSV: its first line is no header of column names`);
      }
      const next = nameColumns(record, problems);
      const isSame =
        columns !== undefined && columns.length === next.length && next.every((name, i) => name === columns?.[i]);
      if (columns !== undefined) {
        const problemClass = isSame ? "repeated_header" : "changed_header";
        problems.push({
          problemClass,
          message: isSame ? "the header stands here again" : "another header stands here",
          line: record.line,
        });
      }
      columns = next;
    } else if (!record.isTerminated && record.cells.length < columns.length) {
      problems.push({
        problemClass: "torn_tail",
        message: "the last line is cut short and was left out",
        line: record.line,
      });
    } else rows.push(toRow(columns, record, problems));
  }
  return { rows, problems };
}
