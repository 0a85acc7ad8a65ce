import { problemRule } from "../../problem-rule.js";

/** Blocks or marks nested deeper than any text needs. */
export const textTooDeepRule = problemRule({
  id: "text.too-deep",
  severity: "warning",
  description: "Finds blocks or marks nested deeper than any text needs.",
  rationale: "Beyond some depth they are shown as written, so that a page can be made of any text.",
  remedy: "Take out the marks that stand there by accident, such as a row of quote signs",
  examples: [
    { name: "a quote in a quote", markdown: "> > Said before.", messages: [] },
    {
      name: "a row of quote signs",
      markdown: `${">".repeat(160)} text`,
      messages: ["More blocks or marks stand in each other here than any text needs: they are shown as written"],
    },
  ],
});
