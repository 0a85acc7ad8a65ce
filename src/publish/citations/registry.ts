import { z } from "zod";
import { inputError, sha256 } from "../../core/index.js";
import type { BibtexEntry } from "./bibtex.js";
import { countEdits, foldText, getFamily, parseNames, type PersonName } from "./names.js";
import { decodeTex } from "./tex-text.js";
import { findArxivMonth, getCanonicalId } from "./work-id.js";

const name = z.looseObject({
  family: z.string().optional(),
  given: z.string().optional(),
  suffix: z.string().optional(),
  literal: z.string().optional(),
});
const datePart = z.union([z.number(), z.string()]).transform(Number);
const date = z.looseObject({ "date-parts": z.array(z.array(datePart)).optional() });

/** What one source said of an entry. */
export const sourceResults = ["verified", "unverified", "pending", "error"] as const;

const custom = z.looseObject({
  arxiv: z.string().optional(),
  /** ISO date, or year and month. */
  preprint_date: z.string().optional(),
  venue_year: z.number().int().optional(),
  status: z.enum(["preprint", "accepted", "withdrawn", "retracted"]).optional(),
  checked_at: z.string().optional(),
  sources: z
    .array(
      z.looseObject({ name: z.string(), result: z.enum(sourceResults), at: z.string(), note: z.string().optional() }),
    )
    .optional(),
  /** A person who answers for the entry without a source. */
  signed_by: z.string().optional(),
  abstract_sha256: z.string().optional(),
  quotes: z.array(z.string()).optional(),
  organisation: z.string().optional(),
  methods: z.array(z.string()).optional(),
  /** Key of the record that is the same work, published or as a preprint. */
  linked: z.array(z.string()).optional(),
  /** Why odd facts are right, e.g. a venue before the preprint. */
  note: z.string().optional(),
});
const entry = z.looseObject({
  id: z.union([z.string(), z.number()]).transform(String),
  type: z.string().default("document"),
  title: z.string().optional(),
  author: z.array(name).optional(),
  issued: date.optional(),
  "container-title": z.string().optional(),
  DOI: z.string().optional(),
  URL: z.string().optional(),
  abstract: z.string().optional(),
  custom: custom.default({}),
});

/** One work of the registry: CSL-JSON, with what publishing keeps under `custom`. */
export type RegistryEntry = z.output<typeof entry>;

/** The works a project cites. */
export interface Registry {
  readonly entries: readonly RegistryEntry[];
  /** Returns the entry of a key. */
  find(key: string): RegistryEntry | undefined;
  /** Returns every entry of a canonical id. */
  findWork(canonical: string): readonly RegistryEntry[];
}

/** Returns the canonical id of an entry; its key, marked as such, when it has neither id nor title. */
export function getEntryId({ id, title, DOI, custom: { arxiv } }: RegistryEntry): string {
  return getCanonicalId({ arxiv, doi: DOI, title }) ?? `key:${id}`;
}

/** Returns the year a work came out: that of its venue for accepted works. */
export function findYear({ issued }: RegistryEntry): number | undefined {
  const year = issued?.["date-parts"]?.[0]?.[0];
  return year === undefined || Number.isNaN(year) ? undefined : year;
}

/** Returns the years that may be said of an entry: issued, preprint and venue, and those of its linked records. */
export function listYears(own: RegistryEntry, registry: Registry): number[] {
  const linked = (own.custom.linked ?? []).flatMap((key) => registry.find(key) ?? []);
  const years = [own, ...linked].flatMap((each) => {
    const { preprint_date, venue_year, arxiv } = each.custom;
    const preprint = preprint_date ?? (arxiv === undefined ? undefined : findArxivMonth(arxiv));
    return [findYear(each), venue_year, preprint === undefined ? undefined : Number(preprint.slice(0, 4))];
  });
  return [...new Set(years.filter((year) => year !== undefined))].sort((a, b) => a - b);
}

/** Returns a registry of these entries; the first of two with one key is the one found by it. */
export function createRegistry(entries: readonly RegistryEntry[]): Registry {
  const byKey = new Map<string, RegistryEntry>();
  const byWork = new Map<string, RegistryEntry[]>();
  for (const each of entries) {
    if (!byKey.has(each.id)) byKey.set(each.id, each);
    const work = getEntryId(each);
    byWork.set(work, [...(byWork.get(work) ?? []), each]);
  }
  return { entries, find: (key) => byKey.get(key), findWork: (canonical) => byWork.get(canonical) ?? [] };
}

/**
 * Returns the entries that a CSL-JSON text holds.
 *
 * @throws {TurnwiseError} (input) for text that is no list of CSL entries.
 */
export function parseRegistry(text: string, file: string): RegistryEntry[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw inputError(`Cannot read the bibliography "${file}": it is no JSON`, "Name a .bib or a CSL-JSON file", error);
  }
  const parsed = z.array(entry).safeParse(value);
  if (parsed.success) return parsed.data;
  throw inputError(
    `Cannot use the bibliography "${file}" as CSL-JSON:\n${z.prettifyError(parsed.error)}`,
    "CSL-JSON is a list of entries with id, type, title, author and issued",
    parsed.error,
  );
}

