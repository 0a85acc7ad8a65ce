// internal
import type { Blockquote, Image, Node, Paragraph, Text } from "mdast";
import { findLeadingMark, findWordKind } from "./callout-marks.js";
import { mergeText } from "./build-phrasing.js";
import { trimEnd, trimStart } from "./build-tags.js";
import { getChildren, isMark, makeParent, toText, type Locator, type MarkNode } from "./restore-tree.js";
import type { ReportProblem } from "./protect-blocks.js";

const flowParents = new Set(
  "root blockquote list listItem footnoteDefinition callout details figure figureCaption".split(" "),
);

/**
 * Builds what is left of the blocks, in place: displays out of paragraphs, definition lists, callouts, figures,
 * labels. No mark is left after it.
 */
export function buildFlow(tree: Node, locator: Locator, report: ReportProblem): void {
  buildWithin(tree, locator, report);
  settleMarks(tree, locator);
}

function buildWithin(parent: Node, locator: Locator, report: ReportProblem): void {
  if (!flowParents.has(parent.type)) return;
  const holder = parent as { children?: Node[] }; // flow parents have children
  for (const child of getChildren(parent)) buildWithin(child, locator, report);
  const isInFigure = parent.type === "figure" || parent.type === "figureCaption";
  const parts = getChildren(parent).flatMap((child) =>
    isInFigure ? unwrapParagraph(child) : splitParagraph(child, locator),
  );
  const built = buildDefinitions(placeLabels(parts), locator);
  holder.children = built.map((child) => {
    if (child.type !== "blockquote") return child;
    settleMarks(child, locator);
    return buildCallout(child as Blockquote, locator, report); // by its type
  });
}

/** Within a figure an image stands for itself, and a caption of one paragraph is a line. */
function unwrapParagraph(node: Node): Node[] {
  return node.type === "paragraph" ? trimEnd(trimStart(getChildren(node))) : [node];
}

/** Returns a paragraph as the blocks it holds: text, display formulas, figures, comments. */
function splitParagraph(node: Node, locator: Locator): Node[] {
  if (node.type !== "paragraph") return [node];
  const children = getChildren(node);
  const isShown = (child: Node): boolean =>
    child.type !== "comment" && !(child.type === "text" && (child as Text).value.trim() === ""); // by its type
  if (children.every((child) => !isShown(child))) return children.filter((child) => child.type === "comment");
  const shown = children.filter(isShown);
  const [image] = shown;
  if (image.type === "image" && shown.slice(1).every((child) => isMark(child, "label")))
    return [buildFigure(node, shown)];
  if (!children.some((child) => child.type === "math")) return [node];
  const blocks: Node[] = [];
  let run: Node[] = [];
  const flush = (): void => {
    const trimmed = trimEnd(trimStart(run));
    run = [];
    if (trimmed.length === 0) return;
    const [start, end] = [
      trimmed[0].position?.start.offset ?? 0,
      trimmed[trimmed.length - 1].position?.end.offset ?? 0,
    ];
    blocks.push(makeParent("paragraph", trimmed, locator.makePosition(start, end)));
  };
  for (const [index, child] of children.entries()) {
    const label = isMark(child, "label") ? child : undefined;
    const previous = blocks.at(-1);
    if (child.type === "math") {
      flush();
      blocks.push(child);
    } else if (
      label !== undefined &&
      previous?.type === "math" &&
      trimStart(run).length === 0 &&
      children.slice(0, index).some((other) => other === previous)
    ) {
      setLabel(previous, label);
      run = [];
    } else run.push(child);
  }
  flush();
  return blocks;
}

function setLabel(node: Node, { token }: MarkNode): void {
  const id = token.kind === "label" ? token.attributes.id : undefined;
  node.data = { ...node.data, anchor: id };
}

/** An image alone in its paragraph is a figure; its title, or else its alternative text, is the caption. */
function buildFigure(paragraph: Node, [image, label]: readonly Node[]): Node {
  const { title } = image as Image; // checked by the caller
  const caption =
    typeof title === "string" && title !== ""
      ? [
          {
            type: "figureCaption",
            children: [{ type: "text", value: title, position: image.position }],
            position: image.position,
          },
        ]
      : [];
  const figure: Node = { type: "figure", position: paragraph.position, children: [image, ...caption] } as Node; // a node of the dialect
  if (isMark(label, "label")) setLabel(figure, label);
  return figure;
}

