import { foldText, getFamily } from "../names.js";
import { getEntryId, type RegistryEntry } from "../registry.js";
import type { CiteFault, CiteRule } from "../cite-rule.js";

function isSameWork(a: RegistryEntry, b: RegistryEntry): boolean {
  if (a.id !== b.id && (a.custom.linked?.includes(b.id) === true || b.custom.linked?.includes(a.id) === true))
    return false;
  if (getEntryId(a) === getEntryId(b)) return true;
  if (a.title === undefined || b.title === undefined || foldText(a.title) !== foldText(b.title)) return false;
  const [x, y] = [a.author?.[0], b.author?.[0]];
  return x !== undefined && y !== undefined && foldText(getFamily(x)) === foldText(getFamily(y));
}

/** One work, two keys. */
export const citeDuplicateRule: CiteRule = {
  id: "cite.duplicate",
  severity: "warning",
  description: "Finds works that the registry has under two keys, and keys that it has twice.",
  rationale:
    "Facts corrected in one entry stay wrong in the other. A preprint and its published version are two records that are linked.",
  remedy: "Keep one entry, or link the two under custom.linked",
  examples: [
    {
      name: "two works",
      markdown: "See [@a; @b].",
      bibtex: "@misc{a, title = {A}, eprint = {2402.03300}}\n@misc{b, title = {B}, eprint = {2402.03301}}",
      messages: [],
    },
    {
      name: "a preprint linked to its published version",
      markdown: "See [@a; @b].",
      bibtex:
        "@misc{a, title = {A b}, author = {Li, B}, eprint = {2402.03300}}\n@inproceedings{b, title = {A B}, author = {Li, B}, booktitle = {ICML}, year = 2024}",
      custom: { b: { linked: ["a"] } },
      messages: [],
    },
    {
      name: "one id under two keys, one title of one author under two more",
      markdown: "See [@a; @b; @c; @d].",
      bibtex:
        "@misc{a, title = {A}, eprint = {2402.03300}}\n@misc{b, title = {B}, eprint = {2402.03300v2}}\n@misc{c, title = {On {X}}, author = {Li, B}, doi = {10.1000/1}}\n@misc{d, title = {On x}, author = {B Li}, doi = {10.1000/2}}",
      messages: ["@a and @b are one work", "@c and @d are one work"],
    },
  ],
  check({ registry: { entries } }) {
    return entries.flatMap((entry, index): CiteFault[] => {
      const twin = entries.slice(index + 1).find((other) => entry.id === other.id || isSameWork(entry, other));
      if (twin === undefined) return [];
      const message =
        entry.id === twin.id ? `The key @${entry.id} is given twice` : `@${entry.id} and @${twin.id} are one work`;
      return [{ message, work: `@${entry.id}` }];
    });
  },
};
