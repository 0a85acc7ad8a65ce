import { nameWork, type CiteFault, type CiteRule } from "../cite-rule.js";

/** One name, two works. */
export const citeNameTwoIdsRule: CiteRule = {
  id: "cite.name-two-ids",
  severity: "warning",
  description: "Finds names of methods that stand before different ids in the set, as in “GRPO (arXiv:…)”.",
  rationale: "One of the ids is likely wrong. Two works may share a name.",
  remedy: "Check which work is meant, and say so where both are",
  examples: [
    {
      name: "one name, one id",
      markdown: "GRPO (arXiv:2402.03300) and again GRPO (arXiv:2402.03300v3).",
      messages: [],
    },
    {
      name: "one name, two ids",
      markdown: "GRPO (arXiv:2402.03300).",
      others: { "b.md": "GRPO (arXiv:2402.03330)." },
      messages: ["GRPO is arXiv:2402.03300 here and arXiv:2402.03330 in b.md:1"],
    },
  ],
  check({ uses, otherUses }) {
    const told = new Set<string>();
    return uses.flatMap((use, index): CiteFault[] => {
      const { method } = use.statement;
      if (method === undefined || told.has(method)) return [];
      const rival = [...uses.slice(0, index), ...otherUses].find(
        ({ statement, canonical }) => statement.method === method && canonical !== use.canonical,
      );
      if (rival === undefined) return [];
      told.add(method);
      return [
        {
          message: `${method} is ${nameWork(use)} here and ${nameWork(rival)} in ${rival.document.file}:${rival.line}`,
          line: use.line,
          ...(use.canonical === undefined ? {} : { work: use.canonical }),
        },
      ];
    });
  },
};
