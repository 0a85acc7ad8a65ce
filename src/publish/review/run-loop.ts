import { hashJson } from "../../core/index.js";
import type { PublishDocument } from "../document.js";
import { addRound, listBlocking, listRecurring, verifyFixes, type ContentReview } from "./content-review.js";
import type { Correction } from "./correction.js";
import { findDisagreements } from "./disagreement.js";
import { isBlocking, type AuditFinding } from "./finding.js";
import type { FixReport } from "./fixer.js";
import type { ReviewActor } from "./identity.js";
import { changeFinding } from "./life-cycle.js";
import { findLoopStop, type LoopOptions, type LoopRound, type LoopStop } from "./loop-control.js";
import type { ReviewRound, RoundEdit } from "./round-record.js";
import type { ReviewCall } from "./run-pass.js";
import type { RoundOutcome } from "./run-round.js";

/** Where a review stands: what is known, and the text it is about. */
export interface LoopState {
  readonly review: ContentReview;
  readonly document: PublishDocument;
}

/** What the loop is made of; each part may read and write the world. */
export interface LoopParts {
  /** Runs one round on the text as it is. */
  runRound(state: LoopState, run: number): Promise<RoundOutcome>;
  /** Called once a round is over, before anything is fixed, so that it can be put on record. */
  onRound?(state: LoopState, round: ReviewRound, calls: readonly ReviewCall[]): Promise<void>;
  /** Fixes findings and returns the report with the text after it. Absent: a person fixes, and the loop ends. */
  fix?(
    state: LoopState,
    findings: readonly AuditFinding[],
  ): Promise<{ readonly report: FixReport; readonly document: PublishDocument }>;
  /** Returns the corrections with their residue scanned. */
  scanResidue(corrections: readonly Correction[], document: PublishDocument): Promise<readonly Correction[]>;
  /** Returns the number of lint errors of a text; `undefined` when it is not known. */
  countLintErrors(document: PublishDocument): Promise<number | undefined>;
  readonly fixer: ReviewActor;
  readonly hasArbiter: boolean;
  /** UTC, ISO 8601. */
  readonly now: () => string;
}

/** How a loop ended. */
export interface LoopOutcome extends LoopState {
  readonly stop: LoopStop;
  readonly rounds: readonly LoopRound[];
}

/** Returns the id of a correction: equal corrections of a finding are one. */
function createCorrection(fix: FixReport["fixes"][number], document: PublishDocument): Correction {
  const { finding, summary, before, after, scope = "pair" } = fix;
  const id = `c-${hashJson([finding, before, after]).slice(0, 12)}`;
  return { id, finding, document: document.id, summary, before, after, scope, exceptions: [] };
}

/** Returns the review after a fixer's report: findings accepted and fixed, corrections and edits on record. */
export function applyFixes(
  review: ContentReview,
  report: FixReport,
  before: PublishDocument,
  after: PublishDocument,
  { fixer, at }: { readonly fixer: ReviewActor; readonly at: string },
): ContentReview {
  const corrections = report.fixes.map((fix) => createCorrection(fix, after));
  const findings = review.findings.map((finding) => {
    const correction = corrections.find((each) => each.finding === finding.id);
    if (correction === undefined) return finding;
    const accepted = finding.state === "open" ? changeFinding(finding, { to: "accepted", by: fixer, at }) : finding;
    return changeFinding(accepted, { to: "fixed", by: fixer, at, correction });
  });
  const known = new Set(review.corrections.map(({ id }) => id));
  const edits: RoundEdit[] = report.fixes.map(({ finding, summary }) => ({
    finding,
    file: before.file,
    before_sha256: `sha256:${before.sha256}`,
    after_sha256: `sha256:${after.sha256}`,
    summary,
  }));
  const rounds = review.rounds.map((round, index) =>
    index === review.rounds.length - 1 && before.sha256 !== after.sha256
      ? { ...round, edited_after_round: true, edits: [...(round.edits ?? []), ...edits] }
      : round,
  );
  return {
    ...review,
    findings,
    rounds,
    corrections: [...review.corrections, ...corrections.filter(({ id }) => !known.has(id))],
  };
}

/** Returns the rounds with the earlier ones on another text told which round looked again. */
function markReviewed(rounds: readonly ReviewRound[], run: number): ReviewRound[] {
  return rounds.map((round) =>
    round.edited_after_round === true && round.re_reviewed_by === undefined && round.run < run
      ? { ...round, re_reviewed_by: run }
      : round,
  );
}

/**
 * Reviews and fixes in turn until there is a reason to stop. Every round has fresh sessions, and the reviewer never
 * learns that there was another one.
 */
export async function runReviewLoop(
  start: LoopState,
  parts: LoopParts,
  options: LoopOptions = {},
): Promise<LoopOutcome> {
  let { review, document } = start;
  const rounds: LoopRound[] = [];
  for (;;) {
    const run = Math.max(0, ...review.rounds.map((round) => round.run)) + 1;
    const outcome = await parts.runRound({ review, document }, run);
    review = addRound(review, outcome, document, parts.now());
    review = {
      ...review,
      rounds: markReviewed(review.rounds, run),
      corrections: await parts.scanResidue(review.corrections, document),
    };
    review = verifyFixes(review, document, await parts.countLintErrors(document), parts.now());
    await parts.onRound?.({ review, document }, outcome.round, outcome.calls);
    const entry: LoopRound = {
      source_sha256: document.sha256,
      edited_sha256: document.sha256,
      verdict: outcome.round.verdict,
      blocking: listBlocking(review.findings),
      recurring: listRecurring(review.findings, run),
      undecided: [],
      isDisputed: !parts.hasArbiter && findDisagreements(review.rounds, review.findings, review.corrections).length > 0,
    };
    const early = findLoopStop([...rounds, entry], options);
    if (early !== undefined) return { review, document, stop: early, rounds: [...rounds, entry] };
    const due = review.findings.filter(isBlocking);
    const fixed = await parts.fix?.({ review, document }, due);
    const undecided = listUndecided(due, fixed?.report);
    if (fixed !== undefined) {
      review = applyFixes(review, fixed.report, document, fixed.document, { fixer: parts.fixer, at: parts.now() });
      document = fixed.document;
      review = { ...review, corrections: await parts.scanResidue(review.corrections, document) };
    }
    rounds.push({ ...entry, edited_sha256: document.sha256, undecided });
    const late = findLoopStop(rounds, options);
    if (late !== undefined) return { review, document, stop: late, rounds };
  }
}

/** Returns the findings nobody fixed: those declined, and all of them without a fixer. */
function listUndecided(due: readonly AuditFinding[], report: FixReport | undefined): string[] {
  const fixed = new Set((report?.fixes ?? []).map(({ finding }) => finding));
  return due.filter(({ id }) => !fixed.has(id)).map(({ fingerprint }) => fingerprint);
}
