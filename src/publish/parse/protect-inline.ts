// internal
import { createLineTracker, readLines, type Line } from "./line-tracker.js";
import type { ReportProblem } from "./protect-blocks.js";
import { createTextMaker, type MappedText } from "./source-map.js";
import { makePlaceholder, restoreSource, type Token, type TokenContent } from "./tokens.js";
import { writeLines, type LineWriter, type TrackedLine } from "./write-lines.js";

const delimiterRow = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const breakingLine = /^(?:#{1,6}(?:\s|$)|:{3,}|<\/?(?:details|figure))/i;
const containerLine = /^(:{3,})\s*(?:([A-Za-z][\w-]*)|(\{[^{}]*\}))?\s*(?:\[(.*)\]\s*$)?/;

/** Returns the lines with their kind, and which of them are rows of a table. */
function trackLines(text: string): TrackedLine[] {
  const tracker = createLineTracker(text);
  const lines = readLines(text).map((line) => ({ ...line, ...tracker.feed(line), isRow: false }));
  const contentOf = (line: Line): string => text.slice(line.content, line.end);
  for (let index = 1; index < lines.length; index += 1) {
    const [head, rule] = [lines[index - 1], lines[index]];
    if (head.kind !== "text" || rule.kind !== "text" || head.quoteDepth !== rule.quoteDepth || head.isRow) continue;
    const content = contentOf(rule);
    if (rule.hasMarker || !content.includes("|") || !delimiterRow.test(content) || !contentOf(head).includes("|"))
      continue;
    head.isRow = true;
    for (let row = index; row < lines.length; row += 1) {
      const line = lines[row];
      const isOver = line.kind !== "text" || line.hasMarker || line.quoteDepth !== rule.quoteDepth;
      if (isOver || breakingLine.test(contentOf(line))) break;
      line.isRow = true;
    }
  }
  return lines;
}

/** Most lines that a summary may take. */
const maxSummaryLines = 12;

/** Returns how many lines after the one at `index` the summary that it opens goes on for, 0 for none. */
function countSummaryLines(text: string, lines: readonly TrackedLine[], index: number): number {
  const contentOf = (line: Line): string => text.slice(line.content, line.end).toLowerCase();
  const first = lines[index];
  const content = contentOf(first);
  if (first.kind !== "text" || content.lastIndexOf("<summary") <= content.lastIndexOf("</summary")) return 0;
  for (let count = 1; count <= maxSummaryLines && index + count < lines.length; count += 1) {
    const line = lines[index + count];
    const next = contentOf(line);
    const close = next.indexOf("</summary");
    const other = /<(?:summary|\/?details|\/?figure)/.exec(next)?.index ?? Infinity;
    if (line.quoteDepth !== first.quoteDepth || line.kind === "fence" || other < (close < 0 ? Infinity : close))
      return 0;
    if (close >= 0) return count;
  }
  return 0;
}

/** Groups the lines that one paragraph or summary could hold: a code span never reaches over their border. */
function groupLines(text: string, lines: readonly TrackedLine[]): TrackedLine[][] {
  const groups: TrackedLine[][] = [];
  let summaryLines = 0;
  let previous: TrackedLine | undefined;
  for (const [index, line] of lines.entries()) {
    const isParagraph =
      previous?.kind === "text" &&
      line.kind === "text" &&
      !line.hasMarker &&
      !line.isRow &&
      !previous.isRow &&
      line.quoteDepth === previous.quoteDepth &&
      !breakingLine.test(text.slice(line.content, line.end)) &&
      !breakingLine.test(text.slice(previous.content, previous.end)) &&
      !/^:\s/.test(text.slice(line.content, line.end));
    if (summaryLines > 0 || isParagraph) groups.at(-1)?.push(line);
    else groups.push([line]);
    summaryLines = Math.max(summaryLines - 1, countSummaryLines(text, lines, index));
    previous = line;
  }
  return groups;
}

/**
 * Returns a text that standard Markdown reads as the dialect means it: formulas, ids, citations and bound numbers are
 * placeholders that no rule looks into; the tags of folded content and figures, the lines of containers and the
 * marks of definitions stand in blocks of their own. `known` are the names of containers.
 */
export function protectInline(
  text: string,
  source: string,
  toSource: (offset: number) => number,
  tokens: Token[],
  known: ReadonlySet<string>,
  report: ReportProblem,
): MappedText {
  const maker = createTextMaker(text);
  const lines = trackLines(text);
  const writer: LineWriter = {
    text,
    maker,
    add(content, start, end) {
      const restored =
        content.kind === "math" ? { ...content, tex: restoreSource(content.tex, tokens, source) } : content;
      tokens.push({ ...restored, start: toSource(start), end: toSource(end) });
      return makePlaceholder(tokens.length - 1);
    },
  };
  let isAfterTerm = false;
  for (const group of groupLines(text, lines)) {
    const [line] = group;
    const last = group[group.length - 1];
    maker.keep(line.start, line.content);
    if (line.kind !== "text") {
      maker.keep(line.content, last.next);
      if (line.kind !== "blank") isAfterTerm = false;
      continue;
    }
    const content = text.slice(line.content, line.end);
    const container = line.isRow ? null : containerLine.exec(content);
    if (container !== null) writeContainer(writer, line, container, known, report, toSource);
    else if (/^:\s+\S/.test(content) && isAfterTerm && !line.hasMarker) writeDefinition(writer, group);
    else writeLines(writer, group, { from: line.content, state: line.hasMarker ? "fresh" : "start" });
    isAfterTerm = container === null && !line.isRow && !/^(?:#{1,6}\s|!\[|[-=_*]{3,}\s*$)/.test(content);
    maker.keep(last.end, last.next);
  }
  return maker.finish();
}

function writeContainer(
  writer: LineWriter,
  line: TrackedLine,
  [whole, , name, braced, title]: RegExpExecArray,
  known: ReadonlySet<string>,
  report: ReportProblem,
  toSource: (offset: number) => number,
): void {
  const { maker, text } = writer;
  const kind = (name ?? /[.]([A-Za-z][\w-]*)/.exec(braced ?? "")?.[1])?.toLowerCase();
  const rest = text.slice(line.content + whole.length, line.end);
  const isClose = kind === undefined && braced === undefined && rest.trim() === "";
  if (!isClose && (kind === undefined || !known.has(kind))) {
    report(
      "callout.unknown-container",
      `The container "${kind ?? rest.trim()}" is unknown: its lines are shown as text`,
      toSource(line.content),
    );
    writeLines(writer, [line], { from: line.content, state: "start" });
    return;
  }
  const gap = `\n${line.prefix}`;
  if (!line.hasMarker) maker.put(gap, line.content, line.content);
  const content: TokenContent = isClose ? { kind: "container_close" } : { kind: "container_open", name: kind ?? "" };
  if (isClose) {
    maker.put(writer.add(content, line.content, line.end), line.content, line.end);
  } else {
    const titleStart = title === undefined ? line.content + whole.length : line.content + whole.lastIndexOf(title);
    maker.put(writer.add(content, line.content, titleStart), line.content, titleStart);
    writeLines(writer, [line], {
      from: titleStart,
      state: "mid",
      to: title === undefined ? line.end : titleStart + title.length,
    });
  }
  maker.put(gap, line.end, line.end);
}

function writeDefinition(writer: LineWriter, group: readonly TrackedLine[]): void {
  const [line] = group;
  const start = writer.text.slice(line.content + 1).search(/\S/) + line.content + 1;
  writer.maker.put(`\n${line.prefix}+ ${writer.add({ kind: "definition" }, line.content, start)}`, line.content, start);
  writeLines(writer, group, { from: start, state: "mid" });
}
