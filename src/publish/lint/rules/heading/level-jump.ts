import { lintFinding, lintRule } from "../../lint-rule.js";

/** Headings that skip a level. */
export const headingLevelJumpRule = lintRule({
  id: "heading.level-jump",
  severity: "error",
  description: "Finds headings more than one level below the heading before them.",
  rationale: "The outline has a hole: tables of contents and screen readers show a section without its parent.",
  remedy: "Raise the heading, or add the level between",
  examples: [
    { name: "one level at a time, any number back", markdown: "## A\n\n### B\n\n#### C\n\n## D", messages: [] },
    { name: "a level skipped", markdown: "## A\n\n#### B", messages: ["The level goes from 2 to 4"], lines: [3] },
  ],
  check({ document }) {
    const headings = document.blocks.filter(({ type }) => type === "heading");
    return headings.flatMap(({ depth = 1, lineStart }, i) => {
      const before = headings[i - 1]?.depth;
      return before === undefined || depth <= before + 1
        ? []
        : [lintFinding(lineStart, `The level goes from ${before} to ${depth}`)];
    });
  },
});
