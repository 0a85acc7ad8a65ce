import { parse } from "yaml";
import { z } from "zod";
import { errorMessage, inputError } from "../../core/index.js";
import type { PublishDocument } from "../document.js";
import { getCodeLines, listCodeSpans } from "./text/prose.js";

/** A decision to live with a finding. */
export interface LintWaiver {
  readonly rule: string;
  readonly reason: string;
  readonly by?: string;
  /** ISO date of the last day. */
  readonly expires?: string;
  /** Lines it covers, 1-based and inclusive; absent: the whole document. */
  readonly lines?: readonly [number, number];
  /** Words that the line of the finding must hold. */
  readonly text?: string;
  /** Id of the only document it covers. */
  readonly document?: string;
  /** Where it is written: a line of the document, or an entry of the waivers file. */
  readonly place: string;
  readonly line?: number;
}

const comment = /<!--\s*lint-allow\s+([a-z][\w.-]*)(?:\s+until\s+(\d{4}-\d{2}-\d{2}))?\s*(?::\s*([^]*?))?\s*-->/g;

/** Types that a comment above them covers as a whole. */
const leaves: ReadonlySet<string> = new Set([
  "code",
  "math",
  "table",
  "paragraph",
  "heading",
  "summary",
  "quote",
  "callout",
]);

/** Returns the lines that a comment covers: its own where it has text beside it, otherwise the block that follows. */
function findCovered(document: PublishDocument, line: number): readonly [number, number] {
  const rest = document.lines[line - 1].replace(comment, "").replace(/[\s>]/g, "");
  if (rest !== "") return [line, line];
  const next = document.lines.findIndex((text, i) => i >= line && text.replace(/<!--[^]*?-->|[\s>]/g, "") !== "") + 1;
  if (next === 0) return [line, line];
  const block = document.blocks.find(
    ({ type, lineStart, lineEnd }) => leaves.has(type) && lineStart <= next && lineEnd >= next && lineStart >= line,
  );
  return block === undefined ? [next, next] : [next, Math.max(next, block.lineEnd)];
}

/** Comments in code spans are shown, not meant. */
function listComments(text: string): RegExpExecArray[] {
  const spans = listCodeSpans(text);
  return [...text.matchAll(comment)].filter(({ index }) => !spans.some(({ from, to }) => index >= from && index < to));
}

/** Returns the waivers written in a document as comments `<!-- lint-allow rule: reason -->`. */
export function listInlineWaivers(document: PublishDocument): readonly LintWaiver[] {
  const isCode = getCodeLines(document);
  return document.lines.flatMap((text, i) =>
    isCode[i]
      ? []
      : listComments(text).map(([, rule, expires, reason = ""]) => ({
          rule,
          reason: reason.trim(),
          ...(expires === undefined ? {} : { expires }),
          lines: findCovered(document, i + 1),
          place: `line ${i + 1}`,
          line: i + 1,
        })),
  );
}

const date = z.union([
  z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  z.date().transform((value) => value.toISOString().slice(0, 10)),
]);
const entry = z.strictObject({
  rule: z.string(),
  reason: z.string().trim().min(1),
  by: z.string().optional(),
  expires: date.optional(),
  document: z.string().optional(),
  line: z.int().min(1).optional(),
  text: z.string().min(1).optional(),
});

/**
 * Returns the waivers of a YAML file: a list of `rule` and `reason` with optional `by`, `expires`, `document`, `line`
 * and `text`.
 *
 * @throws {TurnwiseError} (input) for text that is no such list; the message names the entry.
 */
export function parseWaivers(source: string, file: string): readonly LintWaiver[] {
  let value: unknown;
  try {
    value = parse(source);
  } catch (error) {
    throw inputError(`Cannot read waivers "${file}" as YAML: ${errorMessage(error).split("\n")[0]}`, undefined, error);
  }
  const result = z.array(entry).safeParse(value ?? []);
  if (!result.success) {
    const [{ path, message }] = result.error.issues;
    const where = path.length === 0 ? "the file" : `entry ${Number(path[0]) + 1}, "${path.slice(1).join(".")}"`;
    throw inputError(
      `Cannot use waivers "${file}": ${where}: ${message}`,
      "Write a list of entries with rule and reason, and where needed document, line, text, by and expires",
    );
  }
  return result.data.map(({ line, ...rest }, i) => ({
    ...rest,
    ...(line === undefined ? {} : { lines: [line, line] as const }),
    place: `${file}, entry ${i + 1}`,
  }));
}
