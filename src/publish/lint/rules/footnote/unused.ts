import { problemRule } from "../../problem-rule.js";

/** Footnotes that nothing refers to. */
export const footnoteUnusedRule = problemRule({
  id: "footnote.unused",
  severity: "warning",
  description: "Finds footnotes that nothing refers to.",
  rationale: "The note stands at the end of the page with nothing that leads to it.",
  remedy: "Refer to it, or remove it",
  examples: [
    { name: "a footnote in use", markdown: "A[^1].\n\n[^1]: Note.", messages: [] },
    {
      name: "a note alone",
      markdown: "A.\n\n[^1]: Note.",
      messages: ['Nothing mentions the footnote "1": it stands at the end'],
    },
  ],
});
