import {
  inputError,
  isDeeperThan,
  isJsonObject,
  maxRecordDepth,
  type JsonObject,
  type JsonValue,
} from "../../core/index.js";
import type { ImportItem, ImportSource } from "../importers/importer.js";
import { isBlank, readRawLines, type RawLine } from "./lines.js";
import { isCutShort, refuseUnusable } from "./source.js";
import { parseTolerantJson, parseTornArray } from "./tolerant-json.js";

/** A problem met while reading, in the form importers pass on. */
export type ImportProblem = Extract<ImportItem, { readonly type: "problem" }>;

/** One value of a JSONL file, or what went wrong with a line. A repair comes before the value it is about. */
export type JsonLine =
  | {
      readonly type: "value";
      readonly value: JsonValue;
      /** 1-based. */
      readonly line: number;
      /** Position of the line's first byte after decompression. */
      readonly offset: number;
    }
  | ImportProblem;

/** One object of a JSONL file, or what went wrong with a line. */
export type JsonRecordLine =
  | { readonly type: "record"; readonly record: JsonObject; readonly line: number; readonly offset: number }
  | ImportProblem;

function refuseDeep(position: number): ImportProblem {
  const message = `values nested deeper than ${maxRecordDepth} levels`;
  return { type: "problem", severity: "skipped", problemClass: "too_deep", message, position };
}

function* parseLine(line: RawLine): Generator<JsonLine> {
  const { values, repairs, problem } = parseTolerantJson(line.bytes);
  const position = line.lineNumber;
  if (repairs.length > 0 && values.length > 0) {
    yield {
      type: "problem",
      severity: "repaired",
      problemClass: "repaired_json",
      message: repairs.join("; "),
      position,
    };
  }
  if (problem !== undefined) {
    // A last line without a line feed is most likely still being written.
    const problemClass =
      problem.problemClass === "torn_line" && !line.isTerminated ? "torn_tail" : problem.problemClass;
    yield { type: "problem", severity: "skipped", problemClass, message: problem.message, position };
  }
  for (const value of values) {
    yield isDeeperThan(value) ? refuseDeep(position) : { type: "value", value, line: position, offset: line.offset };
  }
}

/**
 * Yields the values of a JSONL file with tolerance (see {@linkcode parseTolerantJson}); blank lines are passed over.
 * A torn last line (a file still being written) is the problem `torn_tail`, and everything before it is yielded. A
 * value nested deeper than 1,000 levels is the problem `too_deep`.
 *
 * @throws {TurnwiseError} (input) when the file cannot hold records at all: empty, a Git LFS pointer, a web page.
 */
export async function* readJsonLines(source: ImportSource): AsyncGenerator<JsonLine> {
  refuseUnusable(source);
  let lineNumber = 0;
  try {
    for await (const line of readRawLines(source.bytes())) {
      lineNumber = line.lineNumber;
      if (isBlank(line.bytes)) continue;
      yield* parseLine(line);
    }
  } catch (error) {
    if (!isCutShort(error)) throw error;
    const message = "the compressed data ends early; the file may still be written";
    yield { type: "problem", severity: "skipped", problemClass: "torn_tail", message, position: lineNumber + 1 };
  }
}

/** As {@linkcode readJsonLines}, for files whose records are objects; any other value is the problem `not_a_record`. */
export async function* readJsonRecords(source: ImportSource): AsyncGenerator<JsonRecordLine> {
  for await (const item of readJsonLines(source)) {
    if (item.type === "problem") yield item;
    else if (isJsonObject(item.value))
      yield { type: "record", record: item.value, line: item.line, offset: item.offset };
    else {
      const kind = item.value === null ? "null" : Array.isArray(item.value) ? "an array" : `a ${typeof item.value}`;
      const message = `the line holds ${kind} where a record should be`;
      yield { type: "problem", severity: "skipped", problemClass: "not_a_record", message, position: item.line };
    }
  }
}

