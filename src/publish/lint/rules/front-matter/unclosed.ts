import { problemRule } from "../../problem-rule.js";

/** Front matter that is opened and never closed. */
export const frontMatterUnclosedRule = problemRule({
  id: "front-matter.unclosed",
  severity: "error",
  description: "Finds front matter that is opened and never closed.",
  rationale: "The settings are shown as text.",
  remedy: "Close it with a line of three hyphens",
  examples: [
    { name: "closed front matter, and a rule as the first line", markdown: "---\n\nText", messages: [] },
    {
      name: "no second line of hyphens",
      markdown: "---\nid: a\ntitle: B\n\nText",
      messages: ['The front matter opened by "---" is never closed'],
    },
  ],
});