/** Returns entries as the text of a registry file: sorted by key, one field a line. */
export function renderRegistry(entries: readonly RegistryEntry[]): string {
  const sorted = [...entries].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return `${JSON.stringify(sorted, null, 1)}\n`;
}

const types: Readonly<Record<string, string>> = {
  article: "article-journal",
  inproceedings: "paper-conference",
  conference: "paper-conference",
  incollection: "chapter",
  inbook: "chapter",
  book: "book",
  phdthesis: "thesis",
  mastersthesis: "thesis",
  thesis: "thesis",
  techreport: "report",
  report: "report",
  online: "webpage",
  software: "software",
  dataset: "dataset",
};

const arxivText =
  /arxiv(?:\.org\/(?:abs|pdf)\/|\s*[:.]\s*|\s+preprint\s+arXiv:)\s*((?:\d{4}\.\d{4,5}|[a-z-]+\/\d{7})(?:v\d+)?)/i;

function findArxiv(fields: BibtexEntry["fields"]): string | undefined {
  const { eprint, archiveprefix = "", eprinttype = "" } = fields;
  const isArxiv = /arxiv/i.test(`${archiveprefix}${eprinttype}`) || /^\d{4}\.\d{4,5}(?:v\d+)?$/.test(eprint ?? "");
  if (eprint !== undefined && isArxiv)
    return decodeTex(eprint)
      .replace(/^arxiv:/i, "")
      .replace(/v\d+$/, "");
  for (const field of ["journal", "journaltitle", "note", "url", "howpublished", "doi", "number"]) {
    const found = arxivText.exec(fields[field] ?? "")?.[1];
    if (found !== undefined) return found.replace(/v\d+$/, "");
  }
  return undefined;
}

function findDate({ year, date: iso, month }: BibtexEntry["fields"]): number[] | undefined {
  const parts = iso === undefined ? undefined : /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?/.exec(iso)?.slice(1);
  if (parts !== undefined) return parts.filter((part) => part !== undefined).map(Number);
  const stated = /\d{4}/.exec(year ?? "")?.[0];
  if (stated === undefined) return undefined;
  return month !== undefined && /^\d{1,2}$/.test(month) ? [Number(stated), Number(month)] : [Number(stated)];
}

/** Returns an entry of BibTeX as one of the registry. */
export function toRegistryEntry({ type, key, fields }: BibtexEntry): RegistryEntry {
  const text = (...names: readonly string[]): string | undefined => {
    const value = names.map((each) => fields[each]).find((each) => each !== undefined && each.trim() !== "");
    return value === undefined ? undefined : decodeTex(value);
  };
  const arxiv = findArxiv(fields);
  const venue = text("booktitle", "journal", "journaltitle");
  // "arXiv preprint" is where it lies, not where it came out.
  const container = venue !== undefined && /^(?:arxiv|corr)\b/i.test(venue) ? undefined : venue;
  const parts = findDate(fields);
  const author = fields["author"] === undefined ? undefined : parseNames(fields["author"], decodeTex);
  const abstract = text("abstract");
  const doi = text("doi")?.replace(/^https?:\/\/(?:dx\.)?doi\.org\//i, "");
  const month = arxiv === undefined ? undefined : findArxivMonth(arxiv);
  const isPreprint = container === undefined && arxiv !== undefined;
  return {
    id: key,
    type: isPreprint ? "article" : (types[type] ?? "document"),
    ...optional("title", text("title")),
    ...optional("author", author as RegistryEntry["author"]), // names are loose objects
    ...optional("issued", parts === undefined ? undefined : { "date-parts": [parts] }),
    ...optional("container-title", container),
    ...optional("DOI", doi),
    ...optional("URL", text("url")),
    ...optional("abstract", abstract),
    custom: {
      ...optional("arxiv", arxiv),
      ...optional("preprint_date", month),
      ...optional("venue_year", container === undefined ? undefined : parts?.[0]),
      ...(arxiv === undefined && container === undefined
        ? {}
        : { status: isPreprint ? ("preprint" as const) : ("accepted" as const) }),
      ...optional("abstract_sha256", abstract === undefined ? undefined : `sha256:${sha256(abstract)}`),
      ...optional("organisation", text("organization", "institution")),
    },
  };
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [key in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in Key]?: Value }); // one key, just given
}

/** Returns a work's authors as a text cites them: `Shao et al.`, `Li and Wang`. */
export function getShortAuthors({ author = [], title = "", id }: RegistryEntry): string {
  const names = author.map((each: PersonName) => getFamily(each)).filter((each) => each !== "");
  if (names.length === 0) return title.split(/\s+/).slice(0, 4).join(" ") || id;
  if (names.length === 1) return names[0];
  return names.length === 2 ? `${names[0]} and ${names[1]}` : `${names[0]} et al.`;
}

/** Says whether two titles are those of one work: equal but for case, marks and a slip in twenty letters. */
export function isSameTitle(a: string, b: string): boolean {
  const [x, y] = [foldText(a), foldText(b)];
  if (x === y) return true;
  const most = Math.floor(Math.min(x.length, y.length) / 20);
  return most > 0 && countEdits(x, y, most) <= most;
}
