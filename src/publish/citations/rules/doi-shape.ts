import { nameWork, type CiteRule } from "../cite-rule.js";
import { findDoiFault } from "../work-id.js";

/** DOIs that cannot be. */
export const citeDoiShapeRule: CiteRule = {
  id: "cite.doi-shape",
  severity: "error",
  description: "Finds DOIs that do not have the syntax of one.",
  rationale: "A broken DOI resolves to nothing.",
  remedy: "Copy the DOI from its publisher's page",
  examples: [
    { name: "DOIs", markdown: "See 10.1038/nature14539 and doi:10.48550/arXiv.1706.03762.", messages: [] },
    {
      name: "no prefix, nothing behind it",
      markdown: "See doi:nature14539 and doi:10.1/x.",
      messages: [
        'The DOI "nature14539" cannot be: it does not begin with "10."',
        'The DOI "10.1/x" cannot be: its prefix is no 10. with 4 to 9 digits and a slash',
      ],
    },
    {
      name: "in the registry",
      markdown: "See [@a].",
      bibtex: "@article{a, title = {A}, author = {Li, B}, year = 2023, doi = {doi.org/10.1000}}",
      messages: ['The DOI "doi.org/10.1000" of @a cannot be: it does not begin with "10."'],
    },
  ],
  check({ uses, registry }) {
    const inText = uses.flatMap((use) => {
      const fault = use.doi === undefined ? undefined : findDoiFault(use.doi);
      if (fault === undefined) return [];
      return [{ message: `The DOI "${use.doi}" cannot be: ${fault}`, line: use.line, work: nameWork(use) }];
    });
    const inRegistry = registry.entries.flatMap(({ id, DOI }) => {
      const fault = DOI === undefined ? undefined : findDoiFault(DOI);
      return fault === undefined ? [] : [{ message: `The DOI "${DOI}" of @${id} cannot be: ${fault}`, work: `@${id}` }];
    });
    return [...inText, ...inRegistry];
  },
};