/** Gives a label that ends a caption to the table beside it. */
function placeLabels(nodes: readonly Node[]): Node[] {
  const result = [...nodes];
  for (let index = 0; index < result.length; index += 1) {
    const node = result[index];
    const last = node.type === "paragraph" ? getChildren(node).at(-1) : undefined;
    if (!isMark(last, "label") || last.token.kind !== "label") continue;
    const isTable = last.token.attributes.id?.startsWith("tbl:") === true;
    const neighbours = [result[index + 1], result[index - 1]];
    const table = neighbours.find((other) => other?.type === "table" && other.data?.anchor === undefined);
    if (!isTable || table === undefined) continue;
    setLabel(table, last);
    const caption = trimEnd(getChildren(node).slice(0, -1));
    if (caption.length === 0) {
      result.splice(index, 1);
      index -= 1;
      continue;
    }
    (node as Paragraph).children = caption as Paragraph["children"]; // phrasing before, phrasing after
    node.data = { ...node.data, captionOf: table.data?.anchor };
    table.data = { ...table.data, isCaptioned: true };
  }
  return result;
}

/** Turns marks that mark nothing back into text; the label that ends a heading names it. */
function settleMarks(node: Node, locator: Locator): void {
  const children = getChildren(node);
  const last = children.at(-1);
  if (node.type === "heading" && isMark(last, "label")) {
    setLabel(node, last);
    (node as { children?: Node[] }).children = trimEnd(children.slice(0, -1)); // only parents have children
  }
  const current = getChildren(node);
  for (const child of current) settleMarks(child, locator);
  if (!current.some((child) => child.type === "mark")) return;
  const settled = current.map((child) => (child.type === "mark" ? toText(child as MarkNode, locator.source) : child)); // by the test before it
  (node as { children?: Node[] }).children = mergeText(settled, locator); // only parents have children
}

/** Makes definition lists of lists whose items were written with a colon; the paragraph before holds the terms. */
function buildDefinitions(nodes: readonly Node[], locator: Locator): Node[] {
  const result: Node[] = [];
  for (const node of nodes) {
    const items = node.type === "list" ? getChildren(node) : [];
    if (!items.some(isDefinition)) {
      result.push(node);
      continue;
    }
    const term = result.at(-1);
    let list = term?.type === "definitionList" ? term : undefined;
    if (list === undefined && term?.type === "paragraph") {
      result.pop();
      list = { type: "definitionList", children: splitTerms(term, locator), position: term.position } as Node; // a node of the dialect
      const before = result.at(-1);
      if (before?.type === "definitionList") {
        getChildren(before).push(...getChildren(list));
        list = before;
      } else result.push(list);
    }
    for (const item of items) {
      const children = unmarkDefinition(item, locator);
      if (list === undefined || children === undefined) {
        result.push({ ...node, children: [children === undefined ? item : { ...item, children }] } as Node); // a node of the dialect
        continue;
      }
      getChildren(list).push({ type: "definitionItem", children, position: item.position } as Node); // a node of the dialect
      list.position = locator.makePosition(list.position?.start.offset ?? 0, item.position?.end.offset ?? 0);
    }
  }
  return result;
}

function isDefinition(item: Node): boolean {
  return isMark(getChildren(getChildren(item)[0] ?? item)[0], "definition");
}

function unmarkDefinition(item: Node, locator: Locator): Node[] | undefined {
  const [first, ...rest] = getChildren(item);
  if (first === undefined || !isMark(getChildren(first)[0], "definition")) return undefined;
  const children = mergeText(getChildren(first).slice(1), locator);
  return children.length === 0 ? rest : [{ ...first, children } as Node, ...rest]; // a node of the dialect
}

const lineEnd = /\r\n|[\r\n]/;

/** One term for each line of a paragraph. */
function splitTerms(paragraph: Node, locator: Locator): Node[] {
  const lines: Node[][] = [[]];
  for (const child of getChildren(paragraph)) {
    if (child.type !== "text") {
      lines.at(-1)?.push(child);
      continue;
    }
    const parts = (child as Text).value.split(lineEnd); // by the line before
    for (const [index, value] of parts.entries()) {
      if (index > 0) lines.push([]);
      if (value !== "") lines.at(-1)?.push({ ...child, value } as Text); // a node of the dialect
    }
  }
  return lines
    .filter((line) => line.length > 0)
    .map((children) => {
      const [start, end] = [children[0].position?.start.offset ?? 0, children.at(-1)?.position?.end.offset ?? 0];
      return { type: "definitionTerm", children, position: locator.makePosition(start, end) } as Node; // a node of the dialect
    });
}

const alertPattern = /^\[!([A-Za-z]+)\][ \t]*/;

