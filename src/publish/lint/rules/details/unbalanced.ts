import { visit } from "unist-util-visit";
import { lintFinding, lintRule } from "../../lint-rule.js";

/** Folded parts without an end or a title. */
export const detailsUnbalancedRule = lintRule({
  id: "details.unbalanced",
  severity: "error",
  description: "Finds `<details>` and `<summary>` tags without a partner, and folded parts without a summary.",
  rationale: "Everything after an open tag is folded away; a part without a summary shows a title that says nothing.",
  remedy: "Close the tag, or add `<summary>…</summary>` as the first line",
  examples: [
    { name: "a complete part", markdown: "<details>\n<summary>Q</summary>\n\nA\n\n</details>", messages: [] },
    {
      name: "a tag that is never closed",
      markdown: "<details>\n<summary>Q</summary>\n\nA",
      messages: ['The tag "<details>" is never closed'],
    },
    { name: "no summary", markdown: "<details>\n\nA\n\n</details>", messages: ["The folded part has no summary"] },
  ],
  check({ document }) {
    const unbalanced = document.problems
      .filter(({ rule }) => rule === "details.unbalanced")
      .map(({ line, message }) => lintFinding(line, message));
    visit(document.tree, "details", ({ children, position }) => {
      if (!children.some(({ type }) => type === "summary"))
        unbalanced.push(lintFinding(position?.start.line ?? 1, "The folded part has no summary"));
    });
    return unbalanced;
  },
});
