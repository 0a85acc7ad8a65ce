import type { CiteRule } from "../cite-rule.js";
import { isPlaceholderKey } from "./placeholder.js";

/** Keys that lead nowhere. */
export const citeUnresolvedRule: CiteRule = {
  id: "cite.unresolved",
  severity: "error",
  description: "Finds citation keys that the registry does not have.",
  rationale: "Readers cannot find the work.",
  remedy: "Add the work to the bibliography, or correct the key",
  examples: [
    { name: "a known key", markdown: "See [@a].", bibtex: "@misc{a, title = {A}}", messages: [] },
    {
      name: "a key with a slip, and one without an entry",
      markdown: "See [@shao2042] and [@wang].",
      bibtex: "@misc{shao2024, title = {A}}",
      messages: ["Nothing has the key @shao2042: is @shao2024 meant?", "Nothing has the key @wang"],
    },
  ],
  check({ uses, registry }) {
    return uses.flatMap(({ key, line }) => {
      if (key === undefined || registry.find(key) !== undefined || isPlaceholderKey(key)) return [];
      const sorted = (text: string): string => text.toLowerCase().split("").sort().join("");
      const near = registry.entries.find(({ id }) => sorted(id) === sorted(key));
      const hint = near === undefined ? "" : `: is @${near.id} meant?`;
      return [{ message: `Nothing has the key @${key}${hint}`, line, work: `@${key}` }];
    });
  },
};
