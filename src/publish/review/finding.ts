import { sha256 } from "../../core/index.js";
import type { Block, PublishDocument } from "../document.js";
import { locateQuote, normalizeQuote } from "./anchor.js";
import type { ReviewActor } from "./identity.js";
import type { ReviewPass } from "./passes.js";
import type { ReviewResponseFinding, ReviewSeverity } from "./response.js";

/** Where a finding is in its life. */
export type FindingState = "open" | "accepted" | "fixed" | "verified" | "rejected" | "deferred" | "superseded";

/** One step of a finding's life. */
export interface FindingStep {
  readonly state: FindingState;
  /** UTC, ISO 8601. */
  readonly at: string;
  readonly by: ReviewActor;
  readonly reason?: string;
}

/** A defect on record, as the audit file holds it. */
export interface AuditFinding {
  /** `f-` and the first 12 digits of the fingerprint; a second finding of one fingerprint gets a suffix. */
  readonly id: string;
  /** Hash of category, quoted words and section, so that the same defect is known again after edits elsewhere. */
  readonly fingerprint: string;
  readonly stage: string;
  readonly pass?: string;
  /** Round that raised it first. */
  readonly round?: number;
  /** Rounds that raised it, the first included. */
  readonly rounds?: readonly number[];
  readonly raised_by?: readonly string[];
  readonly category: string;
  readonly severity: ReviewSeverity;
  readonly location: {
    readonly block?: string;
    readonly heading_path?: readonly string[];
    readonly line_start?: number;
    readonly line_end?: number;
    readonly quote?: { readonly prefix: string; readonly exact: string; readonly suffix: string };
    /** SHA-256 of the block as it was, `sha256:<hex>`. */
    readonly block_sha256?: string;
    /** False when the quoted words are not in the document. */
    readonly is_anchored?: boolean;
  };
  readonly says: string;
  readonly problem: string;
  readonly evidence?: {
    readonly kind: string;
    readonly detail: string;
    readonly ref?: string;
    readonly sha256?: string;
  };
  readonly proposed?: string;
  readonly other_occurrences?: readonly string[];
  readonly confidence?: number;
  /** Whether it came with evidence, or a second reviewer or the arbiter confirmed it. */
  readonly supported: boolean;
  readonly state: FindingState;
  readonly state_history: readonly FindingStep[];
}

/**
 * Returns the fingerprint of a defect: 16 hex digits over its category, the quoted words with blanks made one, and the
 * path of headings above. Line numbers and block ids are left out, since they move with every edit.
 */
export function computeFingerprint(category: string, quote: string, headingPath: readonly string[]): string {
  return sha256(JSON.stringify([category.toLowerCase(), normalizeQuote(quote), headingPath])).slice(0, 16);
}

/** Returns the smallest block that holds a line. */
export function findBlockAtLine(blocks: readonly Block[], line: number): Block | undefined {
  return blocks
    .filter(({ lineStart, lineEnd }) => lineStart <= line && line <= lineEnd)
    .reduce<Block | undefined>(
      (best, block) =>
        best === undefined || block.lineEnd - block.lineStart <= best.lineEnd - best.lineStart ? block : best,
      undefined,
    );
}

/** Says whether a finding came with evidence that can be followed. */
export function hasFindingEvidence({ evidence }: ReviewResponseFinding): boolean {
  if (evidence === undefined || evidence.detail.trim() === "") return false;
  // Evidence that lies outside the document must say where.
  const needsPlace = evidence.kind === "citation" || evidence.kind === "artefact";
  return !needsPlace || (evidence.ref !== undefined && evidence.ref.trim() !== "");
}

/** Where a finding was raised. */
export interface FindingSource {
  readonly pass: ReviewPass;
  readonly round: number;
  readonly reviewer: ReviewActor;
  readonly at: string;
}

