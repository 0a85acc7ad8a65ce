import type { QuoteAnchor } from "./response.js";

/** Where quoted words stand in a text. */
export interface AnchorMatch {
  /** Offsets in UTF-16 units, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** 1-based. */
  readonly lineStart: number;
  readonly lineEnd: number;
  /** Whether the words before and after agree too, as far as they were given. */
  readonly isContextSame: boolean;
}

/** Letters of context compared on each side. */
const maxContext = 80;

/** A text with runs of blanks made one space, and where each of its characters came from. */
interface FlatText {
  readonly text: string;
  readonly offsets: readonly number[];
}

function flatten(text: string): FlatText {
  let flat = "";
  const offsets: number[] = [];
  let isBlank = true;
  for (let at = 0; at < text.length; at += 1) {
    const isSpace = /\s/.test(text[at]);
    if (isSpace && isBlank) continue;
    flat += isSpace ? " " : text[at];
    offsets.push(at);
    isBlank = isSpace;
  }
  return { text: flat, offsets };
}

/** Returns a text with blanks made one space and none at its ends. */
export function normalizeQuote(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function countCommonEnd(left: string, right: string): number {
  let count = 0;
  while (count < left.length && count < right.length && left.at(-1 - count) === right.at(-1 - count)) count += 1;
  return count;
}

function countCommonStart(left: string, right: string): number {
  let count = 0;
  while (count < left.length && count < right.length && left[count] === right[count]) count += 1;
  return count;
}

function countLines(text: string, end: number): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/**
 * Returns where a quote stands in a text, or `undefined` when its words are not there. Blanks and line breaks count
 * alike. Of several places the one whose surroundings agree best is taken, then the one nearest to `nearLine`
 * (a line number of an earlier version of the text).
 *
 * @example
 * locateQuote("a b\na c", { prefix: "b", exact: "a", suffix: "c" })?.lineStart; // 2
 */
export function locateQuote(source: string, quote: QuoteAnchor, nearLine?: number): AnchorMatch | undefined {
  const exact = normalizeQuote(quote.exact);
  if (exact === "") return undefined;
  const { text, offsets } = flatten(source);
  const prefix = quote.prefix.replace(/\s+/g, " ").slice(-maxContext);
  const suffix = quote.suffix.replace(/\s+/g, " ").slice(0, maxContext);
  let best: { readonly at: number; readonly score: number; readonly distance: number } | undefined;
  for (let at = text.indexOf(exact); at !== -1; at = text.indexOf(exact, at + 1)) {
    const before = text.slice(Math.max(0, at - maxContext - 1), at);
    const after = text.slice(at + exact.length, at + exact.length + maxContext + 1);
    // Reviewers trim what they quote, so a blank between the quote and its surroundings is not held against them.
    const score = countCommonEnd(before.trimEnd(), prefix.trim()) + countCommonStart(after.trimStart(), suffix.trim());
    const distance = nearLine === undefined ? 0 : Math.abs(countLines(source, offsets[at]) - nearLine);
    if (best === undefined || score > best.score || (score === best.score && distance < best.distance))
      best = { at, score, distance };
  }
  if (best === undefined) return undefined;
  const start = offsets[best.at];
  const end = offsets[best.at + exact.length - 1] + 1;
  return {
    start,
    end,
    lineStart: countLines(source, start),
    lineEnd: countLines(source, end),
    isContextSame: best.score >= prefix.trim().length + suffix.trim().length,
  };
}

/** Returns an anchor for the text from `start` to `end`, with what stands around it. */
export function createQuote(source: string, start: number, end: number, contextLength = 32): QuoteAnchor {
  return {
    prefix: source.slice(Math.max(0, start - contextLength), start),
    exact: source.slice(start, end),
    suffix: source.slice(end, end + contextLength),
  };
}