/** One record of a file that may be JSONL or one JSON document. */
export type JsonItem =
  | {
      readonly type: "value";
      readonly value: JsonValue;
      /** 1-based line, or 0-based element of the document. */
      readonly position: number;
    }
  | ImportProblem;

/** Says whether a file is one JSON document rather than JSONL: its first line is no complete value, or an array of records. */
function isOneDocument({ head }: ImportSource): boolean {
  const text = Buffer.from(head)
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart();
  const end = text.indexOf("\n");
  const firstLine = (end === -1 ? text : text.slice(0, end)).trim();
  if (firstLine.startsWith("[")) {
    // A line that is a list of messages is one conversation; a list of anything else is a document.
    return !/^\[\s*\{\s*"(?:role|content)"/.test(firstLine);
  }
  return (
    firstLine === "{" ||
    (end !== -1 && firstLine.startsWith("{") && !firstLine.endsWith("}") && /^\s+"/.test(text.slice(end + 1)))
  );
}

/**
 * Yields the records of a file that is JSONL, a JSON array of records, or one JSON record, whichever it is.
 *
 * @throws {TurnwiseError} (input) when the file cannot hold records, or a document cannot be read.
 */
export async function* readJsonItems(source: ImportSource): AsyncGenerator<JsonItem> {
  refuseUnusable(source);
  if (!isOneDocument(source)) {
    for await (const item of readJsonLines(source)) {
      yield item.type === "problem" ? item : { type: "value", value: item.value, position: item.line };
    }
    return;
  }
  const { value, problems } = await readJsonDocument(source);
  yield* problems;
  const records = Array.isArray(value) ? (value as readonly JsonValue[]) : [value]; // Array.isArray loses the element type
  for (const [position, record] of records.entries()) {
    yield isDeeperThan(record) ? refuseDeep(position) : { type: "value", value: record, position };
  }
}

/** A single JSON document and what was repaired to read it. */
export interface JsonDocument {
  readonly value: JsonValue;
  readonly problems: readonly ImportProblem[];
}

/** Longest text a JavaScript string can hold, in UTF-16 units (V8, 64 bit). */
const maxTextLength = 0x1fffffe8;

/**
 * Reads a file that is one JSON document, with the tolerance of {@linkcode parseTolerantJson}. An array that ends
 * early (still being written) gives its complete elements and the problem `torn_tail`.
 *
 * @throws {TurnwiseError} (input) when no document can be read.
 */
export async function readJsonDocument(source: ImportSource): Promise<JsonDocument> {
  refuseUnusable(source);
  const bytes = Buffer.from(await source.readAll());
  if (bytes.length > maxTextLength) {
    throw inputError(
      `Cannot read "${source.path}" as one JSON document: it has ${bytes.length} bytes, at most ${maxTextLength} are possible`,
      "Split it, or write one record a line",
    );
  }
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const { values, repairs, problem } = parseTolerantJson(bytes.subarray(start));
  const problems: ImportProblem[] = [];
  if (repairs.length > 0) {
    problems.push({
      type: "problem",
      severity: "repaired",
      problemClass: "repaired_json",
      message: repairs.join("; "),
    });
  }
  if (problem === undefined && values.length === 1) return { value: values[0], problems };
  if (problem === undefined && values.length > 1) {
    throw inputError(`Cannot read "${source.path}" as one JSON document: it holds ${values.length} documents`);
  }
  const elements = problem?.problemClass === "torn_line" ? parseTornArray(bytes.toString("utf8", start)) : undefined;
  if (elements === undefined) {
    throw inputError(`Cannot read "${source.path}" as JSON: ${problem?.message ?? "nothing was found in it"}`);
  }
  const message = `the array ends early after ${elements.length} complete elements; the file may still be written`;
  problems.push({
    type: "problem",
    severity: "skipped",
    problemClass: "torn_tail",
    message,
    position: elements.length,
  });
  return { value: elements, problems };
}
