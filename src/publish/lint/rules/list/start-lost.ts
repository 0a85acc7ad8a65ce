import { lintFinding, lintRule } from "../../lint-rule.js";

/** Ordered lists cut in two. */
export const listStartLostRule = lintRule({
  id: "list.start-lost",
  severity: "error",
  description: "Finds an ordered list that begins above 1 because a block at the margin ended the list before it.",
  rationale:
    "The page keeps the number; renderers that do not begin again at 1. For readers of either, the block between belongs to no item.",
  remedy: "Indent the block under its item, so that the list goes on",
  examples: [
    { name: "a block indented under its item", markdown: "1. one\n\n   $$a$$\n\n2. two", messages: [] },
    { name: "a list that begins above 1 on its own", markdown: "## Rules\n\n3. third", messages: [] },
    {
      name: "a block at the margin between two items",
      markdown: "1. one\n\n$$a$$\n\n2. two",
      messages: ["The list begins at 2: the block on line 3 ended the list before it"],
      lines: [5],
    },
  ],
  check({ document }) {
    const { blocks } = document;
    return blocks.flatMap((block, i) => {
      const { type, start, lineStart, parent } = block;
      if (type !== "list" || start === undefined || start === 1) return [];
      const siblings = blocks.slice(0, i).filter((other) => other.parent === parent);
      const sinceHeading = siblings.slice(siblings.findLastIndex((other) => other.type === "heading") + 1);
      const at = sinceHeading.findLastIndex((other) => other.type === "list" && other.start !== undefined);
      const before = sinceHeading[at];
      const between = sinceHeading[at + 1];
      if (before?.start === undefined || between === undefined) return [];
      if (before.start + (before.itemCount ?? 0) !== start) return [];
      return [
        lintFinding(
          lineStart,
          `The list begins at ${start}: the block on line ${between.lineStart} ended the list before it`,
        ),
      ];
    });
  },
});
