import { getEntryId } from "../registry.js";
import type { CiteRule } from "../cite-rule.js";

/** Entries that nothing cites. */
export const citeUncitedRule: CiteRule = {
  id: "cite.uncited",
  severity: "note",
  description: "Finds entries of the registry that no document of the set cites.",
  rationale: "One may have been meant to be cited. A shared registry holds such entries rightly.",
  remedy: "Cite it, or leave it out",
  examples: [
    {
      name: "cited by its key and by its id",
      markdown: "See [@a] and arXiv:1707.06347.",
      bibtex: "@misc{a, title = {A}}\n@misc{b, title = {B}, eprint = {1707.06347}}",
      messages: [],
    },
    {
      name: "never cited",
      markdown: "See [@a].",
      bibtex: "@misc{a, title = {A}}\n@misc{b, title = {B}}",
      messages: ["Nothing cites @b"],
    },
  ],
  check({ uses, otherUses, registry }) {
    const works = new Set([...uses, ...otherUses].map(({ canonical }) => canonical));
    const keys = new Set([...uses, ...otherUses].map(({ key }) => key));
    return registry.entries
      .filter((entry) => !keys.has(entry.id) && !works.has(getEntryId(entry)))
      .map(({ id }) => ({ message: `Nothing cites @${id}`, work: `@${id}` }));
  },
};
