import {
  compileResiduePattern,
  describePattern,
  type Correction,
  type ResidueHit,
  type ResiduePattern,
  type ResidueResult,
} from "./correction.js";
import { findWording, readPageText, toSearchText, type PageText, type SearchText } from "./search-text.js";

/** A file that is scanned for old wordings. */
export interface ResidueFile {
  /** Path as it is shown. */
  readonly path: string;
  readonly kind: "source" | "page";
  /** Id of the document it is, or is the page of. */
  readonly document: string;
  /** Shared by a document and its translations; default: the document's id. */
  readonly pair?: string;
  readonly text: string;
}

interface PreparedFile extends ResidueFile {
  readonly shown: string;
  readonly search: SearchText;
  readonly page?: PageText;
}

function prepare(file: ResidueFile): PreparedFile {
  const page = file.kind === "page" ? readPageText(file.text) : undefined;
  const shown = page?.text ?? file.text;
  return { ...file, shown, search: toSearchText(shown), page };
}

function findPlaces(file: PreparedFile, pattern: ResiduePattern): (readonly [number, number])[] {
  if ("literal" in pattern) return findWording(file.search, pattern.literal);
  return [...file.shown.matchAll(compileResiduePattern(pattern.regex))].map(
    ({ index, 0: words }) => [index, index + words.length] as const,
  );
}

function toHit(file: PreparedFile, pattern: ResiduePattern, [start, end]: readonly [number, number]): ResidueHit {
  const lineStart = file.shown.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = file.shown.indexOf("\n", end);
  const line = file.shown.slice(lineStart, lineEnd === -1 ? undefined : lineEnd);
  const from = Math.max(0, start - lineStart - 60);
  const excerpt = line.slice(from, end - lineStart + 60).trim();
  const block = file.page?.blocks.findLast(({ at }) => at <= start)?.block;
  return {
    file: file.path,
    kind: file.kind,
    ...(file.kind === "source" ? { line: file.shown.slice(0, start).split("\n").length } : {}),
    ...(block === undefined ? {} : { block }),
    pattern: describePattern(pattern),
    excerpt,
  };
}

function isInScope(file: ResidueFile, correction: Correction, pairs: ReadonlyMap<string, string>): boolean {
  if (correction.scope === "set" || correction.document === undefined || file.document === correction.document)
    return true;
  if (correction.scope === "document") return false;
  const pair = pairs.get(correction.document) ?? correction.document;
  return (file.pair ?? file.document) === pair;
}

function scanCorrection(
  correction: Correction,
  files: readonly PreparedFile[],
  pairs: ReadonlyMap<string, string>,
  at: string,
): ResidueResult {
  const scanned = files.filter((file) => isInScope(file, correction, pairs));
  const hits = scanned.flatMap((file) => {
    // The new words may hold the old ones ("not X" holds "X"); what lies inside them is the correction itself.
    const mended = correction.after.trim() === "" ? [] : findWording(file.search, correction.after);
    return correction.before.flatMap((pattern) =>
      findPlaces(file, pattern)
        .filter(([start, end]) => !mended.some(([from, to]) => from <= start && end <= to))
        .map((place) => {
          const hit = toHit(file, pattern, place);
          const exception = correction.exceptions.find(
            ({ file: only, line_contains: words }) =>
              (only === undefined || only === file.path) && (words === undefined || hit.excerpt.includes(words)),
          );
          return exception === undefined ? hit : { ...hit, waived: exception.reason };
        }),
    );
  });
  return { scanned_files: scanned.length, hits, clean: hits.every(({ waived }) => waived !== undefined), at };
}

/**
 * Returns the corrections with the result of looking for their old wordings in the files of their scope. Case, width,
 * line breaks and emphasis do not hide a wording; a scope with no file in it is not clean, since nothing was looked at.
 */
export function scanResidue(
  corrections: readonly Correction[],
  files: readonly ResidueFile[],
  at: string,
): Correction[] {
  const prepared = files.map(prepare);
  const pairs = new Map(files.map(({ document, pair }) => [document, pair ?? document]));
  return corrections.map((correction) => {
    const residue = scanCorrection(correction, prepared, pairs, at);
    return { ...correction, residue: residue.scanned_files === 0 ? { ...residue, clean: false } : residue };
  });
}
