// internal
import type {
  Definition,
  FootnoteDefinition,
  FootnoteReference,
  Image,
  ImageReference,
  Link,
  LinkReference,
  Node,
  Root,
  Text,
} from "mdast";
import { getBaseLanguage } from "./language.js";
import type { CrossReferenceNode, SpanNode } from "./nodes.js";
import type { ReportProblem } from "./protect-blocks.js";
import { getChildren } from "./restore-tree.js";
import { getVisibleText } from "./visible-text.js";

const words: { readonly [language: string]: { readonly [kind: string]: string } } = {
  en: { math: "Equation", table: "Table", figure: "Figure", code: "Listing" },
  zh: { math: "式", table: "表", figure: "图", code: "代码" },
  vi: { math: "Công thức", table: "Bảng", figure: "Hình", code: "Mã" },
};

/** Returns a number with the word of its kind in the language of the document. */
export function nameNumber(kind: string, count: number, lang: string): string {
  const base = getBaseLanguage(lang);
  const word = (words[base] ?? words.en)[kind] ?? "";
  const number = kind === "math" ? `(${count})` : String(count);
  return base === "zh" ? `${word}${number}` : `${word}\u00A0${number}`;
}

/** Calls back for a node and everything in it, in order. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const child of getChildren(node)) walk(child, visit);
}

/**
 * Numbers what has a label and gives every cross-reference its target and text, in place. A label that is given
 * twice counts once; references to claims are left to the claims of the page.
 */
export function resolveReferences(tree: Root, taken: Set<string>, lang: string, report: ReportProblem): void {
  const targets = new Map<string, string>();
  const counts = new Map<string, number>();
  const tables = new Map<string, number>();
  const claims = new Set<string>();
  walk(tree, (node) => {
    const anchor = node.data?.anchor ?? (node as Partial<SpanNode>).label; // only parents have children
    if (node.type === "boundNumber") claims.add((node as unknown as { claim: string }).claim); // by its type
    if (node.type === "heading" && anchor !== undefined) targets.set(anchor, getVisibleText(node));
    else if (node.type === "span" && anchor !== undefined) targets.set(anchor, getVisibleText(node));
    else if (anchor !== undefined && ["math", "table", "figure", "code"].includes(node.type)) {
      if (taken.has(anchor)) {
        report("reference.duplicate-label", `The label "${anchor}" is given twice`, node.position?.start.offset ?? 0);
        node.data = { ...node.data, anchor: undefined };
        return;
      }
      const count = (counts.get(node.type) ?? 0) + 1;
      counts.set(node.type, count);
      taken.add(anchor);
      targets.set(anchor, nameNumber(node.type, count, lang));
      node.data = { ...node.data, number: count };
      if (node.type === "table") tables.set(anchor, count);
    }
  });
  walk(tree, (node) => {
    const number = tables.get(node.data?.captionOf ?? "");
    if (number !== undefined) node.data = { ...node.data, number };
    if (node.type !== "crossReference") return;
    const reference = node as CrossReferenceNode; // by its type
    const text = targets.get(reference.label);
    if (text !== undefined) {
      reference.target = reference.label;
      reference.text = text;
    } else if (!claims.has(reference.label)) {
      report("reference.unresolved", `Nothing has the label "${reference.label}"`, node.position?.start.offset ?? 0);
    }
  });
}

/**
 * Makes links and images of those that are written as references, in place, so that whatever holds for an address
 * holds wherever it is written. Of two definitions the first counts.
 */
export function resolveDefinitions(tree: Root): void {
  const definitions = new Map<string, Definition>();
  walk(tree, (node) => {
    if (node.type !== "definition") return;
    const definition = node as Definition; // by its type, as below
    const name = definition.identifier.toUpperCase();
    if (!definitions.has(name)) definitions.set(name, definition);
  });
  walk(tree, (node) => {
    if (node.type !== "linkReference" && node.type !== "imageReference") return;
    const definition = definitions.get((node as LinkReference | ImageReference).identifier.toUpperCase()); // by its type
    if (definition === undefined) return;
    const { url, title } = definition;
    const resolved: Partial<Link | Image> = { type: node.type === "linkReference" ? "link" : "image", url, title };
    Object.assign(node, resolved);
  });
}

/**
 * Moves footnotes to the end of the document in the order of their first mention, unmentioned ones last and reported,
 * and numbers them in `data.number`. Mentions of footnotes that do not exist are reported.
 */
export function placeFootnotes(tree: Root, report: ReportProblem): void {
  const definitions = new Map<string, FootnoteDefinition>();
  const mentioned: string[] = [];
  const take = (node: Node): void => {
    const children = getChildren(node);
    for (const child of children) take(child);
    for (const child of children) {
      if (child.type !== "footnoteDefinition") continue;
      const definition = child as FootnoteDefinition; // by its type
      if (definitions.has(definition.identifier)) {
        report(
          "footnote.duplicate",
          `The footnote "${definition.identifier}" is defined twice`,
          child.position?.start.offset ?? 0,
        );
        definition.identifier = `${definition.identifier}-${child.position?.start.line ?? 0}`;
      }
      definitions.set(definition.identifier, definition);
    }
    if (children.length > 0) {
      (node as { children?: Node[] }).children = children.filter((child) => child.type !== "footnoteDefinition"); // only parents have children
    }
  };
  take(tree);
  const visit = (node: Node): void => {
    if (node.type === "footnoteReference") {
      const { identifier } = node as FootnoteReference; // by its type
      if (!mentioned.includes(identifier)) {
        mentioned.push(identifier);
        const definition = definitions.get(identifier);
        if (definition !== undefined) walk(definition, visit);
      }
    } else if (node.type === "text") {
      // A text by its type.
      for (const { 0: mention, index } of (node as Text).value.matchAll(/\[\^[^\]\s]+\]/g)) {
        report(
          "footnote.undefined",
          `The footnote ${mention} is not defined`,
          (node.position?.start.offset ?? 0) + index,
        );
      }
    }
  };
  walk(tree, visit);
  const rest = [...definitions.keys()].filter((identifier) => !mentioned.includes(identifier));
  for (const identifier of rest) {
    report(
      "footnote.unused",
      `Nothing mentions the footnote "${identifier}": it stands at the end`,
      definitions.get(identifier)?.position?.start.offset ?? 0,
    );
  }
  for (const [index, identifier] of [...mentioned, ...rest].entries()) {
    const definition = definitions.get(identifier);
    if (definition === undefined) continue;
    definition.data = { ...definition.data, number: index + 1 };
    tree.children.push(definition);
  }
}
