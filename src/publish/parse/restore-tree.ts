// internal
import type { Node, Parents, PhrasingContent, Root, RootContent } from "mdast";
import type { Position } from "unist";
import { restoreSource, splitByTokens, type Token } from "./tokens.js";

/** A token that a later step turns into a container; gone from a finished tree. */
export interface MarkNode extends Node {
  type: "mark";
  token: Token;
  position: Position;
}

/** Makes positions of the source. */
export interface Locator {
  readonly source: string;
  readonly tokens: readonly Token[];
  /** Offset in the source of where something begins in the text that was parsed. */
  toSource(offset: number): number;
  /** And of where it ends. */
  toSourceEnd(offset: number): number;
  makePosition(start: number, end: number): Position;
}

/** Returns a function that makes positions of `source` from offsets; lines and columns are 1-based. */
export function createPositionMaker(source: string): (start: number, end: number) => Position {
  const starts = [0];
  for (const { index, 0: ending } of source.matchAll(/\r\n|\n|\r/g)) starts.push(index + ending.length);
  const locate = (offset: number) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low] + 1, offset };
  };
  return (start, end) => ({ start: locate(start), end: locate(end) });
}

function unifyLineEnds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** Says whether a node is a mark of one of the given kinds. */
export function isMark(node: Node | undefined, ...kinds: readonly Token["kind"][]): node is MarkNode {
  // A mark is made here only, with its token.
  return node?.type === "mark" && kinds.includes((node as MarkNode).token.kind);
}

/**
 * Puts what the placeholders stand for back into a tree, in place: nodes of their own in text, the source text
 * everywhere else. Every position becomes one of the source.
 */
export function restoreTree(tree: Root, locator: Locator): void {
  const { source, tokens, toSource, toSourceEnd, makePosition } = locator;
  const strings = ["value", "url", "title", "alt", "label", "identifier", "lang", "meta"];
  function restore(node: Node): void {
    const start = toSource(node.position?.start.offset ?? 0);
    const end = Math.max(start, toSourceEnd(node.position?.end.offset ?? 0));
    node.position = makePosition(start, end);
    // Nodes of mdast hold their text in these fields.
    const fields = node as unknown as { [name: string]: unknown; children?: Node[] };
    for (const name of strings) {
      const text = fields[name];
      // Code and formulas have one kind of line end, as a page has.
      if (typeof text === "string" && node.type !== "text")
        fields[name] = unifyLineEnds(restoreSource(text, tokens, source));
    }
    if (fields.children === undefined) return;
    const children: Node[] = [];
    for (const child of fields.children) {
      if (child.type === "text") children.push(...splitText(child, locator));
      else {
        restore(child);
        children.push(child);
      }
    }
    fields.children = children;
  }
  restore(tree);
}

/** Returns the nodes that a text with placeholders stands for. */
function splitText(node: Node, { source, tokens, toSource, toSourceEnd, makePosition }: Locator): Node[] {
  const start = toSource(node.position?.start.offset ?? 0);
  const end = Math.max(start, toSourceEnd(node.position?.end.offset ?? 0));
  const nodes: Node[] = [];
  let at = start;
  let pending = "";
  let pendingEnd = start;
  const flush = (until: number): void => {
    if (pending !== "") nodes.push({ type: "text", value: pending, position: makePosition(at, until) } as Node); // a node of the dialect
    pending = "";
  };
  // A text node always has a value.
  splitByTokens(
    (node as unknown as { value: string }).value, // by its type
    tokens,
    (part) => {
      pending += part;
      pendingEnd = end;
    },
    (token) => {
      if (token.kind === "literal") {
        pending += token.text;
        pendingEnd = token.end;
        return;
      }
      flush(token.start);
      nodes.push(makeNode(token, source, makePosition(token.start, token.end)));
      at = token.end;
    },
  );
  flush(Math.max(at, pendingEnd));
  return nodes;
}

function makeNode(token: Token, source: string, position: Position): Node {
  const make = (node: RootContent | PhrasingContent): Node => ({ ...node, position });
  switch (token.kind) {
    case "math":
      return make({ type: token.isDisplay ? "math" : "inlineMath", value: unifyLineEnds(token.tex) });
    case "comment":
      return make({ type: "comment", value: token.value });
    case "claim":
      return make({ type: "claimReference", claim: token.claim });
    case "reference":
      return make({ type: "crossReference", label: token.label });
    case "citation":
      return make({
        type: "citation",
        items: [...token.items],
        isBare: token.isBare,
        source: source.slice(token.start, token.end),
      });
    case "external":
      return make({
        type: "externalId",
        scheme: token.scheme,
        id: token.id,
        value: source.slice(token.start, token.end),
      });
    default:
      return { type: "mark", token, position } as MarkNode; // a node of the dialect
  }
}

/** Returns a mark as the text that the author wrote. */
export function toText(mark: MarkNode, source: string): PhrasingContent {
  return { type: "text", value: source.slice(mark.token.start, mark.token.end), position: mark.position };
}

/** Returns the children of a node, or an empty list. */
export function getChildren(node: Node): Node[] {
  return (node as Partial<Parents>).children ?? []; // only parents have children
}

/** Returns a node that holds others. */
export function makeParent(type: string, children: readonly Node[], position: Position | undefined): Node {
  const node: Node & { children: Node[] } = { type, children: [...children], position };
  return node;
}
