import { usageError } from "../../core/index.js";
import { normalizeQuote } from "./anchor.js";
import type { AuditFinding } from "./finding.js";

/** Words that must be gone: as they are, or as a regular expression. */
export type ResiduePattern = { readonly literal: string } | { readonly regex: string };

/** How far a correction reaches. */
export type CorrectionScope = "document" | "pair" | "set";

/** A place where the old words may stay, and why. */
export interface ResidueException {
  /** Path of the file; absent: any file. */
  readonly file?: string;
  /** Words of the line that holds the place. */
  readonly line_contains?: string;
  readonly reason: string;
  readonly by?: string;
}

/** One place where old words still stand. */
export interface ResidueHit {
  readonly file: string;
  readonly kind: "source" | "page";
  /** 1-based; for sources. */
  readonly line?: number;
  /** Source block; for pages. */
  readonly block?: string;
  readonly pattern: string;
  readonly excerpt: string;
  /** Set when an exception covers it. */
  readonly waived?: string;
}

/** What a scan for one correction came to. */
export interface ResidueResult {
  readonly scanned_files: number;
  readonly hits: readonly ResidueHit[];
  /** No hit without an exception. */
  readonly clean: boolean;
  readonly at: string;
}

/** A correction on record: what was wrong, what it says now, and where the old words must be gone. */
export interface Correction {
  readonly id: string;
  /** Id of the finding it fixes; absent for a correction made on its own. */
  readonly finding?: string;
  /** Id of the document it was made in. */
  readonly document?: string;
  /** What was changed, in one sentence. */
  readonly summary?: string;
  readonly before: readonly ResiduePattern[];
  readonly after: string;
  readonly scope: CorrectionScope;
  readonly exceptions: readonly ResidueException[];
  readonly residue?: ResidueResult;
}

/** Shortest wording that can be looked for without meeting it by chance. */
const minWording = 3;

/** Returns a pattern as messages show it. */
export function describePattern(pattern: ResiduePattern): string {
  return "literal" in pattern ? pattern.literal : `/${pattern.regex}/`;
}

/**
 * Returns the expression of a pattern given as one.
 *
 * @throws {TurnwiseError} (usage) when it does not compile.
 */
export function compileResiduePattern(regex: string): RegExp {
  try {
    return new RegExp(regex, "giu");
  } catch (error) {
    throw usageError(`Cannot scan for "${regex}": it is no regular expression`, String(error));
  }
}

/** Returns the wordings a fix of this finding should remove: the quoted words and the other places it named. */
export function suggestPatterns({ location, other_occurrences = [] }: AuditFinding): ResiduePattern[] {
  const wordings = [location.quote?.exact ?? "", ...other_occurrences].map(normalizeQuote);
  return [...new Set(wordings)].filter((wording) => wording.length >= minWording).map((literal) => ({ literal }));
}

/**
 * Checks that a correction can be scanned for.
 *
 * @throws {TurnwiseError} (usage) for no pattern, a pattern of under three letters, or one that is no expression.
 */
export function checkCorrection({ id, before, after }: Pick<Correction, "id" | "before" | "after">): void {
  if (before.length === 0)
    throw usageError(`Cannot record correction "${id}": it names no old wording`, "Give what must be gone in before");
  for (const pattern of before) {
    if ("regex" in pattern) {
      if (compileResiduePattern(pattern.regex).test(""))
        throw usageError(`Cannot record correction "${id}": "${pattern.regex}" matches everywhere`);
    } else if (normalizeQuote(pattern.literal).length < minWording) {
      throw usageError(
        `Cannot record correction "${id}": "${pattern.literal}" is too short to look for`,
        `Give at least ${minWording} letters, or a regular expression`,
      );
    }
  }
  if (after.trim() === "" && before.length === 0) throw usageError(`Cannot record correction "${id}": it says nothing`);
}
