import { findNearVenue, findVenue } from "../statements.js";
import { nameWork, type CiteFault, type CiteRule } from "../cite-rule.js";
import { findArxivMonth } from "../work-id.js";
import type { Venue } from "../venues.js";

function judge(venue: Venue, year: number, preprint: string | undefined, hasNote: boolean): string | undefined {
  if (!venue.isHeld(year)) return `${venue.name} ${year} cannot be: ${venue.name} is held ${venue.rhythm}`;
  if (preprint !== undefined && year < Number(preprint.slice(0, 4)) && !hasNote)
    return `${venue.name} ${year} lies before the preprint of ${preprint}`;
  return undefined;
}

/** Venues that cannot be. */
export const citeVenueYearRule: CiteRule = {
  id: "cite.venue-year",
  severity: "error",
  description:
    "Finds mistyped venues, venues in years in which they were not held, and venues before the preprint without a note.",
  rationale:
    "Conferences that are held every second year are often put into the wrong one. Venues that the list does not know are not judged; add them in the configuration.",
  remedy: "Look up venue and year; give the entry a note where it is right",
  examples: [
    {
      name: "venues and years that fit",
      markdown: "At ICCV 2023 (arXiv:2303.00001), ECCV 2022, NeurIPS 2022 [@a].",
      bibtex: "@inproceedings{a, title = {A}, year = 2023, booktitle = {NeurIPS}, eprint = {2206.00001}}",
      messages: [],
    },
    {
      name: "a wrong year, a slip, a venue before its preprint",
      markdown:
        "See arXiv:2203.00001 (ICCV 2022).\n\nSee arXiv:2203.00002 (NeurlPS 2022).\n\nSee arXiv:2303.00003 (ICML 2021).",
      messages: [
        "ICCV 2022 cannot be: ICCV is held every second year since 1999 (arXiv:2203.00001)",
        "NeurlPS is no venue: is NeurIPS meant? (arXiv:2203.00002)",
        "ICML 2021 lies before the preprint of 2023-03 (arXiv:2303.00003)",
      ],
    },
    {
      name: "in the registry",
      markdown: "See [@a].",
      bibtex:
        "@inproceedings{a, title = {A}, author = {Li, B}, year = 2021, booktitle = {European Conference on Computer Vision}}",
      messages: ["ECCV 2021 cannot be: ECCV is held every second year since 1990 (@a)"],
    },
    {
      name: "a note that says why",
      markdown: "See [@a].",
      bibtex:
        "@inproceedings{a, title = {A}, author = {Li, B}, year = 2019, booktitle = {ICML}, eprint = {2103.00001}}",
      custom: { a: { note: "The preprint was put up two years later" } },
      messages: [],
    },
  ],
  check({ uses, registry, venues }) {
    const inText = uses.flatMap((use): CiteFault[] => {
      const { statement, arxiv, entry, line } = use;
      const work = nameWork(use);
      const at = { line, work };
      if (statement.oddVenue !== undefined)
        return [
          { ...at, message: `${statement.oddVenue.text} is no venue: is ${statement.oddVenue.near} meant? (${work})` },
        ];
      const year = statement.venueYear;
      if (statement.venue === undefined || year === undefined) return [];
      const id = arxiv ?? entry?.custom.arxiv;
      const preprint = id === undefined ? undefined : findArxivMonth(id);
      const fault = judge(statement.venue, year, preprint, entry?.custom.note !== undefined);
      return fault === undefined ? [] : [{ ...at, message: `${fault} (${work})` }];
    });
    const inRegistry = registry.entries.flatMap(({ id, custom, "container-title": name }): CiteFault[] => {
      if (name === undefined) return [];
      const work = `@${id}`;
      const venue = findVenue(name, venues);
      const near = venue === undefined ? findNearVenue(name.replace(/[\s'’]*\d{2,4}$/, "")) : undefined;
      if (near !== undefined) return [{ work, message: `${name} is no venue: is ${near} meant? (${work})` }];
      const year = custom.venue_year;
      if (venue === undefined || year === undefined) return [];
      const preprint = custom.preprint_date ?? (custom.arxiv === undefined ? undefined : findArxivMonth(custom.arxiv));
      const fault = judge(venue, year, preprint, custom.note !== undefined);
      return fault === undefined ? [] : [{ work, message: `${fault} (${work})` }];
    });
    return [...inText, ...inRegistry];
  },
};
