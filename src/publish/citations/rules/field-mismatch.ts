import { foldText, getFamily } from "../names.js";
import { isSameTitle, listYears, type Registry, type RegistryEntry } from "../registry.js";
import { nameWork, type CiteFault, type CiteRule, type JudgedUse } from "../cite-rule.js";
import { findVenue } from "../statements.js";
import type { Venue } from "../venues.js";

function checkAuthors(
  { statement: { authors = [], isAbridged = false } }: JudgedUse,
  { author = [] }: RegistryEntry,
): Pick<CiteFault, "message" | "proposal"> | undefined {
  if (authors.length === 0 || author.length === 0) return undefined;
  const families = author.map((each) => foldText(getFamily(each)));
  // "van der Berg" is cited with and without its particles.
  const isOne = (name: string, family: string): boolean => {
    const folded = foldText(name);
    return folded === family || family.endsWith(` ${folded}`) || folded.endsWith(` ${family}`);
  };
  const [first] = authors;
  const proposal = { from: first, to: getFamily(author[0]) };
  if (!isOne(first, families[0])) {
    const place = families.findIndex((family) => isOne(first, family));
    const hint = place > 0 ? `, who is author ${place + 1}` : "";
    return { message: `names "${first}"${hint}, the first author is "${getFamily(author[0])}"`, proposal };
  }
  const stranger = authors.slice(1).find((name) => !families.some((family) => isOne(name, family)));
  if (stranger !== undefined) return { message: `names "${stranger}", who is no author` };
  if (!isAbridged && authors.length === 2 && families.length > 2)
    return { message: `names two authors, there are ${families.length}` };
  return undefined;
}

function checkYear(
  { statement: { year, venueYear } }: JudgedUse,
  entry: RegistryEntry,
  registry: Registry,
): Pick<CiteFault, "message" | "proposal"> | undefined {
  const years = listYears(entry, registry);
  const odd = [year, venueYear].find((each) => each !== undefined && years.length > 0 && !years.includes(each));
  if (odd === undefined) return undefined;
  return {
    message: `says ${odd}, the registry ${years.join(" or ")}`,
    proposal: { from: String(odd), to: String(years.at(-1)) },
  };
}

function checkTitle(
  { statement: { title } }: JudgedUse,
  entry: RegistryEntry,
): Pick<CiteFault, "message" | "proposal"> | undefined {
  if (title === undefined || entry.title === undefined) return undefined;
  // A quotation from the work is no title; what shares half its words with the title is meant as one.
  const words = new Set(foldText(entry.title).split(" "));
  const own = foldText(title).split(" ");
  const shared = own.filter((word) => words.has(word)).length / own.length;
  if (shared < 0.5 || isSameTitle(title, entry.title) || foldText(entry.title).startsWith(foldText(title)))
    return undefined;
  return {
    message: `says the title is "${title}", the registry "${entry.title}"`,
    proposal: { from: title, to: entry.title },
  };
}

function checkVenue(
  { statement: { venue, venueText } }: JudgedUse,
  entry: RegistryEntry,
  registry: Registry,
  venues: readonly Venue[],
): Pick<CiteFault, "message" | "proposal"> | undefined {
  if (venue === undefined) return undefined;
  const linked = (entry.custom.linked ?? []).flatMap((key) => registry.find(key) ?? []);
  const names = [entry, ...linked].flatMap((each) => each["container-title"] ?? []);
  const known = names.map((name) => findVenue(name, venues)).filter((each) => each !== undefined);
  if (known.length === 0 || known.some(({ name }) => name === venue.name)) return undefined;
  return {
    message: `says ${venueText}, the registry ${known[0].name}`,
    proposal: { from: venue.name, to: known[0].name },
  };
}

/** What a text says of a work against the registry. */
export const citeFieldMismatchRule: CiteRule = {
  id: "cite.field-mismatch",
  severity: "error",
  description: "Finds author, year, title or venue beside a citation that contradict the registry.",
  rationale:
    "Half of all citation faults are of this kind. The year of the preprint and that of the venue are both right where the registry has both; accents, initials and case are not looked at.",
  remedy: "Correct the text, or the registry where it is wrong",
  examples: [
    {
      name: "preprint year, venue year, accents, et al.",
      markdown:
        "Müller et al. (2020) show it [@m]. It came out as Mueller's ICML 2021 paper [@m], or Muller and Li (2021) [@two].",
      bibtex:
        '@inproceedings{m, title = {A}, author = {M{\\"u}ller, A and Li, B and Wu, C}, year = 2021, booktitle = {ICML}, eprint = {2006.00001}}\n@misc{two, title = {B}, author = {Muller, A and Li, B}, year = 2021}',
      messages: [],
    },
    {
      name: "another first author, another year, another venue",
      markdown: "Li et al. (2021) show it [@m].\n\nMuller et al. (2019) show it [@m].\n\nIt is at NeurIPS 2021 [@m].",
      bibtex:
        "@inproceedings{m, title = {A}, author = {Muller, A and Li, B and Wu, C}, year = 2021, booktitle = {International Conference on Machine Learning}}",
      messages: [
        'The text names "Li", who is author 2, the first author is "Muller" (@m)',
        "The text says 2019, the registry 2021 (@m)",
        "The text says NeurIPS 2021, the registry ICML (@m)",
      ],
    },
    {
      name: "a title that is another",
      markdown: "“Proximal Policy Optimisation Methods” [@p].",
      bibtex: "@misc{p, title = {Proximal Policy Optimization Algorithms}, author = {Schulman, J}, year = 2017}",
      messages: [
        'The text says the title is "Proximal Policy Optimisation Methods", the registry "Proximal Policy Optimization Algorithms" (@p)',
      ],
    },
    {
      name: "a bare id",
      markdown: "Wang et al. (2024), arXiv:2402.03300.",
      bibtex:
        "@misc{s, title = {DeepSeekMath}, author = {Shao, Z and Wang, P and Zhu, Q}, year = 2024, eprint = {2402.03300}}",
      messages: ['The text names "Wang", who is author 2, the first author is "Shao" (arXiv:2402.03300)'],
    },
  ],
  check({ uses, registry, venues }) {
    return uses.flatMap((use): CiteFault[] => {
      const { entry } = use;
      if (entry === undefined) return [];
      const faults = [
        checkAuthors(use, entry),
        checkYear(use, entry, registry),
        checkTitle(use, entry),
        checkVenue(use, entry, registry, venues),
      ];
      return faults.flatMap((fault) =>
        fault === undefined
          ? []
          : [
              {
                ...fault,
                message: `The text ${fault.message} (${nameWork(use)})`,
                line: use.line,
                work: `@${entry.id}`,
              },
            ],
      );
    });
  },
};
