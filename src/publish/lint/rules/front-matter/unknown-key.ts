import { problemRule } from "../../problem-rule.js";

/** Keys of the front matter that have no meaning. */
export const frontMatterUnknownKeyRule = problemRule({
  id: "front-matter.unknown-key",
  severity: "error",
  description: "Finds keys of the front matter that have no meaning.",
  rationale: "A misspelt key is ignored in silence, and its setting with it.",
  remedy: "Correct the key; the message lists the allowed ones",
  examples: [
    { name: "known keys", markdown: "---\nid: a\nkind: page\n---\n\nText", messages: [] },
    {
      name: "a misspelt key",
      markdown: "---\ntitel: A\n---\n\nText",
      messages: [
        'The key "titel" is unknown: allowed are id, kind, lang, title, subtitle, eyebrow, byline, profile, effort, assurance, date, bibliography, evidence, translation_of, code, waivers',
      ],
    },
  ],
});
