import { createHash } from "node:crypto";
import { inputError } from "../../../core/index.js";

/** Terms that must not be published, in the open or as salted hashes. */
export interface BanList {
  readonly entries: readonly BanEntry[];
}

/** One term; messages name it by its number only. */
export type BanEntry =
  | { readonly type: "term"; readonly words: readonly string[]; readonly isPrefix: boolean }
  | { readonly type: "pattern"; readonly pattern: RegExp }
  | { readonly type: "hash"; readonly salt: string; readonly wordCount: number; readonly hash: string };

const ideographs = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}";
const wordForm = new RegExp(`[${ideographs}]|(?:(?![${ideographs}])[\\p{L}\\p{M}\\p{N}])+`, "gu");

/** Returns the words of a text in normal form: NFKC, lower case, each Chinese, Japanese or Korean character a word. */
function listWords(text: string): string[] {
  return (text.normalize("NFKC").toLowerCase().match(wordForm) ?? []).map(stripInflection);
}

/** Drops the common endings of English words, so that one entry meets a term in its forms. */
function stripInflection(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  const stem = word.replace(/(?:ies)$/, "y").replace(/(?:ing|ed|er|es|s)$/, "");
  return stem.length >= 3 ? stem.replace(/e$/, "") : word;
}

function hashWords(words: readonly string[], salt: string): string {
  return createHash("sha256")
    .update(`${salt}\n${words.join(" ")}`)
    .digest("hex");
}

/**
 * Returns the line of a ban list that stands for a term without showing it: `sha256:SALT:WORDS:HASH`. Who has the
 * list can test guesses but not read it.
 */
export function hashBanTerm(term: string, salt: string): string {
  const words = listWords(term);
  return `sha256:${salt}:${words.length}:${hashWords(words, salt)}`;
}

function parseEntry(line: string, number: number, file: string): BanEntry {
  const hash = /^sha256:([^:\s]+):(\d+):([0-9a-f]{64})$/.exec(line);
  if (hash !== null) return { type: "hash", salt: hash[1], wordCount: Number(hash[2]), hash: hash[3] };
  const pattern = /^\/(.+)\/([imu]*)$/.exec(line);
  if (pattern !== null) {
    try {
      return { type: "pattern", pattern: new RegExp(pattern[1], `${pattern[2].replace(/[gu]/g, "")}gu`) };
    } catch (error) {
      throw inputError(`Cannot read line ${number} of ban list "${file}" as a regular expression`, undefined, error);
    }
  }
  const words = listWords(line.replace(/\*$/, ""));
  if (words.length === 0)
    throw inputError(
      `Cannot read line ${number} of ban list "${file}": it holds no letter or digit`,
      "Write a term, a term with * at its end for any ending, /pattern/i, or a line made by hashBanTerm()",
    );
  return { type: "term", words, isPrefix: line.endsWith("*") };
}

/**
 * Returns the terms of a ban list: one a line, `#` for comments; `term*` takes any ending, `/…/i` is a regular
 * expression, `sha256:…` a hashed term.
 *
 * @throws {TurnwiseError} (input) for a line that is none of these.
 */
export function parseBanList(text: string, file: string): BanList {
  const entries = text.split(/\r?\n/).flatMap((raw, i): BanEntry[] => {
    const line = raw.trim();
    return line === "" || line.startsWith("# ") || line === "#" ? [] : [parseEntry(line, i + 1, file)];
  });
  return { entries };
}

/** Returns whether every entry of the list is hashed, so that it may be kept beside what it guards. */
export function isHashedBanList({ entries }: BanList): boolean {
  return entries.every(({ type }) => type === "hash");
}

function hasWords(
  words: readonly string[],
  from: number,
  { words: term, isPrefix }: BanEntry & { type: "term" },
): boolean {
  return term.every((word, i) => {
    const found = words[from + i];
    if (found === undefined) return false;
    return isPrefix && i === term.length - 1 ? found.startsWith(word) : found === word;
  });
}

/** Returns the entries found in a line, by 1-based number, each once. */
export function findBannedEntries(line: string, { entries }: BanList): readonly number[] {
  const words = listWords(line);
  const grams = new Map<string, ReadonlySet<string>>();
  const listGrams = (salt: string, count: number): ReadonlySet<string> => {
    const key = `${count}:${salt}`;
    const cached = grams.get(key);
    if (cached !== undefined) return cached;
    const hashes = new Set<string>();
    for (let i = 0; i + count <= words.length; i += 1) hashes.add(hashWords(words.slice(i, i + count), salt));
    grams.set(key, hashes);
    return hashes;
  };
  return entries.flatMap((entry, i) => {
    const isFound =
      entry.type === "pattern"
        ? line.search(entry.pattern) !== -1
        : entry.type === "hash"
          ? listGrams(entry.salt, entry.wordCount).has(entry.hash)
          : words.some((_, from) => hasWords(words, from, entry));
    return isFound ? [i + 1] : [];
  });
}
