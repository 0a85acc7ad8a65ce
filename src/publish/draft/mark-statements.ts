import type { Block, PublishDocument } from "../document.js";

/** Blocks whose text states something. */
const stating: ReadonlySet<string> = new Set([
  "paragraph",
  "item",
  "table",
  "math",
  "definition",
  "footnote",
  "figure",
]);

/** What ends with a point and no sentence. */
const abbreviation =
  /(?:\b(?:e\.g|i\.e|et al|etc|cf|vs|Fig|Eq|Sec|Tab|No|approx|resp|Dr|Prof|Mr|Ms|St)|\b\p{Lu}|^\s*(?:>\s*)*\d+)\.$/u;

/** What sentences do not end in: code, formulas, links, attributes, comments, addresses. */
const closed =
  /`+[^`]*`+|\$\$[\s\S]*?\$\$|\$[^$\n]*\$|\\\([\s\S]*?\\\)|!?\[[^\]\n]*\]\([^)\n]*\)|\[[^\]\n]*\]\{[^}\n]*\}|<!--[\s\S]*?-->|<[^>\n]*>|https?:\S+/g;

/** A marker, or a span that says of itself how sure it is. */
const marked = /needs[-_ ]verify|\{[^}\n]*\.(?:speculative|undisclosed|hedged|needs-verify)\b[^}\n]*\}/i;

const marker = "[needs-verify]";

/** Returns the offsets in a block's source after which a marker belongs. */
function listEnds(source: string): number[] {
  const masked = source.replace(closed, (text) => text.replace(/[^\n]/g, "x"));
  const ends: number[] = [];
  let start = 0;
  const close = (end: number): void => {
    const text = source.slice(start, end);
    const after = /^\s*\[needs-verify/i.test(source.slice(end));
    const isStatement = /[\p{L}\p{N}]{2}/u.test(masked.slice(start, end)) && !/[?？]["'”’)\]]*\s*$/u.test(text);
    if (isStatement && !marked.test(text) && !after) ends.push(end);
    start = end;
  };
  for (const match of masked.matchAll(/[.!?](?:["'”’)*_]*)(?=\s|$)|[。！？](?:["'”’）」』*_]*)/gu)) {
    const end = match.index + match[0].length;
    if (match[0].startsWith(".") && abbreviation.test(masked.slice(start, match.index + 1))) continue;
    close(end);
  }
  const rest = source.trimEnd().length;
  if (source.slice(start, rest).trim() !== "") close(rest);
  return ends;
}

function markText(source: string): string {
  return listEnds(source).reduceRight((text, end) => `${text.slice(0, end)} ${marker}${text.slice(end)}`, source);
}

/** Leads of a quoted or listed line, which a marker after a table or formula repeats. */
function getLead(line: string): string {
  return /^(?:\s*>)*\s*/.exec(line)?.[0] ?? "";
}

/** Returns the lines of a block with its markers. */
function markBlock({ type, source }: Block, lines: readonly string[], following: readonly string[]): readonly string[] {
  if (type === "table" || type === "math") {
    const what = type === "table" ? "the cells of this table" : "this formula";
    const lead = getLead(lines[0] ?? "");
    const next = following.find((line) => line.replace(/^[\s>]+/, "") !== "") ?? "";
    const isMarked = marked.test(source) || /^[\s>]*\[needs-verify/.test(next);
    return isMarked ? lines : [...lines, lead.trimEnd(), `${lead}[needs-verify: ${what}]`];
  }
  return markText(lines.join("\n")).split("\n");
}

/**
 * Returns the text with a marker after every statement that has none and does not say how sure it is: sentences of
 * prose, tables, formulas. Headings, questions, code and what the author marked stay as they are. Nobody has looked
 * anything up when a draft comes in, so nothing is left out for sounding sure.
 */
export function markStatements({ blocks, lines }: PublishDocument): string {
  const containers = new Set(blocks.map(({ parent }) => parent));
  const leaves = blocks.filter(({ id, type }) => stating.has(type) && !containers.has(id));
  const result = [...lines];
  for (const block of [...leaves].sort((a, b) => b.lineStart - a.lineStart)) {
    const own = result.slice(block.lineStart - 1, block.lineEnd);
    result.splice(block.lineStart - 1, own.length, ...markBlock(block, own, result.slice(block.lineEnd)));
  }
  return result.join("\n");
}
