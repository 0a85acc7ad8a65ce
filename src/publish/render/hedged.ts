import katex from "katex";
import type { InlineCode, Node, Parent } from "mdast";
import type { PublishDocument } from "../document.js";
import type { SpanNode } from "../parse/nodes.js";
import { getVisibleText } from "../parse/visible-text.js";

/** Returns a formula in plain signs, as far as it has them. */
function readFormula(tex: string): string {
  const html = katex.renderToString(tex, { output: "mathml", throwOnError: false });
  const visible = html.replace(/<annotation[^]*?<\/annotation>/g, "").replace(/<[^>]+>/g, "");
  return visible.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&").replace(/\s+/g, " ").trim();
}

/** Returns the words of a statement: formulas in plain signs, citations left out. */
function readStatement(node: Node): string {
  if (node.type === "citation") return "";
  if (node.type === "inlineMath") return readFormula((node as InlineCode).value); // formulas have a value like code
  const { children } = node as Partial<Parent>; // only parents have children
  return children === undefined ? getVisibleText(node) : children.map(readStatement).join("");
}

/** Returns the statements that the text itself marks as unverified, in order, as one line of plain text each. */
export function listHedgedStatements({ tree }: PublishDocument): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    const isHedged = node.type === "span" && (node as SpanNode).status === "hedged"; // by its type
    if (isHedged)
      found.push(
        readStatement(node)
          .replace(/\s+/g, " ")
          .replace(/ (?=[.,;:!?])/g, "")
          .trim(),
      );
    for (const child of (node as Partial<Parent>).children ?? []) visit(child); // only parents have children
  };
  visit(tree);
  return found;
}
