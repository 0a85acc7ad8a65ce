import { isAscii, isUtf8 } from "node:buffer";
import type { JsonValue } from "../../core/index.js";
import { LooseParser, LooseSyntaxError, type Leniency } from "./loose-parser.js";

/** What was read from a text that should be JSON. */
export interface TolerantJson {
  /** The values found, normally one; two when two records share a line. */
  readonly values: readonly JsonValue[];
  /** What had to be repaired to read them; empty for clean JSON. */
  readonly repairs: readonly string[];
  /** What could not be read, if anything. */
  readonly problem?: { readonly problemClass: "torn_line" | "not_json"; readonly message: string };
}

const leniencyNotes: { readonly [leniency in Leniency]: string } = {
  non_finite_number: "NaN or an infinite number, kept as a tagged value",
  python_literal: "Python literals instead of JSON, translated",
  big_integer: "an integer beyond 2^53, kept as text so that no digit is lost",
  control_character: "control characters inside a string, kept",
};

// Strict JSON can still carry numbers that a double cannot: long integers, and exponents that overflow. The first
// pattern is quick and almost never matches; the second decides.
const longDigits = /\d{16}/;
const unsafeInteger = /(?:^|[[:,\s])-?\d{16,}(?=\s*(?:[,\]}]|$))/;
const bigExponent = /\d[eE]\+?\d{3}/;

/** Bytes ED A0..BF xx are a lone surrogate written as UTF-8 would write it if it could (WTF-8). */
function decodeDamaged(bytes: Buffer): { readonly text: string; readonly repair: string } {
  let text = "";
  let start = 0;
  for (let i = bytes.indexOf(0xed); i !== -1 && i + 2 < bytes.length; i = bytes.indexOf(0xed, i + 1)) {
    if (bytes[i + 1] < 0xa0) continue;
    text += bytes.toString("utf8", start, i);
    text += String.fromCharCode(0xd000 | ((bytes[i + 1] & 0x3f) << 6) | (bytes[i + 2] & 0x3f));
    start = i + 3;
  }
  text += bytes.toString("utf8", start);
  const isLossy = text.includes("\ufffd") && !bytes.includes("\ufffd");
  return {
    text,
    repair: isLossy ? "bytes that are not UTF-8, replaced by U+FFFD" : "lone surrogates written as bytes, kept",
  };
}

/** Returns the values from the last place where a new record begins like the line itself, after a torn one. */
function findRecordAfterTear(text: string): TolerantJson | undefined {
  const opening = /^\s*(\{\s*"[^"]{1,80}"\s*:)/.exec(text)?.[1];
  if (opening === undefined) return undefined;
  const at = text.lastIndexOf(opening);
  // After one of these the object belongs to the torn record itself.
  if (at <= text.indexOf(opening) || /[:,[]\s*$/.test(text.slice(Math.max(0, at - 80), at))) return undefined;
  const rest = readLoosely(text.slice(at));
  return rest.problem === undefined ? rest : undefined;
}

function readLoosely(text: string): TolerantJson {
  const parser = new LooseParser(text);
  const values: JsonValue[] = [];
  let problem: TolerantJson["problem"];
  try {
    while (!parser.isAtEnd()) values.push(parser.readValue());
  } catch (error) {
    if (!(error instanceof LooseSyntaxError)) throw error;
    const where = `${error.message} (character ${error.at + 1} of ${text.length})`;
    problem = error.isCutShort
      ? { problemClass: "torn_line", message: `the record is cut short: ${where}` }
      : { problemClass: "not_json", message: `not JSON: ${where}` };
  }
  const repairs = [...parser.leniencies].map((leniency) => leniencyNotes[leniency]);
  // Words that happen to stand before the fault are no records.
  const kept = problem === undefined ? values : values.filter((value) => typeof value === "object" && value !== null);
  if (kept.length > 1) repairs.push(`${kept.length} records on one line`);
  return { values: kept, repairs, problem };
}

function readText(text: string): TolerantJson {
  const loose = readLoosely(text);
  if (loose.problem === undefined || loose.values.length > 0) return loose;
  const rescued = findRecordAfterTear(text);
  if (rescued === undefined) return loose;
  return {
    ...rescued,
    problem: { problemClass: "torn_line", message: "a record is cut short and the next one follows on the same line" },
  };
}

/**
 * Reads JSON from one line or one document, with tolerance: strict JSON first, then `NaN` and infinite numbers (kept
 * as tags), Python literals, several records on one line, bytes that are not UTF-8. Never throws for bad text: what
 * cannot be read is the `problem`; `torn_line` means that the text ends inside a value.
 *
 * @example
 * parseTolerantJson('{"reward": NaN}').values; // [{ reward: { $number: "NaN" } }]
 */
export function parseTolerantJson(input: string | Uint8Array): TolerantJson {
  let text: string;
  let repair: string | undefined;
  if (typeof input === "string") text = input;
  else {
    const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
    if (isAscii(bytes)) text = bytes.toString("latin1");
    else if (isUtf8(bytes)) text = bytes.toString("utf8");
    else ({ text, repair } = decodeDamaged(bytes));
  }
  const result = parseText(text);
  if (repair === undefined) return result;
  return { ...result, repairs: [repair, ...result.repairs] };
}

function parseText(text: string): TolerantJson {
  try {
    const value = JSON.parse(text) as JsonValue; // JSON.parse returns nothing else
    const isExact = !(longDigits.test(text) && unsafeInteger.test(text)) && !bigExponent.test(text);
    return isExact ? { values: [value], repairs: [] } : readText(text);
  } catch {
    return readText(text);
  }
}

/**
 * Returns the complete elements of a JSON array whose text ends early, or `undefined` if the text is something else.
 */
export function parseTornArray(text: string): readonly JsonValue[] | undefined {
  const parser = new LooseParser(text);
  try {
    parser.readValue();
    return undefined;
  } catch (error) {
    return error instanceof LooseSyntaxError && error.isCutShort ? parser.completeElements : undefined;
  }
}
