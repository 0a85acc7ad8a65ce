import { problemRule } from "../../problem-rule.js";

/** Footnotes defined twice. */
export const footnoteDuplicateRule = problemRule({
  id: "footnote.duplicate",
  severity: "error",
  description: "Finds footnotes defined twice.",
  rationale: "Only the first text is shown.",
  remedy: "Rename one of them",
  examples: [
    { name: "two footnotes", markdown: "A[^1] B[^2].\n\n[^1]: Note.\n\n[^2]: Note.", messages: [] },
    {
      name: "one name twice",
      markdown: "A[^1].\n\n[^1]: Note.\n\n[^1]: Other.",
      messages: ['The footnote "1" is defined twice'],
    },
  ],
});
