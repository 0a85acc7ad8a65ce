import { nameWork, type CiteRule } from "../cite-rule.js";
import { findArxivFault } from "../work-id.js";

/** arXiv ids that cannot be. */
export const citeArxivShapeRule: CiteRule = {
  id: "cite.arxiv-shape",
  severity: "error",
  description: "Finds arXiv ids that cannot exist: wrong month, wrong number of digits for their time, in the future.",
  rationale: "A mistyped id leads to another work or nowhere. An id of the right shape may still be the wrong one.",
  remedy: "Look the work up and correct the id",
  examples: [
    {
      name: "ids of both lengths",
      markdown: "See arXiv:2402.03300, arXiv:1412.6980v9 and arXiv:1707.06347.",
      messages: [],
    },
    {
      name: "a month 16, too few digits, the future",
      markdown: "See arXiv:2316.01234, arXiv:1707.6347 and arXiv:3001.00001.",
      messages: [
        'The arXiv id "2316.01234" cannot be: month 16 does not exist',
        'The arXiv id "1707.6347" cannot be: ids of 1707 have 5 digits after the point, not 4',
        'The arXiv id "3001.00001" cannot be: it lies in the future',
      ],
    },
    {
      name: "in the registry",
      markdown: "See [@a].",
      bibtex: "@article{a, title = {A}, author = {Li, B}, year = 2023, eprint = {2399.00001}, archiveprefix = {arXiv}}",
      messages: ['The arXiv id "2399.00001" of @a cannot be: month 99 does not exist'],
    },
  ],
  check({ uses, registry, today }) {
    const inText = uses.flatMap((use) => {
      const fault = use.arxiv === undefined ? undefined : findArxivFault(use.arxiv, today);
      if (fault === undefined) return [];
      return [{ message: `The arXiv id "${use.arxiv}" cannot be: ${fault}`, line: use.line, work: nameWork(use) }];
    });
    const inRegistry = registry.entries.flatMap(({ id, custom: { arxiv } }) => {
      const fault = arxiv === undefined ? undefined : findArxivFault(arxiv, today);
      return fault === undefined
        ? []
        : [{ message: `The arXiv id "${arxiv}" of @${id} cannot be: ${fault}`, work: `@${id}` }];
    });
    return [...inText, ...inRegistry];
  },
};
