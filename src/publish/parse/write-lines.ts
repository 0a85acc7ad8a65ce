// internal
import type { Line, LineKind } from "./line-tracker.js";
import { scanInline, type FoundToken } from "./scan-inline.js";
import type { TextMaker } from "./source-map.js";
import type { TokenContent } from "./tokens.js";

/** A line with what the tracker knows of it. */
export interface TrackedLine extends Line {
  readonly kind: LineKind;
  /** How another line of the same container would begin. */
  readonly prefix: string;
  /** Whether it is a row of a table. */
  readonly isRow: boolean;
}

/** Where lines are written to. */
export interface LineWriter {
  readonly text: string;
  readonly maker: TextMaker;
  /** Keeps a token of the text between two offsets and returns its placeholder. */
  add(content: TokenContent, start: number, end: number): string;
}

/** Which part of the lines is written, and where in its line the first piece stands. */
export interface LineSpan {
  readonly from: number;
  readonly to?: number;
  readonly state: LineState;
}

/** At a place where a block may begin, at the first character of a line, or further on. */
export type LineState = "fresh" | "start" | "mid";

/** Returns a function that finds the line and offset of an offset in the joined content of lines. */
function createLocator(pieces: readonly { readonly start: number; readonly end: number }[]) {
  const starts: number[] = [];
  let sum = 0;
  for (const { start, end } of pieces) {
    starts.push(sum);
    sum += end - start + 1;
  }
  return (offset: number): { readonly index: number; readonly at: number } => {
    let index = starts.length - 1;
    while (index > 0 && starts[index] > offset) index -= 1;
    const { start, end } = pieces[index];
    return { index, at: start + Math.min(offset - starts[index], end - start) };
  };
}

/** Writes the text of a group of lines with its tokens in place; tokens of blocks get lines of their own. */
export function writeLines(writer: LineWriter, group: readonly TrackedLine[], { from, state, to }: LineSpan): void {
  const end = to ?? group[group.length - 1].end;
  // The scan sees the content of the lines only; offsets are carried back line by line.
  const pieces = group.map((line, index) => ({
    start: index === 0 ? from : line.content,
    end: index === group.length - 1 ? end : line.end,
  }));
  const scanned = pieces.map((piece) => writer.text.slice(piece.start, piece.end)).join("\n");
  const locate = createLocator(pieces);
  const pen = new Pen(writer, group, { from, state, to: end });
  for (const token of scanInline(scanned, { isTableRow: group[0].isRow })) {
    const [left, right] = [locate(token.start), locate(token.end)];
    pen.keep(left.at);
    pen.put(token, group[left.index].prefix, left.at, right.at);
  }
  pen.finish();
}

/** Writes one group of lines from its start to its end. */
class Pen {
  readonly #writer: LineWriter;
  readonly #group: readonly TrackedLine[];
  readonly #to: number;
  #at: number;
  #state: LineState;
  #isInSummary = false;
  /** A block has just ended: what follows needs a line of its own. */
  #needsGap = false;

  constructor(writer: LineWriter, group: readonly TrackedLine[], { from, state, to }: Required<LineSpan>) {
    this.#writer = writer;
    this.#group = group;
    this.#at = from;
    this.#state = state;
    this.#to = to;
  }

  #lineAt(offset: number): TrackedLine {
    return this.#group.findLast((line) => line.start <= offset) ?? this.#group[0];
  }

  /** Writes the text up to `end` as it is. */
  keep(end: number): void {
    if (end <= this.#at) return;
    const { text, maker } = this.#writer;
    if (this.#needsGap) this.#leaveBlock(end);
    const start = this.#at;
    if (this.#isInSummary) this.#keepOnOneLine(start, end);
    else maker.keep(start, end);
    const kept = text.slice(start, end);
    const newline = Math.max(kept.lastIndexOf("\n"), kept.lastIndexOf("\r"));
    const visible = newline < 0 ? kept : text.slice(Math.max(this.#lineAt(end).content, start + newline + 1), end);
    if (visible.trim() !== "") this.#state = "mid";
    else if (newline >= 0) this.#state = "start";
    this.#at = end;
  }

  /** Begins a line after a block, without the spaces that stood there. */
  #leaveBlock(end: number): void {
    const { text, maker } = this.#writer;
    const { prefix } = this.#lineAt(this.#at);
    const rest = text.slice(this.#at, this.#to);
    const lead = Math.min(/^[ \t]*/.exec(rest)?.[0].length ?? 0, end - this.#at);
    const isLineEnd = /^[ \t]*(?:[\r\n]|$)/.test(rest);
    maker.put(isLineEnd ? `\n${prefix}` : `\n${prefix}\n${prefix}`, this.#at, this.#at + lead);
    this.#at += lead;
    this.#state = "fresh";
    this.#needsGap = false;
  }

  #keepOnOneLine(start: number, end: number): void {
    const { text, maker } = this.#writer;
    for (const { 0: part, index } of text.slice(start, end).matchAll(/[^\r\n]+|[\r\n]+[ \t>]*/g)) {
      const at = start + index;
      if (/^[\r\n]/.test(part)) maker.put(" ", at, at + part.length);
      else maker.keep(at, at + part.length);
    }
  }

  /** Writes a token in place of the text between two offsets. */
  put({ content, place }: FoundToken, prefix: string, start: number, end: number): void {
    const { text, maker, add } = this.#writer;
    const isBlock = place === "block" || place === "summary_open";
    if (place === "summary_close" && this.#isInSummary) {
      this.#isInSummary = false;
      this.#needsGap = true;
    } else {
      const literal: TokenContent = { kind: "literal", text: text.slice(start, end) };
      const room = isBlock || this.#needsGap ? this.#makeRoom(prefix) : "";
      maker.put(room + add(place === "summary_close" ? literal : content, start, end), start, end);
      this.#needsGap = place === "block";
      this.#isInSummary ||= place === "summary_open";
    }
    this.#state = "mid";
    this.#at = end;
  }

  /** Returns the line ends that part a block from what stands before it. */
  #makeRoom(prefix: string): string {
    if (this.#needsGap || this.#state === "mid") return `\n${prefix}\n${prefix}`;
    return this.#state === "start" ? `\n${prefix}` : "";
  }

  /** Writes what is left. */
  finish(): void {
    this.keep(this.#to);
    if (this.#needsGap) this.#writer.maker.put(`\n${this.#group[this.#group.length - 1].prefix}`, this.#to, this.#to);
  }
}
