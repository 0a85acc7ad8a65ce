// internal
import type { Block, PublishDocument } from "../../document.js";

/** A stretch of a line, in UTF-16 units. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the code spans of a line: runs of backticks with their equals. */
export function listCodeSpans(line: string): Span[] {
  const spans: Span[] = [];
  for (const open of line.matchAll(/`+/g)) {
    const from = open.index;
    if (spans.some((span) => from >= span.from && from < span.to) || line[from - 1] === "\\") continue;
    const rest = line.slice(from + open[0].length);
    const close = new RegExp(`(?<!\`)\`{${open[0].length}}(?!\`)`).exec(rest);
    if (close !== null) spans.push({ from, to: from + open[0].length * 2 + close.index });
  }
  return spans;
}

function blank(line: string, { from, to }: Span): string {
  return line.slice(0, from) + " ".repeat(Math.max(0, to - from)) + line.slice(to);
}

/** What no reader sees as prose: comments, tags, targets of links, addresses, labels and attributes. */
const hidden = [
  /<!--[^]*?-->/g,
  /<\/?[a-zA-Z][^<>]*>/g,
  /(?<=\])\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+"[^"]*")?\)/g,
  /^\s*\[[^\]]+\]:\s*\S+.*$/g,
  /\bhttps?:\/\/[^\s)>\]，。；、）]+/g,
  /(?<=[\]$`*}]|\s)\{[#.][^{}]*\}/g,
];

/** Blanks code spans and formulas. */
function maskInline(line: string, formulas: readonly string[]): string {
  let masked = line;
  for (const span of listCodeSpans(line)) masked = blank(masked, span);
  let from = 0;
  for (const tex of formulas) {
    // A short formula such as `n` occurs in words too: only the place between delimiters counts.
    for (let at = masked.indexOf(tex, from); at >= 0; at = masked.indexOf(tex, at + 1)) {
      const before = /(\$+|\\\(|\\\[)\s*$/.exec(masked.slice(from, at));
      const after = /^\s*(\$+|\\\)|\\\])/.exec(masked.slice(at + tex.length));
      if (before === null || after === null) continue;
      const to = at + tex.length + after[0].length;
      masked = blank(masked, { from: from + before.index, to });
      from = to;
      break;
    }
  }
  return masked;
}

function maskHidden(line: string): string {
  return hidden.reduce((masked, form) => masked.replace(form, (text) => " ".repeat(text.length)), line);
}

/** Types whose whole source is no prose. */
const opaque: ReadonlySet<Block["type"]> = new Set(["code", "math", "html"]);

interface Masks {
  /** Without code and maths: what splits into table cells. */
  readonly inline: readonly string[];
  readonly prose: readonly string[];
}

const known = new WeakMap<PublishDocument, Masks>();

function getMasks(document: PublishDocument): Masks {
  const cached = known.get(document);
  if (cached !== undefined) return cached;
  const formulas = new Map<number, string[]>();
  for (const { line, tex } of document.inlineMath) formulas.set(line, [...(formulas.get(line) ?? []), tex]);
  const inline = document.lines.map((line, i) =>
    i + 1 < document.bodyLine ? "" : maskInline(line, formulas.get(i + 1) ?? []),
  );
  for (const { type, lineStart, lineEnd, source } of document.blocks) {
    if (!opaque.has(type) || (type === "html" && !source.startsWith("<!--"))) continue;
    for (let line = lineStart; line <= lineEnd; line += 1) inline[line - 1] = "";
  }
  const masks = { inline, prose: inline.map(maskHidden) };
  known.set(document, masks);
  return masks;
}

/** Returns the lines of a document with front matter, code and maths replaced by spaces, places kept. */
export function getUncodedLines(document: PublishDocument): readonly string[] {
  return getMasks(document).inline;
}

/** Returns the lines of a document with everything that is no prose replaced by spaces: also tags, comments and targets of links. */
export function getProse(document: PublishDocument): readonly string[] {
  return getMasks(document).prose;
}

/** Returns whether each line belongs to a code block, by index. */
export function getCodeLines(document: PublishDocument): readonly boolean[] {
  const isCode = document.lines.map((_, i) => i + 1 < document.bodyLine);
  for (const { type, lineStart, lineEnd } of document.blocks)
    if (type === "code") isCode.fill(true, lineStart - 1, lineEnd);
  return isCode;
}

/** A match in the prose of a document. */
export interface ProseMatch {
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly groups: readonly (string | undefined)[];
  /** The sentence around the match, masked, and as written. */
  readonly sentence: string;
  readonly source: string;
}

const sentenceEnd = /[.!?](?=\s|$|["”')\]])|[。！？；]/g;

function findSentence(line: string, at: number): Span {
  let [from, to] = [0, line.length];
  for (const { index } of line.matchAll(sentenceEnd)) {
    if (index < at) from = index + 1;
    else {
      to = index + 1;
      break;
    }
  }
  return { from, to };
}

/** Returns every match of a pattern (flag `g`) in the prose, line by line. */
export function matchProse(document: PublishDocument, pattern: RegExp): ProseMatch[] {
  return getProse(document).flatMap((line, i) =>
    [...line.matchAll(pattern)].map((match) => {
      const { from, to } = findSentence(line, match.index);
      return {
        line: i + 1,
        column: match.index,
        text: match[0],
        groups: match.slice(1),
        sentence: line.slice(from, to),
        source: document.lines[i].slice(from, to),
      };
    }),
  );
}
