import type { PublishDocument } from "../document.js";
import { locateQuote } from "./anchor.js";
import { findBlockAtLine, isBlocking, mergeFindings, type AuditFinding } from "./finding.js";
import { changeFinding, countFixes, expireDeferrals, type DeferredItem } from "./life-cycle.js";
import type { Correction } from "./correction.js";
import { updateNeedsVerify, type NeedsVerifyEntry } from "./needs-verify.js";
import { reviewPasses, type ReviewPass } from "./passes.js";
import { estimateRemainder, type RemainderEstimate } from "./remainder.js";
import type { ReviewRound } from "./round-record.js";
import type { RoundOutcome } from "./run-round.js";

/** All that a project knows of the content review of one document. */
export interface ContentReview {
  readonly rounds: readonly ReviewRound[];
  readonly findings: readonly AuditFinding[];
  readonly corrections: readonly Correction[];
  readonly needsVerify: readonly NeedsVerifyEntry[];
  readonly deferred: readonly DeferredItem[];
}

/** Passes that a document of a kind must have at release. */
export function listRequiredPasses(kind: string, extra: { readonly hasTopics?: boolean } = {}): ReviewPass[] {
  const coverage: ReviewPass[] = extra.hasTopics === true ? ["coverage"] : [];
  switch (kind) {
    case "report":
      return ["claim", "consistency", ...coverage];
    case "paper":
      return reviewPasses.filter((pass) => pass !== "coverage" || extra.hasTopics === true);
    case "page":
      return ["consistency", ...coverage];
    default:
      return ["math", "code", "qa", "citation", "consistency", ...coverage];
  }
}

/** Returns the review with a round added: its findings merged, its markers looked at again, ended deferrals open. */
export function addRound(
  review: ContentReview,
  outcome: RoundOutcome,
  document: PublishDocument,
  at: string,
): ContentReview {
  const merged = mergeFindings(review.findings, outcome.findings);
  return {
    ...review,
    rounds: [...review.rounds, outcome.round],
    findings: expireDeferrals(merged, review.deferred, at),
    needsVerify: updateNeedsVerify(review.needsVerify, document),
  };
}

/** Returns fingerprints raised in a round after having been fixed twice. */
export function listRecurring(findings: readonly AuditFinding[], run: number): string[] {
  return findings
    .filter((finding) => (finding.rounds ?? []).includes(run) && finding.state === "open" && countFixes(finding) >= 2)
    .map(({ fingerprint }) => fingerprint);
}

/** Says whether a round examined the place of a finding on its text: the item itself, or everything in the pass. */
function hasCovered(
  round: ReviewRound,
  finding: AuditFinding,
  correction: Correction | undefined,
  document: PublishDocument,
): boolean {
  const result = round.pass_results.find(({ pass }) => pass === finding.pass);
  if (result === undefined || result.verdict === "ERROR" || result.verdict === "REVIEW_UNAVAILABLE") return false;
  if (result.coverage_ratio === 1) return true;
  const after = correction?.after.trim() ?? "";
  const place =
    after === ""
      ? undefined
      : locateQuote(document.source, { prefix: "", exact: after, suffix: "" }, finding.location.line_start);
  const block = place === undefined ? finding.location.block : findBlockAtLine(document.blocks, place.lineStart)?.id;
  return result.coverage.some(({ item, status }) => item === block && status === "checked");
}

/**
 * Returns what keeps a fixed finding from being verified, or `undefined` when nothing does: its old wording is gone
 * everywhere, lint has no error, and a later round that counts examined the place, on the text as it is now, without
 * raising it again.
 */
export function findVerificationGap(
  finding: AuditFinding,
  review: Pick<ContentReview, "rounds" | "corrections">,
  document: PublishDocument,
  lintErrorCount: number | undefined,
): string | undefined {
  const correction = review.corrections.findLast((each) => each.finding === finding.id);
  if (correction?.residue === undefined) return "no residue scan was made";
  if (!correction.residue.clean) return "the old wording still stands";
  if (lintErrorCount === undefined) return "lint has not been run on this text";
  if (lintErrorCount > 0) return "lint has errors";
  const fixedAt = finding.state_history.findLast(({ state }) => state === "fixed")?.at ?? "";
  const later = review.rounds.filter(
    ({ started_at, source_sha256, voided, fresh, eligibility }) =>
      Date.parse(started_at) >= Date.parse(fixedAt) &&
      source_sha256 === `sha256:${document.sha256}` &&
      !voided &&
      fresh &&
      (eligibility === undefined || eligibility === "replayed"),
  );
  if (!later.some((round) => hasCovered(round, finding, correction, document)))
    return "no later round examined the place";
  return undefined;
}

/** Returns the review with every fixed finding verified for which nothing is missing. */
export function verifyFixes(
  review: ContentReview,
  document: PublishDocument,
  lintErrorCount: number | undefined,
  at: string,
): ContentReview {
  const findings = review.findings.map((finding) =>
    finding.state === "fixed" && findVerificationGap(finding, review, document, lintErrorCount) === undefined
      ? changeFinding(finding, { to: "verified", by: { id: "turnwise", role: "tool" }, at })
      : finding,
  );
  return { ...review, findings };
}

/** Numbers of open findings by severity, those without evidence apart. */
export interface OpenCounts {
  readonly blocker: number;
  readonly major: number;
  readonly minor: number;
  readonly nit: number;
  readonly unsupported: number;
}

/** Returns how many findings are open or accepted. */
export function countOpen(findings: readonly AuditFinding[]): OpenCounts {
  const live = findings.filter(({ state }) => state === "open" || state === "accepted");
  const supported = live.filter(({ supported: isSupported }) => isSupported);
  const of = (severity: string): number => supported.filter((finding) => finding.severity === severity).length;
  return {
    blocker: of("blocker"),
    major: of("major"),
    minor: of("minor"),
    nit: of("nit"),
    unsupported: live.length - supported.length,
  };
}

/** Returns the fingerprints of findings that close the stage. */
export function listBlocking(findings: readonly AuditFinding[]): string[] {
  return findings.filter(isBlocking).map(({ fingerprint }) => fingerprint);
}

/**
 * Returns the estimate of what remains from the last two reviewers of one text and the same passes, or `undefined` when
 * no text had two.
 */
export function estimateRemainderOf({
  rounds,
  findings,
}: Pick<ContentReview, "rounds" | "findings">): RemainderEstimate | undefined {
  const counting = rounds.filter(
    ({ voided, reviewer_id, eligibility }) => !voided && reviewer_id !== undefined && eligibility === undefined,
  );
  const last = counting.at(-1);
  const passesOf = (round: ReviewRound): string =>
    round.pass_results
      .map(({ pass }) => pass)
      .sort()
      .join();
  const other = counting
    .slice(0, -1)
    .findLast(
      (round) =>
        last !== undefined &&
        round.source_sha256 === last.source_sha256 &&
        round.reviewer_id !== last.reviewer_id &&
        passesOf(round) === passesOf(last),
    );
  if (last === undefined || other === undefined) return undefined;
  const found = (run: number): Set<string> =>
    new Set(
      findings
        .filter((finding) => (finding.rounds ?? []).includes(run) && finding.state !== "rejected")
        .map(({ fingerprint }) => fingerprint),
    );
  const [first, second] = [found(other.run), found(last.run)];
  return estimateRemainder(first.size, second.size, [...first].filter((each) => second.has(each)).length);
}
