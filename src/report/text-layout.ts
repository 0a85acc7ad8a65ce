// internal
import { cleanText, cutText } from "../page/index.js";

/** East Asian wide and fullwidth blocks and emoji, which take two columns. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Returns how many terminal columns a text takes, roughly: combining marks none, wide characters two. */
export function countColumns(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (/\p{Mn}|\p{Me}|\u200d/u.test(character)) continue;
    columns += wide.test(character) ? 2 : 1;
  }
  return columns;
}

/** Makes a text one clean line of at most `width` columns, with an ellipsis where it was cut. */
export function fitText(text: string, width: number): string {
  const clean = cleanText(text).replace(/\s+/g, " ").trim();
  if (countColumns(clean) <= width) return clean;
  let kept = "";
  for (const character of clean) {
    if (countColumns(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Breaks a text into lines of at most `width` columns; a longer word is cut. Lines after the first are indented. */
export function wrapText(text: string, width: number, indent = ""): string[] {
  const lines: string[] = [];
  let line = "";
  const limit = () => width - (lines.length > 0 ? indent.length : 0);
  for (const word of cleanText(text)
    .split(/[ \t\n]+/)
    .filter((part) => part !== "")) {
    let rest = word;
    while (rest !== "") {
      const joined = line === "" ? rest : `${line} ${rest}`;
      if (countColumns(joined) <= limit()) {
        line = joined;
        break;
      }
      if (line !== "") {
        lines.push(line);
        line = "";
        continue;
      }
      // Half the columns' worth, since every character may take two; a pair is never split.
      const piece = cutText(rest, Math.max(2, Math.floor(limit() / 2)));
      line = piece;
      rest = rest.slice(piece.length);
    }
  }
  if (line !== "") lines.push(line);
  // No-break spaces have done their work.
  return lines.map((content, index) => (index === 0 ? content : indent + content).replaceAll("\u00a0", " "));
}

/** One column of a terminal table. */
export interface TextColumn {
  readonly head: string;
  /** Default right; the first column is always left. */
  readonly align?: "left" | "right";
}

function pad(text: string, width: number, align: "left" | "right"): string {
  const space = " ".repeat(Math.max(0, width - countColumns(text)));
  return align === "left" ? text + space : space + text;
}

/** Changes a padded cell, for colour; must not change what is visible. */
export type DecorateCell = (cell: string, row: number, column: number) => string;

/** Options of {@linkcode layOutTable}. */
export interface LayOutTableOptions {
  /** Columns of the terminal. */
  readonly width: number;
  readonly decorate?: DecorateCell;
}

const gap = "  ";

/** Returns the fewest columns, at least twelve, in which names that differ still differ when they are cut. */
function findLeastWidth(names: readonly string[]): number {
  const longest = Math.max(12, ...names.map(countColumns));
  const count = new Set(names).size;
  let least = 12;
  while (least < longest && new Set(names.map((name) => fitText(name, least))).size < count) least += 1;
  return least;
}

/**
 * Lays out a table within `width` columns. The first column names the row: it gives way first, down to twelve
 * columns and only as far as names stay different; columns that still do not fit follow in a further table with the first column again.
 */
export function layOutTable(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
  { width, decorate = (cell) => cell }: LayOutTableOptions,
): string[] {
  const cells = rows.map((row) => row.map((cell) => fitText(cell, width)));
  const widths = columns.map((column, index) =>
    Math.max(countColumns(column.head), ...cells.map((row) => countColumns(row[index] ?? ""))),
  );
  const others = widths.slice(1);
  const total = others.reduce((sum, part) => sum + part + gap.length, 0);
  const names = cells.map((row) => row[0] ?? "");
  const room = width - total;
  const broken = Math.max(12, Math.min(Math.floor(width / 2), width - gap.length - Math.max(0, ...others)));
  // A table that must be broken anyway has room for its names.
  const first = Math.min(widths[0] ?? 0, room >= findLeastWidth(names) ? room : broken);
  const chunks: number[][] = [[]];
  let used = first;
  for (const [offset, columnWidth] of others.entries()) {
    if (used + gap.length + columnWidth > width && chunks.at(-1)?.length !== 0) {
      chunks.push([]);
      used = first;
    }
    chunks.at(-1)?.push(offset + 1);
    used += gap.length + columnWidth;
  }
  const writeRow = (row: readonly string[], chunk: readonly number[], rowIndex: number): string => {
    const head = pad(fitText(row[0] ?? "", first), first, "left");
    const rest = chunk.map((index) => {
      const padded = pad(row[index] ?? "", widths[index] ?? 0, columns[index]?.align ?? "right");
      return rowIndex < 0 ? padded : decorate(padded, rowIndex, index);
    });
    return [head, ...rest].join(gap).trimEnd();
  };
  const heads = columns.map((column) => column.head);
  return chunks.flatMap((chunk, index) => [
    ...(index > 0 ? [""] : []),
    writeRow(heads, chunk, -1),
    ...cells.map((row, rowIndex) => writeRow(row, chunk, rowIndex)),
  ]);
}
