// internal
import { foldText, countEdits } from "./names.js";
import { knownVenues, type Venue } from "./venues.js";
import type { CitationUse } from "./mentions.js";

/** What a text says of a work beside citing it. */
export interface WorkStatement {
  readonly authors?: readonly string[];
  /** Whether more authors than those named are said to be. */
  readonly isAbridged?: boolean;
  readonly year?: number;
  readonly title?: string;
  readonly venue?: Venue;
  /** The venue as it is written. */
  readonly venueText?: string;
  readonly venueYear?: number;
  /** A name near that of a venue, which is none. */
  readonly oddVenue?: { readonly text: string; readonly near: string };
  readonly organisation?: string;
  /** Name of the method, where the id stands directly behind it. */
  readonly method?: string;
}

const surname = "(?:(?:van|von|de|der|den|della|di|da|la|le|el|al|bin|ben|ter)\\s+){0,2}\\p{Lu}[\\p{L}\\p{M}'’-]+";
const authorYear = new RegExp(
  `(${surname})(?:\\s+(?:and|&|和|与|và)\\s+(${surname}))?(\\s*(?:,\\s*)?(?:et\\s+al\\.?,?|等人?|và cộng sự))?[\\s,，]*[(（]?((?:19|20)\\d{2})[a-z]?(?!\\d)`,
  "gu",
);
const abridged = new RegExp(`(${surname})\\s*(?:,\\s*)?(?:et\\s+al\\.?|等人?|và cộng sự)`, "gu");
const yearAlone = /(?<![\d./-])((?:19|20)\d{2})(?![\d./-]*\d)/g;
const quotedTitle = /["“«「『《]([^"”»」』》]{12,200})["”»」』》]/gu;
const organisations =
  /\b(OpenAI|Google DeepMind|DeepMind|Google Research|Google Brain|Google|Meta AI|FAIR|Meta|Anthropic|Microsoft Research|Microsoft|DeepSeek-AI|Alibaba|Tencent|ByteDance|Baidu|NVIDIA|Apple|Amazon|Salesforce|Stanford|Berkeley|Princeton|Tsinghua|Mistral AI|xAI|Moonshot AI|Zhipu AI|Hugging Face|Allen Institute for AI|AI2)\b/g;

/** Words with a capital that are no authors. */
const noAuthors = new Set(
  "In The See From Since By And For With As On At This That These Those Figure Table Section Equation Chapter Also Later Earlier First Both January February March April May June July August September October November December arXiv ArXiv Nature Science Preprint Accepted Published Version Year Release Survey Paper".split(
    " ",
  ),
);

const venueNames = knownVenues
  .flatMap((venue) => [venue.name, ...venue.aliases].map((name) => [name, venue] as const))
  .sort((a, b) => b[0].length - a[0].length);
/** Single words such as Nature say a venue only beside a year. */
const plainWords = new Set(["Nature", "Science", "Machine Learning", "Neural Computation"]);

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
const venuePattern = new RegExp(
  `(?:(?<!\\d)((?:19|20)\\d{2})\\s+)?(?<![\\p{L}\\d])(${venueNames.map(([name]) => escape(name)).join("|")})(?![\\p{L}\\d])(?:[\\s,'’‘-]*((?:19|20)\\d{2}|(?<=['’‘])\\d{2}))?`,
  "gu",
);
const acronymYear = /(?<![\p{L}\d-])([A-Z][A-Za-z]{2,11})[\s'’]+((?:19|20)\d{2})(?!\d)/gu;

/** Returns the venue of a name; `extra` are those of the project. */
export function findVenue(name: string, extra: readonly Venue[] = []): Venue | undefined {
  const folded = foldText(name);
  const all = [...extra, ...knownVenues];
  const exact = all.find((venue) => [venue.name, ...venue.aliases].some((each) => foldText(each) === folded));
  if (exact !== undefined) return exact;
  // "Proceedings of the 41st International Conference on Machine Learning", "Findings of EMNLP 2023"
  return all.find((venue) =>
    [venue.name, ...venue.aliases].some((each) => {
      const own = foldText(each);
      const isLong = own.length > 12;
      return isLong
        ? folded.includes(own)
        : !plainWords.has(each) && new RegExp(`(?:^| )${escape(own)}(?: |$)`).test(folded);
    }),
  );
}

/** Returns the name of a known venue that a word nearly is. */
export function findNearVenue(word: string): string | undefined {
  if (knownVenues.some(({ name, aliases }) => name === word || aliases.includes(word))) return undefined;
  const near = knownVenues.find(
    ({ name }) => /^[A-Za-z]+$/.test(name) && name.length >= 4 && !plainWords.has(name) && isSlip(word, name),
  );
  return near?.name;
}

/** Two letters swapped, or one wrong in four or more; case counts, so that ICLR is not near Iclr. */
function isSlip(word: string, name: string): boolean {
  if (word.toLowerCase() === name.toLowerCase()) return false;
  if (Math.abs(word.length - name.length) > 1) return false;
  const sorted = (text: string): string => text.toLowerCase().split("").sort().join("");
  if (sorted(word) === sorted(name)) return true;
  return name.length >= 5 && countEdits(word.toLowerCase(), name.toLowerCase(), 1) <= 1;
}

/** The match that stands nearest before a place, or else the first behind it. */
function findNearest<Match extends { readonly index: number }>(
  matches: readonly Match[],
  at: number,
): Match | undefined {
  return matches.filter(({ index }) => index < at).at(-1) ?? matches[0];
}

function readAuthors(segment: string, at: number): Pick<WorkStatement, "authors" | "isAbridged" | "year"> {
  const isAuthor = (name: string | undefined): boolean =>
    name === undefined || (!noAuthors.has(name) && findVenue(name) === undefined);
  const full = findNearest(
    [...segment.matchAll(authorYear)].filter(([, first, second]) => isAuthor(first) && isAuthor(second)),
    at,
  );
  // A name directly before a year may be that of a method; "et al.", "and" or a parenthesis make it an author.
  const isCertain = full !== undefined && (full[2] !== undefined || full[3] !== undefined);
  if (full !== undefined && isCertain) {
    const [, first, second, more, year] = full;
    return {
      authors: second === undefined ? [first] : [first, second],
      isAbridged: more !== undefined,
      year: Number(year),
    };
  }
  const some = findNearest(
    [...segment.matchAll(abridged)].filter(([, first]) => isAuthor(first)),
    at,
  );
  return some === undefined ? {} : { authors: [some[1]], isAbridged: true };
}

/** Returns the venue named nearest to the mention, with its year before or behind it. */
function readVenue(segment: string, at: number) {
  const matches = [...segment.matchAll(venuePattern)];
  const match = findNearest(
    matches.filter(([, before, name, after]) => before !== undefined || after !== undefined || !plainWords.has(name)),
    at,
  );
  if (match === undefined) return undefined;
  const [text, before, name, after] = match;
  const digits = after ?? before;
  const year = digits === undefined ? undefined : Number(digits.length === 2 ? `20${digits}` : digits);
  return { venue: findVenue(name), text: text.trim(), year, from: match.index, to: match.index + text.length };
}

/** Returns what the words beside a citation say of the work. */
export function readStatement({ segment, at }: CitationUse): WorkStatement {
  const named = readVenue(segment, at);
  // The year of a venue is not that of the work.
  const rest =
    named === undefined
      ? segment
      : `${segment.slice(0, named.from)}${" ".repeat(named.to - named.from)}${segment.slice(named.to)}`;
  const authors = readAuthors(rest, at);
  // Only a year that stands close to the mention is said of it; of two, nobody knows which.
  const near = [...rest.matchAll(yearAlone)].filter(({ index }) => Math.abs(index - at) <= 40);
  const alone = near.length === 1 ? Number(near[0][1]) : undefined;
  const odd = [...segment.matchAll(acronymYear)].flatMap(([, word]) => {
    const name = findNearVenue(word);
    return name === undefined ? [] : [{ text: word, near: name }];
  })[0];
  const titles = [...segment.matchAll(quotedTitle)].filter(([, words]) => /\s|\p{Script=Han}{6}/u.test(words));
  const title = findNearest(titles, at)?.[1];
  const method = /([A-Z][\w-]*(?:[A-Z]|\d)[\w-]*|[A-Z]{3,}[\w-]*)\s*[(（]\s*(?:arXiv\s*[:：]?\s*)?$/.exec(
    segment.slice(0, at),
  )?.[1];
  const organisation = findNearest([...segment.matchAll(organisations)], at)?.[1];
  const year = authors.year ?? alone;
  return {
    ...(authors.authors === undefined ? {} : { authors: authors.authors, isAbridged: authors.isAbridged }),
    ...(year === undefined ? {} : { year }),
    ...(title === undefined ? {} : { title }),
    ...(named?.venue === undefined ? {} : { venue: named.venue, venueText: named.text }),
    ...(named?.venue === undefined || named.year === undefined ? {} : { venueYear: named.year }),
    ...(odd === undefined ? {} : { oddVenue: odd }),
    ...(organisation === undefined ? {} : { organisation }),
    ...(method === undefined || findVenue(method) !== undefined ? {} : { method }),
  };
}
