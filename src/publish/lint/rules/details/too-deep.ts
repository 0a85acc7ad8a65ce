import { problemRule } from "../../problem-rule.js";

/** Folds and containers nested deeper than any text needs. */
export const detailsTooDeepRule = problemRule({
  id: "details.too-deep",
  severity: "warning",
  description: "Finds folds and containers nested deeper than any text needs.",
  rationale: "Beyond some depth their tags are shown as text, so that a page can be made of any text.",
  remedy: "Close folds where they end: most likely a closing tag is missing",
  examples: [
    {
      name: "a fold in a fold",
      markdown: "<details><summary>a</summary>\n\n<details><summary>b</summary>\n\nText\n\n</details>\n\n</details>",
      messages: [],
    },
    {
      name: "one fold too many",
      markdown: `${"<details>\n\n".repeat(101)}Text\n${"\n</details>\n".repeat(101)}`,
      messages: ["More than 100 blocks stand in each other here: the tag is shown as text"],
    },
  ],
});
