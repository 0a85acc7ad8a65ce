import { problemRule } from "../../problem-rule.js";

/** Front matter that is no yaml mapping. */
export const frontMatterSyntaxRule = problemRule({
  id: "front-matter.syntax",
  severity: "error",
  description: "Finds front matter that is no YAML mapping.",
  rationale: "None of its settings can be read.",
  remedy: "Correct the YAML: one key: value a line",
  examples: [
    { name: "a mapping", markdown: "---\nid: a\n---\n\nText", messages: [] },
    {
      name: "brackets that are not closed",
      markdown: "---\nid: [a\n---\n\nText",
      messages: [
        "The front matter cannot be read: Flow sequence in block collection must be sufficiently indented and end with a ]",
      ],
    },
  ],
});
