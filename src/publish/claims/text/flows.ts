// internal
import type { Image, Node } from "mdast";
import type { PublishDocument } from "../../document.js";
import type { BoundNumberNode, ClaimReferenceNode, SpanNode } from "../../parse/nodes.js";
import { getVisibleText } from "../../parse/visible-text.js";

/** A stretch of a flow. `opaque` is no prose: code, maths, links, references. */
export interface FlowPiece {
  readonly kind: "text" | "opaque" | "bound" | "filled" | "cited" | "illustrative";
  /** Places in the text of the flow, end excluded. */
  readonly from: number;
  readonly to: number;
  readonly line: number;
  /** Offset in the source of `from`, where every unit of the piece stands as written. */
  readonly offset?: number;
  /** The claim that backs it. */
  readonly claim?: string;
}

/** One run of prose: a paragraph, a heading, a cell, a caption, an alternative text. */
export interface Flow {
  readonly text: string;
  readonly pieces: readonly FlowPiece[];
  readonly block: string;
  readonly line: number;
  readonly isHeading: boolean;
  /** For cells: the text of the column's head and of the row, which say what the number is. */
  readonly head?: string;
  readonly row?: string;
  readonly column?: number;
}

const flowTypes = new Set("paragraph heading tableCell summary calloutTitle figureCaption definitionTerm".split(" "));
const opaqueTypes = new Set(
  "inlineCode inlineMath math link linkReference crossReference footnoteReference html".split(" "),
);

function getChildren(node: Node): readonly Node[] {
  return (node as { children?: Node[] }).children ?? []; // every parent of mdast has them here
}

