// internal
import type { Html, Node, PhrasingContent, Text } from "mdast";
import type { StatementStatus } from "./nodes.js";
import { getChildren, isMark, toText, type Locator, type MarkNode } from "./restore-tree.js";
import type { ReportProblem } from "./protect-blocks.js";

const statuses: ReadonlySet<string> = new Set<StatementStatus>([
  "public",
  "undisclosed",
  "speculative",
  "needs-verify",
  "hedged",
]);

/** Classes that are known and shown as plain text: numbers that are examples. */
const plainClasses: ReadonlySet<string> = new Set(["illustrative"]);

const flowParents = new Set(["root", "blockquote", "list", "listItem", "footnoteDefinition", "table", "tableRow"]);

/**
 * Builds the containers within lines, in place: spans, bound numbers, `sub`, `sup`, `kbd` and line breaks. Every other
 * tag becomes text and is reported. Marks of blocks and labels stay for the next step.
 */
export function buildPhrasing(root: Node, locator: Locator, report: ReportProblem): void {
  for (const child of getChildren(root)) buildPhrasing(child, locator, report);
  if (flowParents.has(root.type) || getChildren(root).length === 0) return;
  // What is left holds phrasing.
  const parent = root as { children?: Node[] };
  parent.children = mergeText(pairMarks(getChildren(root), locator, report), locator);
}

/** Deeper nesting is no text: it is shown as it was written, and never exhausts the stack. */
const maxDepth = 50;

interface Frame {
  readonly opener: Node;
  /** `span`, or the name of the element. */
  readonly name: string;
  readonly children: Node[];
}

const tagPattern = /^<(\/?)([A-Za-z][A-Za-z0-9-]*)([^<>]*)>$/s;
const pairedTags = new Set(["sub", "sup", "kbd"]);

function pairMarks(nodes: readonly Node[], locator: Locator, report: ReportProblem): Node[] {
  const frames: Frame[] = [];
  const result: Node[] = [];
  const push = (...added: readonly Node[]): void => {
    (frames.at(-1)?.children ?? result).push(...added);
  };
  /** Takes the innermost frame apart: its opener was never closed. */
  const dissolve = (): void => {
    const frame = frames.pop();
    if (frame !== undefined) push(asText(frame.opener, locator, report), ...frame.children);
  };
  const close = (name: string): Frame | undefined => {
    if (!frames.some((frame) => frame.name === name)) return undefined;
    while (frames.at(-1)?.name !== name) dissolve();
    return frames.pop();
  };
  for (const node of nodes) {
    if (isMark(node, "span_open") && frames.length >= maxDepth) push(toText(node, locator.source));
    else if (isMark(node, "span_open")) frames.push({ opener: node, name: "span", children: [] });
    else if (isMark(node, "span_close")) {
      const frame = close("span");
      push(frame === undefined ? toText(node, locator.source) : makeSpan(frame, node, locator, report));
    } else if (node.type === "html") {
      const tag = tagPattern.exec((node as Html).value); // checked the line before
      const name = tag?.[2].toLowerCase() ?? "";
      if (name === "br") push({ type: "break", position: node.position });
      else if (!pairedTags.has(name) || (tag?.[1] === "" && frames.length >= maxDepth))
        push(asText(node, locator, report));
      else if (tag?.[1] === "") frames.push({ opener: node, name, children: [] });
      else {
        const frame = close(name);
        push(frame === undefined ? asText(node, locator, report) : makeElement(frame, node, locator));
      }
    } else push(node);
  }
  while (frames.length > 0) dissolve();
  return result;
}

function makeElement({ opener, name, children }: Frame, closer: Node, locator: Locator): Node {
  return { type: "inlineElement", name, children, position: spanBetween(opener, closer, locator) } as Node; // a node of the dialect
}

function spanBetween(opener: Node, closer: Node, { makePosition }: Locator) {
  return makePosition(opener.position?.start.offset ?? 0, closer.position?.end.offset ?? 0);
}

function makeSpan(frame: Frame, closer: MarkNode, locator: Locator, report: ReportProblem): Node {
  const position = spanBetween(frame.opener, closer, locator);
  const { token } = closer;
  if (token.kind !== "span_close") return closer;
  const { id, classes, values } = token.attributes;
  const children = mergeText(frame.children, locator);
  if (id?.startsWith("c:") === true) return { type: "boundNumber", claim: id, children, position } as Node; // a node of the dialect
  const status = classes.find((name) => statuses.has(name));
  const unknown = classes.filter((name) => !statuses.has(name) && !plainClasses.has(name));
  if (unknown.length > 0) {
    report(
      "span.unknown-class",
      `The mark ".${unknown[0]}" is unknown: allowed are ${[...statuses, ...plainClasses].map((name) => `.${name}`).join(", ")}`,
      frame.opener.position?.start.offset ?? 0,
    );
  }
  return {
    type: "span",
    classes: [...classes],
    values: { ...values },
    children,
    position,
    ...(status === undefined ? {} : { status }),
    ...(id === undefined ? {} : { label: id }),
  } as Node; // a node of the dialect
}

function asText(node: Node, { source }: Locator, report: ReportProblem): PhrasingContent {
  const start = node.position?.start.offset ?? 0;
  const value = source.slice(start, node.position?.end.offset ?? start);
  if (node.type === "html") {
    report("html.escaped", `The HTML ${JSON.stringify(value.slice(0, 60))} is not allowed: it is shown as text`, start);
  }
  return { type: "text", value, position: node.position };
}

/** Joins neighbouring texts and drops empty ones. */
export function mergeText(nodes: readonly Node[], { makePosition }: Locator): Node[] {
  const merged: Node[] = [];
  for (const node of nodes) {
    const previous = merged.at(-1);
    if (node.type === "text" && previous?.type === "text") {
      const [left, right] = [previous as Text, node as Text]; // by the line above
      merged[merged.length - 1] = {
        type: "text",
        value: left.value + right.value,
        position: makePosition(left.position?.start.offset ?? 0, right.position?.end.offset ?? 0),
      } as Text; // a node of the dialect
    } else if (node.type !== "text" || (node as Text).value !== "") merged.push(node); // by its type
  }
  return merged;
}
