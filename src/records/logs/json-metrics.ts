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

/** What a record states: numbers, and texts where a number may have been meant. Names of objects inside are joined by `/`. */
export interface RecordMetrics {
  readonly values: Map<string, RecordedNumber>;
  readonly texts: Map<string, string>;
}

/** A text of digits in such a field names something; it is no measurement. */
const namePattern =
  /(?:^|[/_-])(?:u?u?id|name|run|date|time|timestamp|tag|seed|version|group|host|hostname|port|job|commit|hash|experiment)$/i;

/** Records nested deeper than this are no metrics. */
const maxMetricDepth = 32;

/**
 * Returns the metrics of a JSON record: numbers, truth values as 0 and 1, texts that are numbers (some loggers write all
 * values as text) and words for NaN and infinite numbers. Objects inside are opened; lists and null state no metric.
 */
export function readMetrics(record: { readonly [key: string]: JsonValue | undefined }): RecordMetrics {
  const found: RecordMetrics = { values: new Map(), texts: new Map() };
  collectMetrics(record, "", found, 0);
  return found;
}

function collectMetrics(
  record: { readonly [key: string]: JsonValue | undefined },
  prefix: string,
  found: RecordMetrics,
  depth: number,
): void {
  for (const [key, value] of Object.entries(record)) {
    const name = `${prefix}${key}`;
    if (typeof value === "boolean") found.values.set(name, value ? 1 : 0);
    else if (typeof value === "string") {
      const number = parseMetric(value);
      if (number === undefined) {
        if (value.trim() !== "") found.texts.set(name, value);
      } else if (typeof number === "object" || !namePattern.test(name)) found.values.set(name, number);
    } else {
      const number = getRecordedNumber(value);
      if (number !== undefined) found.values.set(name, number);
      else if (isJsonObject(value) && depth < maxMetricDepth) collectMetrics(value, `${name}/`, found, depth + 1);
    }
  }
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
