// internal
import { bareCitation, parseAttributes, parseCitations } from "./attributes.js";
import { pairDollars, type DollarPair } from "./dollars.js";
import { skipCode } from "./line-tracker.js";
import type { TokenContent } from "./tokens.js";

/** A token of a stretch of text, by its offsets there. */
export interface FoundToken {
  readonly start: number;
  readonly end: number;
  readonly content: TokenContent;
  /** Where it stands: in the line, on a line of its own, or around a summary. */
  readonly place: "inline" | "block" | "summary_open" | "summary_close";
}

/** What the scan looks for beside what is looked for everywhere. */
export interface ScanOptions {
  /** Cells end at pipes: no blocks inside, pipes of code are kept. */
  readonly isTableRow: boolean;
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly isCode: boolean;
}

/** What code, escapes, addresses and link targets begin with. */
const inertBeginning = /[\\`<\]hH]/g;
const autolink = /<[a-z][a-z0-9+.-]{1,31}:[^\s<>]*>/iy;
const address = /https?:\/\/[\x21\x23\x25-\x3b\x3d\x3f-\x5b\x5d-\x5f\x61-\x7b\x7d\x7e]+/iy;
const destination = /\]\((?:[^()\s\\]|\\.|\([^()\s]*\))*/y;

function findInertStart(text: string, from: number): number {
  inertBeginning.lastIndex = from;
  return inertBeginning.exec(text)?.index ?? text.length;
}

/** Returns code spans, addresses and link targets: dollars and brackets in them mean nothing. */
function findInert(text: string): Range[] {
  const ranges: Range[] = [];
  for (let at = findInertStart(text, 0); at < text.length;) {
    const character = text[at];
    let next = at + 1;
    let isCode = false;
    if (character === "\\") next = at + 2;
    else if (character === "`") {
      const code = skipCode(text, at, text.length);
      ({ next, isCode } = code);
    } else {
      const pattern = character === "<" ? autolink : character === "]" ? destination : address;
      pattern.lastIndex = at;
      const found = pattern.exec(text)?.[0];
      if (found !== undefined) next = at + found.length;
      // The bracket itself still closes what it closes.
      if (found !== undefined) ranges.push({ start: character === "]" ? at + 1 : at, end: next, isCode: false });
    }
    if (isCode) ranges.push({ start: at, end: next, isCode: true });
    at = findInertStart(text, next);
  }
  return ranges;
}

/** Returns the dollar formulas of every line of `text` by their start. */
function findDollars(text: string, inert: readonly Range[]): Map<number, DollarPair> {
  const pairs = new Map<number, DollarPair>();
  if (!text.includes("$")) return pairs;
  let runs: { at: number; length: number }[] = [];
  let range = 0;
  const flush = (): void => {
    for (const pair of pairDollars(text, runs)) pairs.set(pair.start, pair);
    runs = [];
  };
  for (let at = 0; at < text.length;) {
    while (range < inert.length && inert[range].end <= at) range += 1;
    if (range < inert.length && inert[range].start <= at) {
      at = inert[range].end;
      continue;
    }
    const character = text[at];
    if (character === "\n") flush();
    if (character === "$") {
      let length = 0;
      while (text[at + length] === "$") length += 1;
      if (length <= 2) runs.push({ at, length });
      at += length;
    } else at += character === "\\" && text[at + 1] !== "\n" ? 2 : 1;
  }
  flush();
  return pairs;
}

