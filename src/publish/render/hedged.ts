import type { Node, Parent } from "mdast";
import type { PublishDocument } from "../document.js";
import type { SpanNode } from "../parse/nodes.js";
import { getVisibleText } from "../parse/visible-text.js";

/** Returns the statements that the text itself marks as unverified, in order. */
export function listHedgedStatements({ tree }: PublishDocument): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (node.type === "span" && (node as SpanNode).status === "hedged") found.push(getVisibleText(node).trim()); // by its type
    for (const child of (node as Partial<Parent>).children ?? []) visit(child); // only parents have children
  };
  visit(tree);
  return found;
}