/** Returns a quote as the callout it is, or as it stands. */
function buildCallout(quote: Blockquote, locator: Locator, report: ReportProblem): Node {
  const [paragraph, ...rest] = quote.children;
  if (paragraph?.type !== "paragraph") return quote;
  const [first] = paragraph.children;
  if (first?.type !== "text") return quote;
  const alert = alertPattern.exec(first.value);
  const alertKind = alert === null ? undefined : findWordKind(alert[1]);
  if (alert !== null && alertKind !== undefined) {
    const [title, body] = splitLine(
      trimStart(shift(paragraph.children, first, alert[0].length)),
      /^[ \t]*[\r\n]/.test(first.value.slice(alert[0].length)) || first.value.length === alert[0].length,
    );
    return makeCallout(quote, { kind: alertKind, mark: alert[1].toLowerCase() }, title, body, rest, locator);
  }
  const leading = findLeadingMark(first.value);
  if (leading === undefined) return quote;
  const { mark, kind } = leading;
  if (kind === undefined) {
    report(
      "callout.unknown-mark",
      `The quote begins with ${mark}, which marks no kind of callout: it stays a quote`,
      first.position?.start.offset ?? 0,
    );
    return quote;
  }
  const content = trimStart(shift(paragraph.children, first, mark.length));
  const [title, body] = splitTitle(content, rest.length > 0);
  return makeCallout(quote, { kind, mark }, title, body, rest, locator);
}

function shift(children: readonly Node[], first: Text, length: number): Node[] {
  return [{ ...first, value: first.value.slice(length) } as Text, ...children.slice(1)]; // a node of the dialect
}

/** Text on the line of an alert's mark is its title. */
function splitLine(nodes: readonly Node[], isBodyOnly: boolean): [readonly Node[], readonly Node[]] {
  if (isBodyOnly) return [[], nodes];
  const title: Node[] = [];
  for (const [index, node] of nodes.entries()) {
    const value = node.type === "text" ? (node as Text).value : ""; // by the test before it
    const at = value.search(lineEnd);
    if (at < 0) {
      title.push(node);
      continue;
    }
    title.push({ ...node, value: value.slice(0, at) } as Text); // a node of the dialect
    return [trimEnd(title), trimStart([{ ...node, value: value.slice(at + 1) } as Text, ...nodes.slice(index + 1)])]; // a node of the dialect
  }
  return [trimEnd(title), []];
}

const separator = /^\s*(?:[—–:：-]+|——)\s*/u;
const endSeparator = /\s*(?:[—–:：]+|\s-)\s*$/u;

/** A bold lead before a dash or colon, or alone on its line, is the title. */
function splitTitle(content: readonly Node[], hasMore: boolean): [readonly Node[], readonly Node[]] {
  const [lead, next, ...others] = content;
  if (lead?.type !== "strong") return [[], content];
  const inner = getChildren(lead);
  const last = inner.at(-1);
  if (next === undefined) return hasMore || inner.length > 0 ? [trimSeparator(inner), []] : [[], content];
  // A text by its type.
  if (last?.type === "text" && endSeparator.test((last as Text).value))
    return [trimSeparator(inner), trimStart([next, ...others])];
  if (next.type === "break") return [inner, trimStart(others)];
  if (next.type !== "text") return [[], content];
  const { value } = next as Text; // by the line before
  const separated = separator.exec(value)?.[0];
  if (separated !== undefined && separated.trim() !== "") {
    return [inner, trimStart([{ ...next, value: value.slice(separated.length) } as Text, ...others])]; // a node of the dialect
  }
  return /^[\r\n]/.test(value) ? [inner, trimStart([next, ...others])] : [[], content];
}

function trimSeparator(nodes: readonly Node[]): Node[] {
  const last = nodes.at(-1);
  if (last?.type !== "text") return [...nodes];
  const value = (last as Text).value.replace(endSeparator, ""); // by the line before
  return value === "" ? nodes.slice(0, -1) : [...nodes.slice(0, -1), { ...last, value } as Text]; // a node of the dialect
}

function makeCallout(
  quote: Blockquote,
  { kind, mark }: { readonly kind: string; readonly mark: string },
  title: readonly Node[],
  body: readonly Node[],
  rest: readonly Node[],
  { makePosition }: Locator,
): Node {
  const place = (nodes: readonly Node[]) =>
    makePosition(nodes[0].position?.start.offset ?? 0, nodes.at(-1)?.position?.end.offset ?? 0);
  const head = title.length === 0 ? [] : [{ type: "calloutTitle", children: [...title], position: place(title) }];
  const paragraph = body.length === 0 ? [] : [{ type: "paragraph", children: [...body], position: place(body) }];
  return { type: "callout", kind, mark, children: [...head, ...paragraph, ...rest], position: quote.position } as Node; // a node of the dialect
}
