// internal
/** One line with what stands around it. */
export interface Line {
  readonly start: number;
  /** Offset of its line ending. */
  readonly end: number;
  /** Offset of the next line. */
  readonly next: number;
  /** Offset of the first character after quote marks, list markers and spaces. */
  readonly content: number;
  readonly quoteDepth: number;
  /** Offset after the last quote mark; the start of the line when there is none. */
  readonly quoteEnd: number;
  readonly hasMarker: boolean;
  /** Column of the content within the innermost quote; list markers count as spaces. */
  readonly column: number;
  /** Column of the first character that is no space, list markers included. */
  readonly indent: number;
  /** Columns where the content of the lists opened on this line begins. */
  readonly opened: readonly number[];
  readonly isBlank: boolean;
}

const markerPattern = /(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/y;

/** Returns the lines of a text with their prefixes taken apart. */
export function readLines(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length;) {
    let end = start;
    while (end < text.length && text[end] !== "\n" && text[end] !== "\r") end += 1;
    const next = end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1);
    lines.push(readLine(text, start, end, Math.min(next, text.length)));
    start = next;
  }
  return lines;
}

function readLine(text: string, start: number, end: number, next: number): Line {
  let at = start;
  let column = 0;
  let indent: number | undefined;
  let quoteDepth = 0;
  let quoteEnd = start;
  const opened: number[] = [];
  for (;;) {
    while (at < end && (text[at] === " " || text[at] === "\t")) {
      column += text[at] === "\t" ? 4 - (column % 4) : 1;
      at += 1;
    }
    if (text[at] === ">" && at < end) {
      at += 1;
      quoteEnd = at;
      if (at < end && text[at] === " ") at += 1;
      column = 0;
      indent = undefined;
      opened.length = 0;
      quoteDepth += 1;
      continue;
    }
    indent ??= column;
    markerPattern.lastIndex = at;
    const marker = at < end ? markerPattern.exec(text)?.[0] : undefined;
    if (marker === undefined || at + marker.length > end) break;
    at += marker.length;
    column += marker.length;
    let spaces = 0;
    while (at + spaces < end && text[at + spaces] === " ") spaces += 1;
    opened.push(column + (spaces === 0 || spaces > 4 ? 1 : spaces));
  }
  const isBlank = at >= end;
  return {
    start,
    end,
    next,
    content: at,
    quoteDepth,
    quoteEnd,
    hasMarker: opened.length > 0,
    column,
    indent,
    opened,
    isBlank,
  };
}

/** What a line is to the block structure. */
export type LineKind = "blank" | "fence" | "indented" | "text";

/** Follows fences, lists and indented code through the lines of a text. */
export interface LineTracker {
  /** Returns the kind of the next line and the prefix that another line of the same container would have. */
  feed(line: Line): { readonly kind: LineKind; readonly prefix: string; readonly isFenceStart: boolean };
}

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly quoteDepth: number;
  readonly column: number;
}

const fencePattern = /(`{3,})[^`\r\n]*(?=[\r\n]|$)|(~{3,})/y;

/** Starts to follow the lines of `text`. */
export function createLineTracker(text: string): LineTracker {
  let fence: Fence | undefined;
  let lists: number[] = [];
  let depth = 0;
  let isBeforeOpen = true; // whether a line indented by four would be code
  function enter(line: Line): void {
    if (line.quoteDepth !== depth) lists = [];
    depth = line.quoteDepth;
    while (lists.length > 0 && (lists.at(-1) ?? 0) > line.indent) lists.pop();
    lists.push(...line.opened);
  }
  /** A line of the same container begins like this one, with spaces for its list markers. */
  const makePrefix = ({ start, quoteEnd }: Line): string => {
    const quotes = text.slice(start, quoteEnd).replace(/[^>\s]/g, " ");
    return `${quotes}${quotes === "" ? "" : " "}${" ".repeat(lists.at(-1) ?? 0)}`;
  };
  return {
    feed(line) {
      if (fence !== undefined) {
        const hasLeft = line.quoteDepth < fence.quoteDepth || (!line.isBlank && line.indent < fence.column);
        if (!hasLeft) {
          const rest = text.slice(line.content, line.end).trimEnd();
          const isEnd = !line.hasMarker && rest.length >= fence.length && rest === fence.mark.repeat(rest.length);
          if (isEnd) fence = undefined;
          isBeforeOpen = true;
          return { kind: "fence", prefix: makePrefix(line), isFenceStart: false };
        }
        fence = undefined;
      }
      if (line.isBlank && !line.hasMarker) {
        isBeforeOpen = true;
        return { kind: "blank", prefix: makePrefix(line), isFenceStart: false };
      }
      const outer = line.quoteDepth === depth ? (lists.findLast((offset) => offset <= line.indent) ?? 0) : 0;
      if (isBeforeOpen && line.indent - outer >= 4)
        return { kind: "indented", prefix: makePrefix(line), isFenceStart: false };
      enter(line);
      fencePattern.lastIndex = line.content;
      const match = fencePattern.exec(text);
      if (match !== null) {
        const run = match[1] ?? match[2] ?? "";
        fence = { mark: run[0], length: run.length, quoteDepth: depth, column: lists.at(-1) ?? 0 };
        isBeforeOpen = true;
        return { kind: "fence", prefix: makePrefix(line), isFenceStart: true };
      }
      isBeforeOpen = false;
      return { kind: "text", prefix: makePrefix(line), isFenceStart: false };
    },
  };
}

/** Returns the offset after the code span that begins at `at`, or after its backticks when nothing closes it before `end`. */
export function skipCode(text: string, at: number, end: number): { readonly next: number; readonly isCode: boolean } {
  let length = 0;
  while (text[at + length] === "`") length += 1;
  for (let index = at + length; index < end;) {
    if (text[index] !== "`") {
      index += 1;
      continue;
    }
    let other = 0;
    while (text[index + other] === "`") other += 1;
    if (other === length && index + other <= end) return { next: index + other, isCode: true };
    index += other;
  }
  return { next: at + length, isCode: false };
}
