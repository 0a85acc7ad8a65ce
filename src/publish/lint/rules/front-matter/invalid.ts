import { problemRule } from "../../problem-rule.js";

/** Values of the front matter that do not fit their key. */
export const frontMatterInvalidRule = problemRule({
  id: "front-matter.invalid",
  severity: "error",
  description: "Finds values of the front matter that do not fit their key.",
  rationale: "The setting is ignored, and the document treated as if it were not there.",
  remedy: "Correct the value",
  examples: [
    { name: "a known kind", markdown: "---\nkind: report\n---\n\nText", messages: [] },
    {
      name: "an unknown kind",
      markdown: "---\nkind: poem\n---\n\nText",
      messages: [
        'The key "kind" does not fit: Invalid option: expected one of "tutorial"|"report"|"paper"|"page", found "poem"',
      ],
    },
  ],
});
