// internal
import type { Heading, Node } from "mdast";
import type { ReportProblem } from "./protect-blocks.js";
import { getChildren } from "./restore-tree.js";
import { getVisibleText } from "./visible-text.js";

/**
 * Returns the anchor of a heading: NFKC, lower case, letters and digits of every script, hyphens for the rest.
 *
 * @example
 * makeSlug("3.1: GRPO 的优势"); // "3-1-grpo-的优势"
 */
export function makeSlug(text: string): string {
  const slug = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  if (slug === "") return "section";
  return slug.startsWith("tw-") ? `s-${slug}` : slug; // the page's own ids begin so
}

/** Gives every heading its anchor in `data.anchor`; the author's own first, so that a made one never takes it. */
export function nameHeadings(tree: Node, taken: Set<string>, report: ReportProblem): Heading[] {
  const headings: Heading[] = [];
  const collect = (node: Node): void => {
    if (node.type === "heading") headings.push(node as Heading); // by its type
    for (const child of getChildren(node)) collect(child);
  };
  collect(tree);
  for (const heading of headings) {
    const anchor = heading.data?.anchor;
    if (anchor === undefined) continue;
    if (taken.has(anchor)) {
      report("reference.duplicate-label", `The label "${anchor}" is given twice`, heading.position?.start.offset ?? 0);
      heading.data = { ...heading.data, anchor: undefined };
    } else taken.add(anchor);
  }
  for (const heading of headings) {
    if (heading.data?.anchor !== undefined) continue;
    const slug = makeSlug(getVisibleText(heading));
    let anchor = slug;
    for (let count = 2; taken.has(anchor); count += 1) anchor = `${slug}-${count}`;
    taken.add(anchor);
    heading.data = { ...heading.data, anchor };
  }
  return headings;
}