const blockTag = /<(\/?)(details|figure|figcaption|summary)(\s[^<>]*)?>/iy;
const claim = /\[\[(c:[\w.:-]+)\]\]/y;
const reference = /\[#([\p{L}\p{N}_][\p{L}\p{N}_:.-]*)\](?![([{])/uy;
const citation = /\[([^[\]@\n]*@[^[\]\n]*)\](?![([{])/y;
const braces = /\{((?:[^{}"\n]|"[^"\n]*")*)\}/y;
const label = /\{#[^{}\n]*\}/y;
const arxiv = /arXiv(?:\s*[:：]\s*|\s+)(\d{4}\.\d{4,5})(?:v\d+)?(?!\d)/iy;
const bareArxiv = /(?:0[7-9]|[12]\d|3[0-5])(?:0[1-9]|1[0-2])\.\d{5}(?:v\d+)?(?![\d.]*\d)/y;
const doi = /10\.\d{4,9}\/[^\s"'<>，。；、（）\uE000-\uF8FF|`$]*[A-Za-z0-9]/y;

/** Returns every token of a stretch of text that lies within one paragraph, heading or table row. */
export function scanInline(text: string, { isTableRow }: ScanOptions): FoundToken[] {
  const inert = findInert(text);
  const dollars = findDollars(text, inert);
  const found: FoundToken[] = [];
  const brackets: number[] = [];
  let range = 0;
  const add = (start: number, end: number, content: TokenContent, place: FoundToken["place"] = "inline"): number => {
    found.push({ start, end, content, place });
    return end;
  };
  for (let at = 0; at < text.length;) {
    while (range < inert.length && inert[range].end <= at) range += 1;
    if (range < inert.length && inert[range].start <= at) {
      const { start, end, isCode } = inert[range];
      if (isCode && isTableRow) keepPipes(text, start, end, add);
      at = end;
      continue;
    }
    const pair = dollars.get(at);
    if (pair !== undefined) {
      const size = pair.isDisplay ? 2 : 1;
      const tex = text.slice(at + size, pair.end - size).trim();
      at = add(at, pair.end, { kind: "math", isDisplay: pair.isDisplay, tex });
      continue;
    }
    at = scanCharacter(text, at, isTableRow, brackets, add);
  }
  return found.sort((a, b) => a.start - b.start);
}

type AddToken = (start: number, end: number, content: TokenContent, place?: FoundToken["place"]) => number;

function keepPipes(text: string, start: number, end: number, add: AddToken): void {
  for (const { index, 0: pipe } of text.slice(start, end).matchAll(/\\?\|/g)) {
    add(start + index, start + index + pipe.length, { kind: "literal", text: "|" });
  }
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** Handles what begins at `at` and returns where to go on. */
function scanCharacter(text: string, at: number, isTableRow: boolean, brackets: number[], add: AddToken): number {
  const character = text[at];
  switch (character) {
    case "\\":
      return scanBackslash(text, at, add);
    case "<":
      return scanTag(text, at, isTableRow, add);
    case "[":
      return scanBracket(text, at, brackets, add);
    case "]":
      return closeBracket(text, at, brackets, add);
    case "{": {
      const found = match(label, text, at);
      const attributes = found === undefined ? undefined : parseAttributes(found[0].slice(1, -1));
      return found === undefined || attributes?.id === undefined
        ? at + 1
        : add(at, at + found[0].length, { kind: "label", attributes });
    }
    case "@": {
      const found = /[A-Za-z0-9_@.`/]/.test(text[at - 1] ?? "") ? undefined : match(bareCitation, text, at);
      if (found === undefined) return at + 1;
      return add(at, at + found[0].length, { kind: "citation", items: [{ key: found[1] ?? "" }], isBare: true });
    }
    default:
      return scanId(text, at, add);
  }
}

/** Looks for `\(…\)` and `\[…\]`; any other backslash escapes the next character. */
function scanBackslash(text: string, at: number, add: AddToken): number {
  const opener = text[at + 1];
  if (opener !== "(" && opener !== "[") return at + 2;
  const line = text.indexOf("\n", at);
  const end = line < 0 ? text.length : line;
  const mark = opener === "(" ? "\\)" : "\\]";
  for (let index = at + 2; index < end; index += 1) {
    if (text.startsWith(mark, index)) {
      const tex = text.slice(at + 2, index).trim();
      // An escaped bracket around plain words is Markdown, not a formula.
      const isPlain =
        opener === "[" &&
        /^[\p{L}\p{N}\s,.;:!?-]*$/u.test(tex) &&
        text.slice(index + 2, end).trim() + text.slice(text.lastIndexOf("\n", at) + 1, at).trim() !== "";
      if (tex === "" || isPlain) return at + 2;
      return add(at, index + 2, { kind: "math", isDisplay: opener === "[", tex });
    }
    if (text[index] === "\\") index += 1;
  }
  return at + 2;
}

function scanTag(text: string, at: number, isTableRow: boolean, add: AddToken): number {
  const found = isTableRow ? undefined : match(blockTag, text, at);
  if (found === undefined) return at + 1;
  const [whole, slash, tag = "", attributes = ""] = found;
  const name = tag.toLowerCase();
  const end = at + whole.length;
  if (name === "summary") {
    if (slash !== "") return add(at, end, { kind: "literal", text: "" }, "summary_close");
    const close = /<\/summary\s*>/i.test(text.slice(end));
    return close ? add(at, end, { kind: "summary" }, "summary_open") : at + 1;
  }
  // The pattern names exactly these.
  const block = name as "details" | "figure" | "figcaption";
  const isOpen = /(?:^|\s)open(?:\s|=|$)/i.test(attributes);
  return add(at, end, { kind: slash === "" ? "open" : "close", name: block, ...(isOpen ? { isOpen } : {}) }, "block");
}

function scanBracket(text: string, at: number, brackets: number[], add: AddToken): number {
  const bound = match(claim, text, at);
  if (bound !== undefined) return add(at, at + bound[0].length, { kind: "claim", claim: bound[1] ?? "" });
  const cross = match(reference, text, at);
  if (cross !== undefined) return add(at, at + cross[0].length, { kind: "reference", label: cross[1] ?? "" });
  const cited = match(citation, text, at);
  const items = cited === undefined ? undefined : parseCitations(cited[1] ?? "");
  if (cited !== undefined && items !== undefined) {
    return add(at, at + cited[0].length, { kind: "citation", items, isBare: false });
  }
  brackets.push(at);
  return at + 1;
}

/** `]{…}` closes a span when the braces hold attributes. */
function closeBracket(text: string, at: number, brackets: number[], add: AddToken): number {
  const open = brackets.pop();
  const found = match(braces, text, at + 1);
  const attributes = found === undefined ? undefined : parseAttributes(found[1] ?? "");
  if (open === undefined || found === undefined || attributes === undefined || text[open - 1] === "!") return at + 1;
  add(open, open + 1, { kind: "span_open" });
  return add(at, at + 1 + found[0].length, { kind: "span_close", attributes });
}

function scanId(text: string, at: number, add: AddToken): number {
  const character = text[at];
  const isCandidate = character === "a" || character === "A" || (character >= "0" && character <= "3");
  if (!isCandidate || /[A-Za-z0-9_./:-]/.test(text[at - 1] ?? "")) return at + 1;
  if (character === "a" || character === "A") {
    const found = match(arxiv, text, at);
    if (found !== undefined) {
      const id = found[1] ?? "";
      const start = at + found[0].indexOf(id);
      return add(start, at + found[0].length, { kind: "external", scheme: "arxiv", id });
    }
  }
  if (character >= "0" && character <= "3") {
    const found = match(bareArxiv, text, at);
    if (found !== undefined && !/[A-Za-z%]/.test(text[at + found[0].length] ?? "")) {
      return add(at, at + found[0].length, { kind: "external", scheme: "arxiv", id: found[0].replace(/v\d+$/, "") });
    }
    const work = match(doi, text, at);
    if (work !== undefined)
      return add(at, at + work[0].length, { kind: "external", scheme: "doi", id: work[0].toLowerCase() });
  }
  return at + 1;
}
