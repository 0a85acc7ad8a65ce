// internal
import { isJsonObject, type JsonValue, type MetricLogProblem, type RecordedNumber } from "../../core/index.js";
import type { ImportSource } from "../importers/importer.js";
import { getRecordedNumber } from "../importers/fields.js";
import { parseMetric } from "./log-builder.js";
import { readJsonItems, type ImportProblem } from "../reading/jsonl.js";

/** One record of a JSON log. */
export interface JsonLogRecord {
  readonly record: { readonly [key: string]: JsonValue | undefined };
  /** Where it stands: a line of JSONL, or an element of a JSON document. */
  readonly place: { readonly line?: number; readonly record?: number };
}

/**
 * Returns the metrics of a JSON record: numbers, truth values as 0 and 1, words for NaN and infinite numbers. Objects
 * inside are opened with their names joined by `/`; lists, texts and null state no metric.
 */
export function listMetrics(
  record: { readonly [key: string]: JsonValue | undefined },
  prefix = "",
): Map<string, RecordedNumber> {
  const metrics = new Map<string, RecordedNumber>();
  for (const [key, value] of Object.entries(record)) {
    const name = `${prefix}${key}`;
    if (typeof value === "boolean") metrics.set(name, value ? 1 : 0);
    else if (typeof value === "string") {
      // A text of digits may be a name or a date; only the words trackers write for what JSON cannot are numbers.
      const number = parseMetric(value);
      if (typeof number === "object") metrics.set(name, number);
    } else {
      const number = getRecordedNumber(value);
      if (number !== undefined) metrics.set(name, number);
      else if (isJsonObject(value))
        for (const [inner, metric] of listMetrics(value, `${name}/`)) metrics.set(inner, metric);
    }
  }
  return metrics;
}

/** Returns a reading problem in the form logs carry. */
export function toLogProblem({ problemClass, message, position }: ImportProblem): MetricLogProblem {
  return { problemClass, message, ...(position === undefined ? {} : { line: position }) };
}

/** Returns the records of a JSON or JSONL log and what could not be read. NaN in a log is data, not a repair. */
export async function readLogRecords(
  source: ImportSource,
): Promise<{ readonly records: readonly JsonLogRecord[]; readonly problems: readonly MetricLogProblem[] }> {
  const records: JsonLogRecord[] = [];
  const problems: MetricLogProblem[] = [];
  let isDocument = false; // lines are numbered from 1, elements of a document from 0
  for await (const item of readJsonItems(source)) {
    if (item.type === "problem") {
      if (item.problemClass !== "repaired_json" || !item.message.startsWith("NaN")) problems.push(toLogProblem(item));
    } else if (isJsonObject(item.value)) {
      isDocument ||= item.position === 0;
      records.push({ record: item.value, place: isDocument ? { record: item.position + 1 } : { line: item.position } });
    } else
      problems.push({
        problemClass: "not_a_record",
        message: "the line holds no record of metrics",
        line: item.position,
      });
  }
  return { records, problems };
}
