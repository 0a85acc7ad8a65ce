import { problemRule } from "../../problem-rule.js";

/** Footnotes that are used and have no text. */
export const footnoteUndefinedRule = problemRule({
  id: "footnote.undefined",
  severity: "error",
  description: "Finds footnotes that are used and have no text.",
  rationale: "The mark is shown as text.",
  remedy: "Add `[^name]: text`, or remove the mark",
  examples: [
    { name: "a footnote with its text", markdown: "A[^1].\n\n[^1]: Note.", messages: [] },
    { name: "a mark alone", markdown: "A[^1].", messages: ["The footnote [^1] is not defined"] },
  ],
});
