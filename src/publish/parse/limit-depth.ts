// internal
import type { Node, Root } from "mdast";
import { getChildren, makeParent, type Locator } from "./restore-tree.js";
import type { ReportProblem } from "./protect-blocks.js";

/** How deep nodes may stand in each other; prose comes nowhere near, and everything after may call itself. */
const maxDepth = 150;

const phrasing = new Set(["emphasis", "strong", "delete", "link", "linkReference"]);

/**
 * Replaces what stands too deep in a parsed tree by its source as text, in place, and reports the first of it. It
 * walks without calling itself, so that no text exhausts the stack.
 */
export function limitDepth(
  tree: Root,
  { source, toSource, toSourceEnd, makePosition }: Locator,
  report: ReportProblem,
): void {
  const open: { readonly node: Node; readonly depth: number }[] = [{ node: tree, depth: 0 }];
  let isReported = false;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    const children = getChildren(node);
    for (const [index, child] of children.entries()) {
      if (depth < maxDepth || getChildren(child).length === 0) {
        open.push({ node: child, depth: depth + 1 });
        continue;
      }
      const start = toSource(child.position?.start.offset ?? 0);
      const position = makePosition(start, Math.max(start, toSourceEnd(child.position?.end.offset ?? 0)));
      const text: Node & { value: string } = {
        type: "text",
        value: source.slice(position.start.offset, position.end.offset),
        position: child.position,
      };
      // A list holds items only, and an item holds blocks.
      const paragraph = phrasing.has(child.type) ? text : makeParent("paragraph", [text], child.position);
      children[index] = child.type === "listItem" ? makeParent("listItem", [paragraph], child.position) : paragraph;
      if (!isReported)
        report(
          "text.too-deep",
          "More blocks or marks stand in each other here than any text needs: they are shown as written",
          start,
        );
      isReported = true;
    }
  }
}
