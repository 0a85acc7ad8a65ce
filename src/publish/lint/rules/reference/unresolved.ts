import { problemRule } from "../../problem-rule.js";

/** References to labels that the document does not have. */
export const referenceUnresolvedRule = problemRule({
  id: "reference.unresolved",
  severity: "error",
  description: "Finds references to labels that the document does not have.",
  rationale: "Readers meet a reference that leads nowhere.",
  remedy: "Correct the label, or give it to the heading, table, figure or equation it means",
  examples: [
    { name: "a label that exists", markdown: "## A {#sec:a}\n\nSee [#sec:a].", messages: [] },
    { name: "a label that does not", markdown: "See [#sec:b].", messages: ['Nothing has the label "sec:b"'] },
  ],
});
