// internal
import { createLineTracker, readLines, skipCode, type Line } from "./line-tracker.js";
import { createTextMaker, type MappedText } from "./source-map.js";
import { makePlaceholder, privateUse, type Token, type TokenContent } from "./tokens.js";

/** A place found in the text, for problems. */
export type ReportProblem = (rule: string, message: string, offset: number) => void;

/** What code, comments, formulas, escapes and literals begin with. */
const beginning = /[`<\\$\uE000-\uF8FF]/g;
const blockStart = /(?:#{1,6}(?:[ \t]|$)|`{3,}|~{3,}|<\/?(?:details|summary|figure)\b|:{3,})/iy;

/**
 * Returns the source with everything that spans lines and is not Markdown put behind placeholders: comments, and
 * display formulas of several lines, whose lines may look like lists, quotes and underlines. Formulas lose the quote
 * marks and the indentation of their container.
 */
export function protectBlocks(source: string, tokens: Token[], report: ReportProblem): MappedText {
  const maker = createTextMaker(source);
  const lastCommentEnd = source.lastIndexOf("-->");
  const lines = readLines(source);
  const tracker = createLineTracker(source);
  let kept = 0;
  function put(content: TokenContent, start: number, end: number): void {
    maker.keep(kept, start);
    maker.put(makePlaceholder(tokens.length), start, end);
    tokens.push({ ...content, start, end });
    kept = end;
  }
  function keepLiterals(line: Line): void {
    for (const { 0: text, index } of source.slice(line.start, line.end).matchAll(privateUse)) {
      put({ kind: "literal", text }, line.start + index, line.start + index + text.length);
    }
  }
  let next = -1;
  /** Returns the first offset from `at` on where something could begin. */
  const findNext = (at: number): number => {
    if (next >= at) return next;
    beginning.lastIndex = at;
    next = beginning.exec(source)?.index ?? source.length;
    return next;
  };
  for (let index = 0; index < lines.length; index += 1) {
    let line = lines[index];
    const { kind } = tracker.feed(line);
    if (kind !== "text") {
      keepLiterals(line);
      continue;
    }
    for (let at = findNext(line.content); at < line.end; at = findNext(at)) {
      const found = findAt({ source, lines, lastCommentEnd, report }, at, index);
      if (found.content !== undefined) {
        put(found.content, at, found.next);
        index = found.line;
        line = lines[index];
      }
      at = found.next;
    }
  }
  maker.keep(kept, source.length);
  return maker.finish();
}

/** What is scanned. */
interface Scanned {
  readonly source: string;
  readonly lines: readonly Line[];
  /** Offset of the last end of a comment, so that none is looked for after it. */
  readonly lastCommentEnd: number;
  readonly report: ReportProblem;
}

interface Found {
  readonly next: number;
  readonly line: number;
  readonly content?: TokenContent;
}

/** Returns what begins at an offset of a line of text: a token, or where to look next. */
function findAt(text: Scanned, at: number, line: number): Found {
  const { source, lines, report } = text;
  const { end } = lines[line];
  const character = source[at];
  const pass = (next: number): Found => ({ next, line });
  if (character === "`") return pass(skipCode(source, at, end).next);
  if (character === "<" && source.startsWith("<!--", at)) {
    const close = at + 4 <= text.lastCommentEnd ? source.indexOf("-->", at + 4) : -1;
    if (close < 0) {
      report("comment.unclosed", "The comment is never closed", at);
      return pass(at + 4);
    }
    const next = close + 3;
    return {
      next,
      line: findLine(lines, line, next),
      content: { kind: "comment", value: source.slice(at + 4, close) },
    };
  }
  if (character === "\\") {
    const isOpen = source[at + 1] === "[" && at === lines[line].content;
    return isOpen ? findFormula(text, at, line, "\\]") : pass(at + 2);
  }
  if (character === "$") {
    let length = 0;
    while (source[at + length] === "$") length += 1;
    return length === 2 ? findFormula(text, at, line, "$$") : pass(at + length);
  }
  if (isPrivateUse(character)) {
    privateUse.lastIndex = 0;
    let next = at;
    while (next < end && isPrivateUse(source[next])) next += 1;
    return { next, line, content: { kind: "literal", text: source.slice(at, next) } };
  }
  return pass(at + 1);
}

function isPrivateUse(character: string): boolean {
  return character >= "\uE000" && character <= "\uF8FF";
}

function findLine(lines: readonly Line[], from: number, offset: number): number {
  let index = from;
  while (index + 1 < lines.length && lines[index + 1].start < offset) index += 1;
  return index;
}

/** Returns the display formula that begins at `at` when it goes on over the end of its line. */
function findFormula({ source, lines, report }: Scanned, at: number, line: number, mark: "$$" | "\\]"): Found {
  const opener = lines[line];
  const onLine = findMark(source, at + 2, opener.end, mark);
  if (onLine !== undefined) return { next: onLine + 2, line };
  const isAlone = source.slice(at + 2, opener.end).trim() === "" && at === opener.content;
  const parts = [source.slice(at + 2, opener.end)];
  for (let index = line + 1; index < lines.length; index += 1) {
    const current = lines[index];
    const from = skipQuotes(source, current, opener.quoteDepth);
    if (from === undefined || (current.isBlank && !current.hasMarker && !isAlone)) break;
    blockStart.lastIndex = current.content;
    if (blockStart.test(source)) break;
    const close = findMark(source, from, current.end, mark);
    if (close === undefined) {
      parts.push(source.slice(from, current.end).trimStart());
      continue;
    }
    parts.push(source.slice(from, close).trimStart());
    const tex = parts.join("\n").trim();
    if (tex === "") break;
    return { next: close + 2, line: index, content: { kind: "math", isDisplay: true, tex } };
  }
  const name = mark === "$$" ? "$$" : "\\[";
  report("math.unclosed", `The display formula opened by ${name} is never closed`, at);
  return { next: at + 2, line };
}

function findMark(source: string, from: number, end: number, mark: string): number | undefined {
  for (let at = from; at < end; at += 1) {
    if (source.startsWith(mark, at)) return at + mark.length <= end ? at : undefined;
    if (source[at] === "\\") at += 1;
  }
  return undefined;
}

/** Returns the offset after `depth` quote marks, or nothing when the line has fewer. */
function skipQuotes(source: string, line: Line, depth: number): number | undefined {
  let at = line.start;
  for (let count = 0; count < depth; count += 1) {
    while (at < line.end && (source[at] === " " || source[at] === "\t")) at += 1;
    if (source[at] !== ">") return undefined;
    at += 1;
  }
  return at;
}
