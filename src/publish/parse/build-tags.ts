// internal
import type { Node, Text } from "mdast";
import { findWordKind } from "./callout-marks.js";
import { mergeText } from "./build-phrasing.js";
import { getChildren, isMark, makeParent, toText, type Locator, type MarkNode } from "./restore-tree.js";
import type { ReportProblem } from "./protect-blocks.js";

interface Frame {
  readonly name: string;
  readonly opener: MarkNode;
  readonly node: Node & { children: Node[] };
}

/** A closing tag that nothing in its list opened: shown as text unless a container around was waiting for it. */
interface Stray {
  readonly mark: MarkNode;
  readonly name: string;
  /** The text, and the nodes it stands among. */
  readonly shown: Node;
  readonly siblings: Node[];
}

/** Deeper nesting is shown as it was written, and never exhausts the stack. */
const maxDepth = 100;

const flowParents = new Set(["root", "blockquote", "list", "listItem", "footnoteDefinition"]);

/**
 * Builds folded content, figures and containers from the marks of their tags, in place. A container that is never
 * closed ends with what holds it, a closing tag at the end of a list closes what was opened before the list; both
 * and everything unmatched are reported.
 */
export function buildTags(root: Node, locator: Locator, report: ReportProblem): void {
  buildWithin(root, locator, report);
}

function buildWithin(parent: Node, locator: Locator, report: ReportProblem): Stray[] {
  if (!flowParents.has(parent.type)) return [];
  const frames: Frame[] = [];
  const result: Node[] = [];
  const strays: Stray[] = [];
  const getSiblings = (): Node[] => frames.at(-1)?.node.children ?? result;
  const push = (node: Node): void => void getSiblings().push(node);
  const endAt = ({ node }: Frame, offset: number): void => {
    const last = node.children.at(-1)?.position?.end.offset ?? 0;
    node.position = locator.makePosition(node.position?.start.offset ?? 0, Math.max(last, offset));
  };
  const leave = (frame: Frame): void => {
    const { token } = frame.opener;
    report(
      "details.unbalanced",
      `The tag ${JSON.stringify(locator.source.slice(token.start, token.end).trim())} is never closed`,
      token.start,
    );
    endAt(frame, parent.position?.end.offset ?? token.end);
  };
  const close = (mark: MarkNode, name: string): boolean => {
    const index = frames.findLastIndex((frame) => frame.name === name);
    if (index < 0) return false;
    for (const frame of frames.splice(index + 1)) leave(frame);
    const frame = frames.pop();
    if (frame !== undefined) endAt(frame, mark.token.end);
    return true;
  };
  const isListed = parent.type === "list" || parent.type === "listItem";
  /** Hands a closing tag on to what holds the list, and reports it where nothing around could have opened it. */
  const refuse = (stray: Stray): void => {
    if (isListed) strays.push(stray);
    else reportStray(stray.mark, locator, report);
  };
  for (const child of getChildren(parent)) {
    const inner = buildWithin(child, locator, report);
    const mark = findBlockMark(child);
    if (mark === undefined) push(child);
    else if (isMark(mark, "open", "container_open") && frames.length < maxDepth) {
      const frame = openFrame(mark, child, locator);
      push(frame.node);
      frames.push(frame);
    } else if (isMark(mark, "close", "container_close")) {
      const name = getName(mark);
      if (!close(mark, name)) {
        const shown = makeParagraph([toText(mark, locator.source)], mark);
        refuse({ mark, name, shown, siblings: getSiblings() });
        push(shown);
      }
    } else if (isMark(mark, "summary")) push(makeSummary(child, mark, locator));
    else {
      report(
        "details.too-deep",
        `More than ${maxDepth} blocks stand in each other here: the tag is shown as text`,
        child.position?.start.offset ?? 0,
      );
      const shown: MarkNode = mark;
      push(makeParagraph([toText(shown, locator.source), ...getChildren(child).slice(1)], shown));
    }
    for (const stray of inner) {
      if (close(stray.mark, stray.name)) stray.siblings.splice(stray.siblings.indexOf(stray.shown), 1);
      else refuse(stray);
    }
  }
  while (frames.length > 0) {
    const frame = frames.pop();
    if (frame !== undefined) leave(frame);
  }
  (parent as { children?: Node[] }).children = result; // flow parents have children
  return strays;
}

function reportStray({ token }: MarkNode, { source }: Locator, report: ReportProblem): void {
  const tag = JSON.stringify(source.slice(token.start, token.end));
  report("details.unbalanced", `The tag ${tag} closes nothing`, token.start);
}

/** Returns the mark of a block that a paragraph stands for. */
function findBlockMark(node: Node): MarkNode | undefined {
  const [first] = node.type === "paragraph" ? getChildren(node) : [];
  return isMark(first, "open", "close", "container_open", "container_close", "summary") ? first : undefined;
}

function getName({ token }: MarkNode): string {
  return token.kind === "open" || token.kind === "close" ? token.name : ":::";
}

function openFrame(opener: MarkNode, paragraph: Node, locator: Locator): Frame {
  const { token, position } = opener;
  const rest = trimStart(getChildren(paragraph).slice(1));
  if (token.kind === "open") {
    const type = token.name === "figcaption" ? "figureCaption" : token.name;
    const isOpen = token.name === "details" ? { isOpen: token.isOpen === true } : {};
    return { name: token.name, opener, node: { type, children: [...rest], position, ...isOpen } };
  }
  const name = token.kind === "container_open" ? token.name : "info";
  const kind = findWordKind(name);
  const head =
    rest.length === 0
      ? []
      : [
          {
            type: kind === undefined ? "summary" : "calloutTitle",
            children: mergeText(rest, locator),
            position: spanOf(rest, locator),
          },
        ];
  const node =
    kind !== undefined
      ? { type: "callout", kind, mark: name, children: head, position }
      : name === "figure"
        ? { type: "figure", children: rest.length === 0 ? [] : [makeParagraph(rest, opener)], position }
        : { type: "details", isOpen: false, children: head, position };
  return { name: ":::", opener, node };
}

function makeSummary(paragraph: Node, mark: MarkNode, locator: Locator): Node {
  const children = mergeText(trimEnd(trimStart(getChildren(paragraph).slice(1))), locator);
  return { type: "summary", children, position: paragraph.position ?? mark.position } as Node; // a node of the dialect
}

function makeParagraph(children: readonly Node[], { position }: MarkNode): Node {
  return makeParent("paragraph", children, position);
}

function spanOf(nodes: readonly Node[], { makePosition }: Locator) {
  return makePosition(nodes[0].position?.start.offset ?? 0, nodes[nodes.length - 1].position?.end.offset ?? 0);
}

/** Returns phrasing without spaces at its start. */
export function trimStart(nodes: readonly Node[]): Node[] {
  const [first, ...rest] = nodes;
  if (first?.type === "break") return trimStart(rest);
  if (first?.type !== "text") return [...nodes];
  const value = (first as Text).value.trimStart(); // by the line above
  return value === "" ? trimStart(rest) : [{ ...first, value } as Text, ...rest]; // a node of the dialect
}

/** Returns phrasing without spaces at its end. */
export function trimEnd(nodes: readonly Node[]): Node[] {
  const last = nodes.at(-1);
  if (last?.type === "break") return trimEnd(nodes.slice(0, -1));
  if (last?.type !== "text") return [...nodes];
  const value = (last as Text).value.trimEnd(); // by the line above
  return value === "" ? trimEnd(nodes.slice(0, -1)) : [...nodes.slice(0, -1), { ...last, value } as Text]; // a node of the dialect
}
