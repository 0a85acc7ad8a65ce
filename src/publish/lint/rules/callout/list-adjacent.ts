import { lintFinding, lintRule } from "../../lint-rule.js";

/** A list glued to the end of a callout. */
export const calloutListAdjacentRule = lintRule({
  id: "callout.list-adjacent",
  severity: "warning",
  description: "Finds a callout whose last line is directly followed by an unquoted list.",
  rationale:
    "The list leaves the box, and the box ends with its lead-in. Nobody can see from the source which was meant.",
  remedy: "Mark the items with > to keep them in the box, or put a blank line before the list",
  examples: [
    { name: "a blank line, or items inside", markdown: "> 💡 Steps:\n\n- one\n\n> 💡 Steps:\n> - one", messages: [] },
    {
      name: "a list directly below",
      markdown: "> 💡 Steps:\n- one\n- two",
      messages: ["An unquoted list follows the callout without a blank line"],
      lines: [1],
    },
  ],
  check({ document }) {
    return document.blocks.flatMap(({ type, lineEnd, source }) => {
      if (type !== "callout" || !source.trimStart().startsWith(">")) return [];
      const next = document.lines[lineEnd] ?? "";
      return /^\s*(?:[-*+]|\d+[.)])\s+\S/.test(next)
        ? [lintFinding(lineEnd, "An unquoted list follows the callout without a blank line")]
        : [];
    });
  },
});
