import { sha256 } from "../../../core/index.js";
import type { AuditFile } from "../audit-file.js";

/** An old record or part of one. */
export type LegacyRecord = Readonly<Record<string, unknown>>;

/** Says whether a value is a record. */
export function isLegacyRecord(value: unknown): value is LegacyRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Splits at a separator that stands outside brackets, code and formulas. */
function splitOutside(text: string, isSeparator: (at: number) => number): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let fence = "";
  for (let at = 0; at < text.length; at += 1) {
    const symbol = text[at];
    if (fence !== "") {
      if (symbol === fence) fence = "";
      continue;
    }
    const length = depth === 0 ? isSeparator(at) : 0;
    if (length > 0) {
      parts.push(text.slice(start, at));
      at += length - 1;
      start = at + 1;
    } else if (symbol === "`" || symbol === "$") fence = symbol;
    else if ("([{（".includes(symbol)) depth += 1;
    else if (")]}）".includes(symbol)) depth = Math.max(0, depth - 1);
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== "");
}

/** Returns the items of a sentence that lists several: parts between semicolons (`TL;DR` is one word), and parts lettered (a), (b). */
export function splitLegacyList(text: string): string[] {
  return splitOutside(text, (at) => (text[at] === "；" || /^;\s/.test(text.slice(at, at + 2)) ? 1 : 0)).flatMap(
    (part) => {
      const marks = [...part.matchAll(/(?:^|\s)\(?([a-z])\)\s+/g)];
      const isLettered =
        marks.length > 1 && marks.every(([, letter], index) => letter === String.fromCharCode(97 + index));
      if (!isLettered) return [part];
      const head = part.slice(0, marks[0].index).trim();
      const items = marks.map(({ index, 0: mark }, order) =>
        part.slice(index + mark.length, marks[order + 1]?.index).trim(),
      );
      return items
        .map((item) => (head === "" ? item : `${head} ${item}`))
        .map((item) => item.replace(/[,，、]\s*(?:and)?$/, ""));
    },
  );
}

/** Returns the texts a field holds: each item of a list, the parts of a text, nothing for anything absent. */
export function readLegacyTexts(value: unknown): string[] {
  if (typeof value === "string") return splitLegacyList(value);
  if (Array.isArray(value))
    return value.flatMap((item: unknown) => {
      if (item === null || item === undefined) return [];
      return [typeof item === "string" ? item : JSON.stringify(item)];
    });
  return isLegacyRecord(value) ? [JSON.stringify(value)] : [];
}

/** Returns the texts of all fields whose names the pattern takes, in the order of the record. */
export function collectLegacyTexts(record: LegacyRecord, names: RegExp): string[] {
  return Object.entries(record).flatMap(([name, value]) => (names.test(name) ? readLegacyTexts(value) : []));
}

/** Returns the section or question a text speaks of, e.g. `§6.8` or `Q21`. */
export function findLegacySection(text: string): string | undefined {
  return /§\s?[\dA-Z]+(?:\.\d+)*|\bQ\d+\b/.exec(text)?.[0].replace(/\s/, "");
}

/** Wordings of under this length would be met by chance. */
const minLegacyWording = 5;

/** Returns the old and new wordings that a text like `'X' → 'Y'` or `` `a` → `b` `` quotes. */
export function readReplacement(text: string): { readonly before: string[]; readonly after: string } {
  const quoted = `'([^']+)'|"([^"]+)"|“([^”]+)”|\`([^\`]+)\``;
  const pairs = [...text.matchAll(new RegExp(`(?:${quoted})\\s*(?:→|->|⇒)\\s*(?:应是\\s*)?(?:${quoted})`, "g"))];
  const before = pairs.map((groups) => groups.slice(1, 5).find((group) => group !== undefined) ?? "");
  const after = pairs.map((groups) => groups.slice(5, 9).find((group) => group !== undefined) ?? "");
  return {
    before: [...new Set(before)].filter((words) => words.length >= minLegacyWording),
    after: after.length === 0 ? text : after.join("; "),
  };
}

const stateWords: readonly (readonly [RegExp, AuditFile["needs_verify"][number]["state"]])[] = [
  [/^(?:PARTIAL\s+)?FAIL|^PARTIAL|^CORRECTED|^FIXED|^WRONG|^REPLACED/i, "corrected"],
  [/^VERIFIED|^CONFIRMED|^RESOLVED|^OK\b|^PASS/i, "verified"],
  [/^HEDGED|^SOFTENED/i, "hedged"],
  [/^REMOVED|^DELETED|^DROPPED/i, "removed"],
];

/** Returns an entry of the ledger for an old line `what: STATE (remark)`; a line without a known word stays open. */
export function readLegacyNeedsVerify(text: string, date: string): AuditFile["needs_verify"][number] {
  const [, question = text, rest = text] = /^(.*?):\s+(.*)$/s.exec(text) ?? [];
  const state =
    [rest, text].flatMap((words) => stateWords.filter(([pattern]) => pattern.test(words)).map(([, each]) => each))[0] ??
    "open";
  const source = /\d{4}\.\d{4,5}/.exec(text)?.[0];
  return {
    id: `nv-${sha256(text).slice(0, 10)}`,
    location: {},
    text,
    question,
    state,
    is_marked: false,
    evidence:
      state === "open"
        ? []
        : [{ source: source === undefined ? "not recorded" : `arXiv ${source}`, quote: rest, looked_up_at: date }],
  };
}
