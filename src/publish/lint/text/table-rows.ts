// internal
import type { Block, PublishDocument } from "../../document.js";
import { getUncodedLines } from "./prose.js";

/** One row of a table as written. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Splits a row at the pipes that are neither escaped nor inside code or maths. */
function splitRow(line: string, masked: string): string[] {
  const cells: string[] = [];
  let from = 0;
  for (let i = 0; i <= line.length; i += 1) {
    if (i < line.length && (masked[i] !== "|" || masked[i - 1] === "\\")) continue;
    cells.push(line.slice(from, i).trim());
    from = i + 1;
  }
  if (/^\s*\|/.test(masked)) cells.shift();
  if (/\|\s*$/.test(masked)) cells.pop();
  return cells;
}

/** Returns the rows of a table without the line of dashes; marks of quotes around it are dropped. */
export function listTableRows(document: PublishDocument, { lineStart, lineEnd }: Block): readonly TableRow[] {
  const masked = getUncodedLines(document);
  const rows: TableRow[] = [];
  for (let line = lineStart; line <= lineEnd; line += 1) {
    const quote = /^[\s>]*/.exec(masked[line - 1] ?? "")?.[0].length ?? 0;
    const [text, mask] = [document.lines[line - 1].slice(quote), (masked[line - 1] ?? "").slice(quote)];
    if (line !== lineStart + 1 && mask.includes("|")) rows.push({ line, cells: splitRow(text, mask) });
  }
  return rows;
}
