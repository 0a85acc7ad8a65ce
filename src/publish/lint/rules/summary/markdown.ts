import { visit } from "unist-util-visit";
import { lintFinding, lintRule } from "../../lint-rule.js";

/** Titles of folded parts with markup. */
export const summaryMarkdownRule = lintRule({
  id: "summary.markdown",
  severity: "note",
  description: "Finds emphasis or code in summaries.",
  rationale: "The page renders it; other renderers leave Markdown inside HTML tags raw.",
  remedy: "Use plain words where the text is read elsewhere too",
  examples: [
    {
      name: "plain words and maths",
      markdown: "<details>\n<summary>Why $x$?</summary>\n\nA\n\n</details>",
      messages: [],
    },
    {
      name: "emphasis",
      markdown: "<details>\n<summary>Why **this**?</summary>\n\nA\n\n</details>",
      messages: ["The summary holds emphasis or code"],
    },
  ],
  check({ document }) {
    const lines = new Set<number>();
    visit(document.tree, "summary", (summary) => {
      visit(summary, ({ type }) => {
        if (type === "strong" || type === "emphasis" || type === "inlineCode")
          lines.add(summary.position?.start.line ?? 1);
      });
    });
    return [...lines].map((line) => lintFinding(line, "The summary holds emphasis or code"));
  },
});
