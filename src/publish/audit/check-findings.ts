// internal
import { normalizeQuote } from "../review/anchor.js";
import type { ContentReview } from "../review/content-review.js";
import { hasFindingEvidence, type AuditFinding, type FindingStep } from "../review/finding.js";
import { findHistoryFault } from "../review/life-cycle.js";
import type { ReviewPass } from "../review/passes.js";
import type { ReviewResponse } from "../review/response.js";

function getKey(category: string, quote: string): string {
  return JSON.stringify([category.toLowerCase(), normalizeQuote(quote)]);
}

/** Returns the findings of a response that the record lacks, or holds in a milder form than they were raised in. */
export function listLostFindings(
  response: ReviewResponse,
  run: number,
  pass: ReviewPass,
  findings: readonly AuditFinding[],
): string[] {
  const raised = response.findings.map((each) => ({
    ...each,
    key: getKey(each.category, each.location.quote.exact),
  }));
  return raised.flatMap((each) => {
    const known = findings.filter(
      ({ category, location, rounds = [] }) =>
        rounds.includes(run) && getKey(category, location.quote?.exact ?? "") === each.key,
    );
    // A defect keeps the severity it was raised with first, and one response may raise it twice.
    const severities = raised.filter(({ key }) => key === each.key).map(({ severity }) => severity);
    const isHeld = known.some(
      ({ round, pass: first, severity, supported }) =>
        (round !== run || first !== pass || severities.includes(severity)) && (supported || !hasFindingEvidence(each)),
    );
    return isHeld ? [] : [`${each.severity} ${each.category}`];
  });
}

/** Returns what a step of a finding's life should have left on record and did not. */
function findStepFault(
  { id }: AuditFinding,
  { state }: FindingStep,
  before: FindingStep | undefined,
  { rounds, corrections, deferred }: ContentReview,
): string | undefined {
  switch (state) {
    case "fixed":
      return corrections.some(({ finding }) => finding === id) ? undefined : "it was fixed without a correction";
    case "deferred":
      return deferred.some(({ finding }) => finding === id) ? undefined : "it was deferred without an owner and a date";
    case "verified": {
      const fixedAt = Date.parse(before?.at ?? "");
      const isLookedAt = rounds.some(
        ({ voided, fresh, started_at }) => !voided && fresh && Date.parse(started_at) >= fixedAt,
      );
      return isLookedAt ? undefined : "it was verified and no round that counts came after the fix";
    }
    default:
      return undefined;
  }
}

/** Returns what is wrong with the life of a finding on record, or `undefined`. */
export function findLifeFault(finding: AuditFinding, review: ContentReview): string | undefined {
  const fault = findHistoryFault(finding);
  if (fault !== undefined) return fault;
  const { state_history: steps } = finding;
  for (const [index, step] of steps.entries()) {
    const stepFault = findStepFault(finding, step, steps[index - 1], review);
    if (stepFault !== undefined) return stepFault;
  }
  return undefined;
}
