import { problemRule } from "../../problem-rule.js";

/** Comments that are opened and never closed. */
export const commentUnclosedRule = problemRule({
  id: "comment.unclosed",
  severity: "error",
  description: "Finds comments that are opened and never closed.",
  rationale: "The rest of the document disappears in other renderers.",
  remedy: "Close it with `-->`",
  examples: [
    { name: "a closed comment", markdown: "<!-- note -->\n\nText", messages: [] },
    { name: "an open one", markdown: "<!-- note\n\nText", messages: ["The comment is never closed"] },
  ],
});
