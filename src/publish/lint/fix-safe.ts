import type { PublishDocument } from "../document.js";
import { parseDocument } from "../parse/parse-document.js";
import { getCodeLines } from "./text/prose.js";

/** One line that a safe fix changes. */
export interface SafeEdit {
  /** 1-based. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** What the safe fixes make of a document. */
export interface SafeFix {
  readonly source: string;
  readonly edits: readonly SafeEdit[];
}

/** Bars in formulas of a table row, as commands that look the same. */
function fixTableRow(line: string, formulas: readonly string[]): string {
  return formulas.reduce((text, tex) => {
    const fixed = tex
      .replace(/\\\|/g, "\\Vert ")
      .replace(/(?<!\\)\|/g, "\\vert ")
      .replace(/(\\[vV]ert) +(?=[^A-Za-z ])/g, "$1 ");
    return fixed === tex ? text : text.replace(`$${tex}$`, () => `$${fixed.trimEnd()}$`);
  }, line);
}

/** Blanks at the end of a line, where they are no hard break. */
function fixBlanks(line: string, isLast: boolean): string {
  const isBreak = /\S {2,}$/.test(line) && !isLast && !/^\s*(?:#{1,6}\s|\|)/.test(line);
  return isBreak ? line : line.replace(/[ \t\u3000]+$/, "");
}

/** The visible text of every block, blanks and forms of bars evened out: what a safe fix must not change. */
function getMeaning({ blocks }: PublishDocument): string {
  return JSON.stringify(
    blocks.map(({ type, text, code, depth, start, itemCount, rows }) => {
      const words =
        type === "code"
          ? code
          : text
              .replace(/\\\||\\Vert\s*/g, "‖")
              .replace(/\\vert\s*/g, "|")
              .replace(/\s+/g, " ")
              .trim();
      const cells = rows?.map((row) => row.length);
      return [type, words, depth, start, itemCount, cells];
    }),
  );
}

function fixLine(document: PublishDocument, i: number, isCode: boolean, formulas: readonly string[]): string {
  const line = document.lines[i];
  if (isCode) return line;
  const isTable = formulas.length > 0;
  return fixBlanks(isTable ? fixTableRow(line, formulas) : line, (document.lines[i + 1] ?? "").trim() === "");
}

/**
 * Returns a document with its safe faults mended: blanks at the ends of lines (hard breaks kept), the missing space
 * after `##`, pipes in formulas of tables, a missing line break at the end of the file. Code, maths outside tables and
 * front matter stay as they are, and a line that would read differently afterwards is left alone.
 */
export function fixSafely(document: PublishDocument): SafeFix {
  const { lines, source, blocks, inlineMath, file } = document;
  const isCode = getCodeLines(document);
  const tables = blocks.filter(({ type }) => type === "table");
  const isMath = lines.map((_, i) =>
    blocks.some(({ type, lineStart, lineEnd }) => type === "math" && lineStart <= i + 1 && lineEnd >= i + 1),
  );
  const edits = lines.flatMap((before, i): SafeEdit[] => {
    const inTable = tables.some(({ lineStart, lineEnd }) => lineStart <= i + 1 && lineEnd >= i + 1);
    const formulas = inTable ? inlineMath.filter(({ line }) => line === i + 1).map(({ tex }) => tex) : [];
    const fixed = isMath[i] ? before : fixLine(document, i, isCode[i], formulas);
    // The line becomes a heading, which is what its author wrote; everything else must read as before.
    const after = isCode[i] || isMath[i] ? fixed : fixed.replace(/^(#{2,6})(?=[^\s#])/, "$1 ");
    return before === after ? [] : [{ line: i + 1, before, after }];
  });
  const separators = source.match(/\r\n|\n|\r/g) ?? [];
  const render = (applied: readonly SafeEdit[]): string => {
    const byLine = new Map(applied.map(({ line, after }) => [line, after]));
    const text = lines.map((line, i) => (byLine.get(i + 1) ?? line) + (separators[i] ?? "")).join("");
    return text === "" || /[\r\n]$/.test(text) ? text : `${text}\n`;
  };
  const isHeadingFix = ({ before, after }: SafeEdit): boolean => /^#{2,6}[^\s#]/.test(before) && /^#{2,6} /.test(after);
  // What is compared is the document as its author meant it: with the headings that lacked a space.
  const headings = edits.filter(isHeadingFix);
  const meaning = getMeaning(parseDocument(render(headings), { file }));
  const isSame = (applied: readonly SafeEdit[]): boolean =>
    getMeaning(parseDocument(render(applied), { file })) === meaning;
  const kept = isSame(edits) ? edits : edits.filter((edit) => isHeadingFix(edit) || isSame([...headings, edit]));
  return { source: render(kept), edits: kept };
}

/** Returns the edits as a unified diff without context; empty text for none. */
export function renderFixDiff(file: string, { edits }: SafeFix): string {
  if (edits.length === 0) return "";
  const parts = edits.map(({ line, before, after }) => `@@ -${line} +${line} @@\n-${before}\n+${after}`);
  return [`--- ${file}`, `+++ ${file}`, ...parts, ""].join("\n");
}
