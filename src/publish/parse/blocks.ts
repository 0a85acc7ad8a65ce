// internal
import type { Code, Heading, List, Node } from "mdast";
import type { Block, BlockType, InlineMath } from "../document.js";
import { parseAttributes } from "./attributes.js";
import type { CalloutNode, InlineMathNode, MathNode } from "./nodes.js";
import { getChildren } from "./restore-tree.js";
import { getVisibleText } from "./visible-text.js";

const types: { readonly [nodeType: string]: readonly [BlockType, string] } = {
  heading: ["heading", "h"],
  paragraph: ["paragraph", "p"],
  list: ["list", "list"],
  listItem: ["item", "li"],
  table: ["table", "tbl"],
  code: ["code", "code"],
  math: ["math", "eq"],
  blockquote: ["quote", "quote"],
  callout: ["callout", "box"],
  details: ["details", "fold"],
  summary: ["summary", "sum"],
  figure: ["figure", "fig"],
  thematicBreak: ["rule", "hr"],
  footnoteDefinition: ["footnote", "fn"],
  definitionList: ["list", "list"],
  definitionTerm: ["definition", "dt"],
  definitionItem: ["definition", "dd"],
};

/** The blocks of a tree and the formulas within lines. */
export interface CollectedBlocks {
  readonly blocks: readonly Block[];
  readonly inlineMath: readonly InlineMath[];
}

interface Context {
  readonly parent?: string;
  readonly isFolded: boolean;
}

/**
 * Lists the blocks of a tree in its order and gives every node that is a block its id in `data.block`. A label of the
 * author is the id; else it is the kind with its count.
 */
export function collectBlocks(tree: Node, source: string): CollectedBlocks {
  const blocks: Block[] = [];
  const inlineMath: InlineMath[] = [];
  const counts = new Map<string, number>();
  const used = new Set<string>();
  let path: { depth: number; text: string }[] = [];

  function makeId(node: Node, short: string): string {
    const count = (counts.get(short) ?? 0) + 1;
    counts.set(short, count);
    const label = node.type === "heading" ? undefined : node.data?.anchor;
    const id = label !== undefined && !used.has(label) ? label : `${short}:${count}`;
    used.add(id);
    return id;
  }
  function visit(node: Node, context: Context): void {
    if (node.type === "inlineMath" && context.parent !== undefined) {
      const { value } = node as InlineMathNode; // by its type
      inlineMath.push({ tex: value, block: context.parent, line: node.position?.start.line ?? 1 });
    }
    const kind = Object.hasOwn(types, node.type) ? types[node.type] : undefined;
    if (kind === undefined) {
      for (const child of getChildren(node)) visit(child, context);
      return;
    }
    const [type, short] = kind;
    const id = makeId(node, short);
    node.data = { ...node.data, block: id };
    if (node.type === "heading") {
      const { depth } = node as Heading; // by its type
      path = path.filter((heading) => heading.depth < depth);
    }
    const isFolded = context.isFolded || node.type === "details" || node.type === "footnoteDefinition";
    const { start, end } = node.position ?? { start: { line: 1, offset: 0 }, end: { line: 1, offset: 0 } };
    blocks.push({
      id,
      type,
      lineStart: start.line,
      lineEnd: end.line,
      ...(context.parent === undefined ? {} : { parent: context.parent }),
      headingPath: path.map(({ text }) => text),
      source: source.slice(start.offset, end.offset),
      text: getVisibleText(node),
      ...describe(node, context.isFolded),
    });
    const outer = path;
    for (const child of getChildren(node)) visit(child, { parent: id, isFolded });
    path = outer;
    if (node.type === "heading") path = [...path, { depth: (node as Heading).depth, text: getVisibleText(node) }]; // by its type
  }
  visit(tree, { isFolded: false });
  return { blocks, inlineMath };
}

/** Returns the fields that only some kinds of block have. */
function describe(node: Node, isFolded: boolean): Partial<Block> {
  switch (node.type) {
    case "heading": {
      const { depth } = node as Heading; // by its type, as below
      return { depth, anchor: node.data?.anchor, isInToc: !isFolded && (depth === 2 || depth === 3) };
    }
    case "code":
      return describeCode(node as Code); // by its type
    case "math":
      return {
        tex: (node as MathNode).value, // by its type
        ...(node.data?.anchor === undefined ? {} : { anchor: node.data.anchor }),
      };
    case "callout":
      return { callout: (node as CalloutNode).kind }; // by its type
    case "list": {
      const { ordered, start, children } = node as List; // by its type
      return { itemCount: children.length, ...(ordered === true ? { start: start ?? 1 } : {}) };
    }
    case "definitionList":
      return { itemCount: getChildren(node).length };
    case "table": {
      const rows = getChildren(node).map((row) => getChildren(row).map(getVisibleText));
      return { rows, ...(node.data?.anchor === undefined ? {} : { anchor: node.data.anchor }) };
    }
    case "figure":
      return node.data?.anchor === undefined ? {} : { anchor: node.data.anchor };
    default:
      return {};
  }
}

const boxDrawing = /[\u2500-\u257F]/;

/** Returns the language of a fence in lower case; `diagram` for one without that holds box-drawing characters. */
export function getCodeLanguage({ lang, value }: Pick<Code, "lang" | "value">): string | undefined {
  const name = /^[^\s{,]+/
    .exec(lang ?? "")?.[0]
    .toLowerCase()
    .replace(/^\./, "");
  if (name !== undefined && name !== "") return name;
  return boxDrawing.test(value) ? "diagram" : undefined;
}

function describeCode(node: Code): Partial<Block> {
  const language = getCodeLanguage(node);
  return {
    code: node.value,
    ...(language === undefined ? {} : { language }),
    attributes: readInfo(node),
    ...(node.data?.anchor === undefined ? {} : { anchor: node.data.anchor }),
  };
}

const infoPart = /([A-Za-z][\w-]*)(?:=(?:"([^"]*)"|'([^']*)'|(\S+)))?/g;

/** Returns the attributes of an info string: `name=value`, `name="two words"`, and bare names as "". */
export function readInfo({ lang, meta }: Pick<Code, "lang" | "meta">): { [name: string]: string } {
  const info = `${lang ?? ""} ${meta ?? ""}`.replace(/^\s*[^\s{]+/, "").trim();
  const braced = /^\{(.*)\}$/s.exec(info)?.[1];
  const values: { [name: string]: string } = {};
  const parsed = braced === undefined ? undefined : parseAttributes(braced);
  if (parsed !== undefined) return { ...parsed.values };
  for (const [, name = "", double, single, bare] of (braced ?? info).replace(/#[\w:.-]+/g, " ").matchAll(infoPart)) {
    values[name] = double ?? single ?? bare ?? "";
  }
  return values;
}

/** Returns the label of an info string, written `#code:name`. */
export function findInfoLabel({ lang, meta }: Pick<Code, "lang" | "meta">): string | undefined {
  return /(?:^|[\s{])#([A-Za-z_][\w:.-]*)/.exec(`${lang ?? ""} ${meta ?? ""}`)?.[1];
}
