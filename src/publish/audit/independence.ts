import { findEligibilityFault, type ReviewIdentity, type ReviewParties } from "../review/identity.js";
import type { AuditFinding } from "../review/finding.js";
import { listAnsweredSessions, type ReviewRound } from "../review/round-record.js";

/** A rule of independence that a record breaks. */
export interface IndependenceViolation {
  readonly rule: string;
  readonly message: string;
}

/** Who took part, and which rules were broken. */
export interface IndependenceRecord {
  readonly author?: ReviewIdentity;
  readonly fixer?: ReviewIdentity;
  readonly reviewers: readonly ReviewIdentity[];
  readonly arbiter?: ReviewIdentity;
  readonly violations: readonly IndependenceViolation[];
}

function listReviewers(rounds: readonly ReviewRound[]): ReviewIdentity[] {
  const reviewers = new Map<string, ReviewIdentity>();
  for (const { reviewer_id: id, reviewer_family: family, reviewer_model: model } of rounds) {
    if (id !== undefined)
      reviewers.set(id, { id, ...(family === undefined ? {} : { family }), ...(model === undefined ? {} : { model }) });
  }
  return [...reviewers.values()];
}

/** Returns the violations of rounds that are counted on: void and ineligible rounds count for nothing and break nothing. */
function checkRounds(
  rounds: readonly ReviewRound[],
  parties: ReviewParties,
  others: ReadonlySet<string>,
): IndependenceViolation[] {
  const seen = new Set(others);
  return rounds.flatMap((round) => {
    const { run, voided, eligibility, reviewer_id: id, reviewer_family: family, backend } = round;
    const sessions = listAnsweredSessions(round.pass_results);
    const reused = sessions.filter((session) => seen.has(session));
    sessions.forEach((session) => seen.add(session));
    if (voided) return [];
    const violations = reused.map((session) => ({
      rule: "session.reused",
      message: `Round ${run} used session "${session}", which was used before`,
    }));
    if (eligibility !== undefined || id === undefined) return violations;
    const fault = findEligibilityFault({ id, ...(family === undefined ? {} : { family }) }, parties);
    if (fault !== undefined)
      violations.push({ rule: `reviewer.${fault.reason_code}`, message: `Round ${run}: ${fault.message}` });
    if (backend === "replay")
      violations.push({ rule: "reviewer.replayed", message: `Round ${run} was played from a record` });
    return violations;
  });
}

/** Returns the findings whose author, fixer or reviewer decided what only an arbiter may. */
function checkDecisions(findings: readonly AuditFinding[], parties: ReviewParties): IndependenceViolation[] {
  return findings.flatMap(({ id, state_history }) =>
    state_history
      .filter(({ state }) => state === "rejected" || state === "deferred")
      .filter(({ by }) => by.role !== "arbiter" || by.id === parties.author?.id || by.id === parties.fixer?.id)
      .map(({ state, by }) => ({
        rule: "finding.decided-by-party",
        message: `Finding "${id}" was ${state} by "${by.id}" as ${by.role}: that takes an arbiter who is neither author nor fixer`,
      })),
  );
}

/**
 * Returns who took part in a review and which rules of independence the record breaks: reviewers apart from author and
 * fixer by identity and family, sessions used once in the whole project, decisions by an arbiter.
 *
 * @param otherSessions Session ids of the project's other documents.
 */
export function checkIndependence(
  parties: ReviewParties,
  rounds: readonly ReviewRound[],
  findings: readonly AuditFinding[],
  otherSessions: ReadonlySet<string> = new Set(),
): IndependenceRecord {
  const { author, fixer, arbiter } = parties;
  return {
    ...(author === undefined ? {} : { author }),
    ...(fixer === undefined ? {} : { fixer }),
    reviewers: listReviewers(rounds),
    ...(arbiter === undefined ? {} : { arbiter }),
    violations: [...checkRounds(rounds, parties, otherSessions), ...checkDecisions(findings, parties)],
  };
}