/** `[0.74]{#c:id}` and `[[c:id]]` inside an alternative text, which Markdown leaves as written. */
const altClaim = /\[([^[\]]*)\]\{#(c:[\w.:-]+)\}|\[\[(c:[\w.:-]+)\]\]/g;

interface Builder {
  text: string;
  readonly pieces: FlowPiece[];
}

function add(builder: Builder, value: string, piece: Omit<FlowPiece, "from" | "to">): void {
  const from = builder.text.length;
  builder.text += value;
  if (value !== "") builder.pieces.push({ ...piece, from, to: builder.text.length });
}

function addAlt(builder: Builder, { alt, position }: Image): void {
  const line = position?.start.line ?? 1;
  const text = alt ?? "";
  let at = 0;
  for (const match of text.matchAll(altClaim)) {
    add(builder, text.slice(at, match.index), { kind: "text", line });
    const [whole, literal, bound, filled] = match;
    if (filled === undefined) add(builder, literal, { kind: "bound", line, claim: bound });
    else add(builder, whole, { kind: "filled", line, claim: filled });
    at = match.index + whole.length;
  }
  add(builder, text.slice(at), { kind: "text", line });
}

function addNode(builder: Builder, node: Node, source: string, isIllustrative: boolean): void {
  const line = node.position?.start.line ?? 1;
  const text = getVisibleText(node);
  if (node.type === "text") {
    const offset = node.position?.start.offset;
    const isVerbatim = offset !== undefined && source.startsWith(text, offset);
    const kind = isIllustrative ? "illustrative" : "text";
    add(builder, text, { kind, line, ...(isVerbatim ? { offset } : {}) });
  } else if (node.type === "boundNumber") {
    add(builder, text, { kind: "bound", line, claim: (node as BoundNumberNode).claim }); // by its type, as below
  } else if (node.type === "claimReference") {
    add(builder, text, { kind: "filled", line, claim: (node as ClaimReferenceNode).claim }); // by its type
  } else if (node.type === "citation" || node.type === "externalId") add(builder, text, { kind: "cited", line });
  else if (node.type === "image") addAlt(builder, node as Image); // by its type
  else if (node.type === "break") add(builder, "\n", { kind: "text", line });
  else if (opaqueTypes.has(node.type)) {
    // What a link says may cite: an address of a paper is evidence.
    const url = (node as { url?: string }).url ?? "";
    const isSource = /^https?:/.test(url) || /^(?:doi|arxiv):/i.test(url);
    add(builder, text, { kind: isSource ? "cited" : "opaque", line });
  } else {
    const isMarked = node.type === "span" && (node as SpanNode).classes.includes("illustrative"); // by its type
    for (const child of getChildren(node)) addNode(builder, child, source, isIllustrative || isMarked);
  }
}

function buildFlow(node: Node, source: string): { text: string; pieces: FlowPiece[] } {
  const builder: Builder = { text: "", pieces: [] };
  for (const child of getChildren(node)) addNode(builder, child, source, false);
  return builder;
}

function listTable(table: Node, block: string, source: string): Flow[] {
  const [head, ...rows] = getChildren(table);
  const heads = head === undefined ? [] : getChildren(head).map(getVisibleText);
  return [head, ...rows].flatMap((row, index) => {
    if (row === undefined) return [];
    const rowText = getChildren(row).map(getVisibleText).join(" | ");
    return getChildren(row).map((cell, column) => ({
      ...buildFlow(cell, source),
      block,
      line: cell.position?.start.line ?? row.position?.start.line ?? 1,
      isHeading: index === 0,
      head: heads[column] ?? "",
      row: rowText,
      column,
    }));
  });
}

const known = new WeakMap<PublishDocument, readonly Flow[]>();

/** Returns every run of prose of a document, in its order. */
export function listFlows(document: PublishDocument): readonly Flow[] {
  const cached = known.get(document);
  if (cached !== undefined) return cached;
  const flows: Flow[] = [];
  function visit(node: Node, block: string): void {
    const own = node.data?.block ?? block;
    if (node.type === "image") {
      const builder: Builder = { text: "", pieces: [] };
      addAlt(builder, node as Image); // by its type
      flows.push({ ...builder, block: own, line: node.position?.start.line ?? 1, isHeading: false });
    } else if (node.type === "table") flows.push(...listTable(node, own, document.source));
    else if (flowTypes.has(node.type) && !getChildren(node).some(({ type }) => type === "paragraph")) {
      const { text, pieces } = buildFlow(node, document.source);
      const line = node.position?.start.line ?? 1;
      flows.push({ text, pieces, block: own, line, isHeading: node.type === "heading" });
    } else for (const child of getChildren(node)) visit(child, own);
  }
  visit(document.tree, "");
  known.set(document, flows);
  return flows;
}

const sentenceEnd =
  /(?<!\b(?:e\.g|i\.e|vs|cf|al|Fig|Eq|Sec|Tab|approx|resp|No|Dr|Prof|ca))[.!?](?=\s|$|["”')\]])|[。！？；]/g;

const endsOf = new WeakMap<Flow, readonly number[]>();

/** Returns where the sentences of a flow end. Marks inside formulas, code, links and citations end none. */
function listSentenceEnds(flow: Flow): readonly number[] {
  const known = endsOf.get(flow);
  if (known !== undefined) return known;
  const prose = flow.pieces.reduce((text, { kind, from, to }) => {
    if (kind === "text" || kind === "illustrative") return text;
    return `${text.slice(0, from)}${text.slice(from, to).replace(/[.!?。！？；]/g, "_")}${text.slice(to)}`;
  }, flow.text);
  const ends = [...prose.matchAll(sentenceEnd)].map(({ index }) => index + 1);
  endsOf.set(flow, ends);
  return ends;
}

/** Returns where the sentence around a place of a flow begins and ends. */
export function findSentence(flow: Flow, at: number): { readonly from: number; readonly to: number } {
  const ends = listSentenceEnds(flow);
  const next = ends.findIndex((end) => end > at);
  if (next < 0) return { from: ends.at(-1) ?? 0, to: flow.text.length };
  return { from: next === 0 ? 0 : ends[next - 1], to: ends[next] };
}

/** Returns what a reader takes in together with a place of a flow: its sentence, or for a cell its row and head. */
export function getContext(flow: Flow, at: number): string {
  if (flow.row !== undefined) return `${flow.head ?? ""} | ${flow.row}`;
  const { from, to } = findSentence(flow, at);
  return flow.text.slice(from, to).trim();
}

/** Returns the sentence around a place with what other claims state blanked: those numbers are checked on their own. */
export function getUnclaimedSentence(flow: Flow, at: number): string {
  const { from, to } = findSentence(flow, at);
  const blanked = flow.pieces.reduce(
    (text, piece) =>
      piece.claim === undefined
        ? text
        : `${text.slice(0, piece.from)}${" ".repeat(piece.to - piece.from)}${text.slice(piece.to)}`,
    flow.text,
  );
  return blanked.slice(from, to);
}
