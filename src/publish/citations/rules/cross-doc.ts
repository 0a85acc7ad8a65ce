import { foldText } from "../names.js";
import { nameWork, type CiteFault, type CiteRule, type JudgedUse } from "../cite-rule.js";
import { listYears } from "../registry.js";

type Field = "author" | "year" | "venue";

function readField({ statement }: JudgedUse, field: Field): string | undefined {
  if (field === "author") return statement.authors?.[0];
  if (field === "year")
    return statement.venueYear === undefined && statement.year !== undefined ? String(statement.year) : undefined;
  return statement.venue === undefined
    ? undefined
    : `${statement.venue.name}${statement.venueYear === undefined ? "" : ` ${statement.venueYear}`}`;
}

function isConflict(field: Field, a: string, b: string): boolean {
  if (field === "author") return foldText(a) !== foldText(b);
  if (field === "venue") {
    const [x, y] = [a.split(" "), b.split(" ")];
    // A venue with and without its year says the same.
    return x[0] !== y[0] || (x.length > 1 && y.length > 1 && x.at(-1) !== y.at(-1));
  }
  return a !== b;
}

/** One work, several facts. */
export const citeCrossDocRule: CiteRule = {
  id: "cite.cross-doc",
  severity: "error",
  description: "Finds works that are given different authors, years or venues in different places of the set.",
  rationale: "One of the places is wrong. Preprint and venue year are both right where the registry has both.",
  remedy: "Find out which is right and correct the other; keep both years in the registry where both are",
  examples: [
    {
      name: "the same facts twice",
      markdown: "Shao et al. (2024), arXiv:2402.03300.",
      others: { "b.md": "Shao et al., 2024 (arXiv:2402.03300)." },
      messages: [],
    },
    {
      name: "another author and another year elsewhere",
      markdown: "Shao et al. (2024), arXiv:2402.03300.",
      others: { "b.md": "Zhao et al. (2023), arXiv:2402.03300." },
      messages: [
        'arXiv:2402.03300 has author "Shao" here and "Zhao" in b.md:1',
        'arXiv:2402.03300 has year "2024" here and "2023" in b.md:1',
      ],
    },
    {
      name: "two venues in one text",
      markdown: "See arXiv:2402.03300 (ICML 2024).\n\nSee arXiv:2402.03300 (NeurIPS 2024).",
      messages: ['arXiv:2402.03300 has venue "NeurIPS 2024" here and "ICML 2024" in a.md:1'],
    },
  ],
  check({ uses, otherUses, registry, document }) {
    const faults: CiteFault[] = [];
    const told = new Set<string>();
    for (const [index, use] of uses.entries()) {
      if (use.canonical === undefined) continue;
      const years = use.entry === undefined ? [] : listYears(use.entry, registry).map(String);
      const rivals = [...uses.slice(0, index), ...otherUses].filter(({ canonical }) => canonical === use.canonical);
      for (const field of ["author", "year", "venue"] as const) {
        const own = readField(use, field);
        if (own === undefined) continue;
        const rival = rivals.find((other) => {
          const theirs = readField(other, field);
          if (theirs === undefined || !isConflict(field, own, theirs)) return false;
          return !(field === "year" && years.includes(own) && years.includes(theirs));
        });
        if (rival === undefined) continue;
        const theirs = readField(rival, field) ?? "";
        const key = `${use.canonical}|${field}|${own}|${theirs}`;
        if (told.has(key)) continue;
        told.add(key);
        const place = `${(rival.document === document ? document : rival.document).file}:${rival.line}`;
        faults.push({
          message: `${nameWork(use)} has ${field} "${own}" here and "${theirs}" in ${place}`,
          line: use.line,
          work: use.canonical,
        });
      }
    }
    return faults;
  },
};
