import { visit } from "unist-util-visit";
import { lintFinding, lintRule } from "../../lint-rule.js";

/** Boxes with nothing in them. */
export const calloutTitleOnlyRule = lintRule({
  id: "callout.title-only",
  severity: "warning",
  description: "Finds callouts that have a title and no body.",
  rationale: "The box shows a heading over nothing; usually its text or its list was left outside.",
  remedy: "Mark the body with >, or write the line without a title",
  examples: [
    {
      name: "a title with a body, and text without a title",
      markdown: "> 💡 **Note** — read on.\n\n> 💡 Read on.",
      messages: [],
    },
    {
      name: "a title alone",
      markdown: "> ⚠️ **Conventions**\n\n- one",
      messages: ["The callout has a title and no body"],
    },
  ],
  check({ document }) {
    const lines: number[] = [];
    visit(document.tree, "callout", ({ children, position }) => {
      if (children.every(({ type }) => type === "calloutTitle" || type === "comment"))
        lines.push(position?.start.line ?? 1);
    });
    return lines.map((line) => lintFinding(line, "The callout has a title and no body"));
  },
});