/** Returns a reviewer's finding as a record, anchored in the document by its quoted words. */
export function createAuditFinding(
  raised: ReviewResponseFinding,
  document: PublishDocument,
  { pass, round, reviewer, at }: FindingSource,
): AuditFinding {
  const { category, severity, location, says, problem, evidence, proposed, other_occurrences, confidence } = raised;
  const match = locateQuote(document.source, location.quote, location.line_start);
  const line = match?.lineStart ?? location.line_start;
  const named = document.blocks.find(({ id }) => id === location.block);
  const isInside = named !== undefined && line !== undefined && named.lineStart <= line && line <= named.lineEnd;
  const block = isInside || line === undefined ? named : (findBlockAtLine(document.blocks, line) ?? named);
  const fingerprint = computeFingerprint(category, location.quote.exact, block?.headingPath ?? []);
  return {
    id: `f-${fingerprint.slice(0, 12)}`,
    fingerprint,
    stage: "content",
    pass,
    round,
    rounds: [round],
    raised_by: [reviewer.id],
    category,
    severity,
    location: {
      ...(block === undefined ? {} : { block: block.id, heading_path: block.headingPath }),
      ...(line === undefined ? {} : { line_start: line, line_end: match?.lineEnd ?? location.line_end ?? line }),
      quote: location.quote,
      ...(block === undefined ? {} : { block_sha256: `sha256:${sha256(block.source)}` }),
      is_anchored: match !== undefined,
    },
    says,
    problem,
    ...(evidence === undefined ? {} : { evidence }),
    ...(proposed === undefined ? {} : { proposed }),
    ...(other_occurrences.length === 0 ? {} : { other_occurrences }),
    ...(confidence === undefined ? {} : { confidence }),
    supported: hasFindingEvidence(raised),
    state: "open",
    state_history: [{ state: "open", at, by: reviewer }],
  };
}

/**
 * Returns the findings on record with those of a round added. A finding whose fingerprint is on record is the same one:
 * its rounds grow, a second reviewer supports it, and one that was fixed or verified is open again. One that the arbiter
 * rejected or deferred stays so.
 */
export function mergeFindings(known: readonly AuditFinding[], raised: readonly AuditFinding[]): AuditFinding[] {
  const merged = [...known];
  for (const finding of raised) {
    const index = merged.findIndex(({ fingerprint }) => fingerprint === finding.fingerprint);
    if (index === -1) merged.push(finding);
    else merged[index] = joinFinding(merged[index], finding);
  }
  return merged;
}

function joinFinding(known: AuditFinding, again: AuditFinding): AuditFinding {
  const { rounds = [], raised_by = [] } = known;
  const isSecond = (again.raised_by ?? []).some((id) => !raised_by.includes(id)) && raised_by.length > 0;
  const isBack = known.state === "fixed" || known.state === "verified" || known.state === "superseded";
  const step = again.state_history[0];
  return {
    ...known,
    location: again.location,
    rounds: [...new Set([...rounds, ...(again.rounds ?? [])])],
    raised_by: [...new Set([...raised_by, ...(again.raised_by ?? [])])],
    supported: known.supported || again.supported || isSecond,
    ...(known.evidence === undefined && again.evidence !== undefined ? { evidence: again.evidence } : {}),
    ...(isBack
      ? {
          state: "open" as const,
          state_history: [...known.state_history, { ...step, reason: `raised again in round ${again.round ?? "?"}` }],
        }
      : {}),
  };
}

/** Returns where a finding's words stand in the document now, or `undefined` when they are gone. */
export function locateFinding(finding: AuditFinding, source: string): ReturnType<typeof locateQuote> {
  const { quote, line_start } = finding.location;
  return quote === undefined ? undefined : locateQuote(source, quote, line_start);
}

/** Says whether a finding closes its stage: a blocker or major that is accepted, or open with evidence. */
export function isBlocking({ severity, state, supported }: AuditFinding): boolean {
  if (severity !== "blocker" && severity !== "major") return false;
  return state === "accepted" || (state === "open" && supported);
}
