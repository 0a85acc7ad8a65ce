import { foldText } from "../names.js";
import { nameWork, type CiteFault, type CiteRule } from "../cite-rule.js";

const quotation = /["“«「『]([^"”»」』]{20,600})["”»」』]/gu;

/** Quotations against what is stored of the work. */
export const citeQuoteRule: CiteRule = {
  id: "cite.quote",
  severity: "warning",
  description:
    "Finds quotations of five words or more, in a sentence that cites one work, that are not in the abstract or the quotes stored for it.",
  rationale:
    "A quotation must stand in its source word for word. Only what the registry stores is looked at, so a right quotation from elsewhere in the work is found too: store it.",
  remedy: "Correct the quotation, or store the passage under custom.quotes",
  examples: [
    {
      name: "a quotation that is stored, one of a work of which nothing is, and a title",
      markdown:
        "They write “we propose a new simple network architecture” [@a]. They say “nothing of the kind was ever seen” [@b].",
      bibtex:
        "@misc{a, title = {A}, abstract = {We propose a new simple network architecture, the Transformer.}}\n@misc{b, title = {B}}",
      messages: [],
    },
    {
      name: "a quotation that is another",
      markdown: "They write “we propose an old simple network architecture” [@a].",
      bibtex: "@misc{a, title = {A}, abstract = {We propose a new simple network architecture, the Transformer.}}",
      messages: ['"we propose an old simple network architecture" is not in what is stored of @a'],
    },
  ],
  check({ uses }) {
    return uses.flatMap((use): CiteFault[] => {
      const { entry, sentence } = use;
      const stored = [entry?.abstract, ...(entry?.custom.quotes ?? [])]
        .filter((text) => text !== undefined)
        .map(foldText);
      const isOnly = uses.every((other) => other === use || other.sentence !== sentence);
      if (entry === undefined || stored.length === 0 || !isOnly) return [];
      return [...sentence.matchAll(quotation)].flatMap(([, quote]): CiteFault[] => {
        const folded = foldText(quote);
        const isShort = folded.split(" ").length < 5 && !/\p{Script=Han}{10}/u.test(quote);
        if (isShort || folded === foldText(entry.title ?? "") || stored.some((text) => text.includes(folded)))
          return [];
        return [
          { message: `"${quote}" is not in what is stored of ${nameWork(use)}`, line: use.line, work: `@${entry.id}` },
        ];
      });
    });
  },
};
