import { sha256, usageError } from "../../core/index.js";
import type { Block, PublishDocument } from "../document.js";
import { normalizeQuote } from "./anchor.js";
import { findWording, toSearchText } from "./search-text.js";
import type { ReviewActor } from "./identity.js";

/** What became of a statement that was marked as unverified. */
export type NeedsVerifyState = "open" | "verified" | "corrected" | "hedged" | "removed";

/** Something that was looked up. */
export interface LookupEvidence {
  readonly source: string;
  readonly quote: string;
  /** ISO date. */
  readonly looked_up_at: string;
}

/** A statement that somebody has to look up. */
export interface NeedsVerifyEntry {
  readonly id: string;
  readonly location: { readonly block?: string; readonly line?: number; readonly heading_path?: readonly string[] };
  /** The statement without its marker. */
  readonly text: string;
  readonly question: string;
  readonly state: NeedsVerifyState;
  /** Whether the marker stands in the text now. */
  readonly is_marked?: boolean;
  /** The words that say that the statement is unverified, once it is hedged. */
  readonly hedge?: string;
  readonly evidence: readonly LookupEvidence[];
  readonly resolved_by?: string;
}

/** A marker: `[needs-verify]`, `[needs-verify: question]`, `<!-- needs-verify: question -->`, bare, or as a class. */
const marker =
  /<!--\s*needs[-_ ]?verify\b:?\s*(.*?)\s*-->|\[needs[-_ ]?verify\b:?\s*([^\]\n]*)\](?![({])|\{[^{}\n]*\.?needs[-_]verify\b[^{}\n]*\}|\bneeds[-_ ]verify\b/gis;

function stripMarkers(text: string): string {
  return normalizeQuote(text.replaceAll(new RegExp(marker.source, marker.flags), " "));
}

/** Returns where the sentence, row or line begins that runs up to `at`. */
function findSentenceStart(text: string, at: number): number {
  const before = [...text.slice(0, at).matchAll(/[.!?]\s+|[。！？]\s*|\n/g)].at(-1);
  return before === undefined ? 0 : before.index + before[0].length;
}

/** Returns the sentence a marker at `at` is about: the one it stands in, or the one before when it stands between two. */
function findSentence(text: string, at: number): string {
  const start = findSentenceStart(text, at);
  const isBetween = start > 0 && text.slice(start, at).trim() === "" && text[start - 1] !== "\n";
  if (isBetween) return text.slice(findSentenceStart(text, text.slice(0, start).trimEnd().length - 1), start);
  const after = /[.!?](?=\s|$)|[。！？]|\n/.exec(text.slice(at));
  return text.slice(start, after === null ? text.length : at + after.index + after[0].length);
}

function readEntry(block: Block, match: RegExpMatchArray, at: number): NeedsVerifyEntry {
  const sentence = stripMarkers(findSentence(block.source, at));
  const text = /[\p{L}\p{N}]{2}/u.test(sentence) ? sentence : stripMarkers(block.source);
  const asked = (match[1] ?? match[2] ?? "").trim();
  return {
    id: `nv-${sha256(JSON.stringify([text, block.headingPath])).slice(0, 10)}`,
    location: {
      block: block.id,
      line: block.lineStart + block.source.slice(0, at).split("\n").length - 1,
      heading_path: block.headingPath,
    },
    text,
    question: asked === "" ? `Is this so: ${text}` : asked,
    state: "open",
    is_marked: true,
    evidence: [],
  };
}

/** Returns an entry for each statement marked in a document, code left out; two markers on one statement are one entry. */
export function collectNeedsVerify({ blocks }: PublishDocument): NeedsVerifyEntry[] {
  const containers = new Set(blocks.map(({ parent }) => parent));
  const entries = new Map<string, NeedsVerifyEntry>();
  for (const block of blocks) {
    if (block.type === "code" || block.type === "math" || containers.has(block.id)) continue;
    const source = block.source.replace(/`[^`\n]*`/g, (code) => " ".repeat(code.length));
    for (const match of source.matchAll(new RegExp(marker.source, marker.flags))) {
      const entry = readEntry({ ...block, source }, match, match.index);
      if (!entries.has(entry.id)) entries.set(entry.id, entry);
    }
  }
  return [...entries.values()];
}

/**
 * Returns the ledger after a new look at the document. Entries that are settled stay settled, unless their marker is
 * back. An open entry whose marker was taken out without a word stays open: taking out a marker verifies nothing.
 */
export function updateNeedsVerify(known: readonly NeedsVerifyEntry[], document: PublishDocument): NeedsVerifyEntry[] {
  const found = new Map(collectNeedsVerify(document).map((entry) => [entry.id, entry]));
  const kept = known.map((entry): NeedsVerifyEntry => {
    const now = found.get(entry.id);
    found.delete(entry.id);
    if (now === undefined) return { ...entry, is_marked: false };
    return { ...entry, location: now.location, question: now.question, state: "open", is_marked: true };
  });
  return [...kept, ...found.values()];
}

/** How a marked statement was settled. */
export interface NeedsVerifyResolution {
  readonly to: Exclude<NeedsVerifyState, "open">;
  readonly by: ReviewActor;
  readonly evidence?: readonly LookupEvidence[];
  readonly hedge?: string;
}

/**
 * Returns an entry after it was settled.
 *
 * @throws {TurnwiseError} (usage) when what the state asks for is missing: `verified` and `corrected` take evidence with
 * source and quote, `hedged` takes words that stand in the document, `removed` takes the statement to be gone.
 */
export function resolveNeedsVerify(
  entry: NeedsVerifyEntry,
  { to, by, evidence = [], hedge }: NeedsVerifyResolution,
  source: string,
): NeedsVerifyEntry {
  const refuse = (why: string, remedy: string): never => {
    throw usageError(`Cannot settle "${entry.id}" as ${to}: ${why}`, remedy);
  };
  const holds = (words: string): boolean => findWording(toSearchText(source), words).length > 0;
  if (to === "verified" || to === "corrected") {
    const isComplete =
      evidence.length > 0 && evidence.every((each) => each.source.trim() !== "" && each.quote.trim() !== "");
    if (!isComplete)
      refuse("no evidence with a source and a quote is given", "Say where it was looked up and what stands there");
  }
  if (to === "hedged" && (hedge === undefined || hedge.trim() === "" || !holds(hedge)))
    refuse(
      "the document does not hold the words that say that it is unverified",
      "Give those words as they stand in the text",
    );
  if (to === "removed" && holds(entry.text))
    refuse("the statement still stands in the document", "Take it out, or settle it otherwise");
  const { hedge: _old, ...rest } = entry;
  return {
    ...rest,
    state: to,
    ...(hedge === undefined ? {} : { hedge }),
    evidence: [...entry.evidence, ...evidence],
    resolved_by: by.id,
  };
}
