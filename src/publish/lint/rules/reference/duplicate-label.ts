import { problemRule } from "../../problem-rule.js";

/** Labels given twice. */
export const referenceDuplicateLabelRule = problemRule({
  id: "reference.duplicate-label",
  severity: "error",
  description: "Finds labels given twice.",
  rationale: "References reach only one of the two.",
  remedy: "Rename one of them",
  examples: [
    { name: "two labels", markdown: "## A {#one}\n\n## B {#two}", messages: [] },
    { name: "one label twice", markdown: "## A {#one}\n\n## B {#one}", messages: ['The label "one" is given twice'] },
  ],
});
