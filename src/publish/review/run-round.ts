import { hashJson } from "../../core/index.js";
import type { PublishDocument } from "../document.js";
import { getWorstVerdict } from "../verdict.js";
import type { ReviewBackend } from "./backend.js";
import type { AuditFinding } from "./finding.js";
import { findEligibilityFault, type EligibilityFault, type ReviewIdentity, type ReviewParties } from "./identity.js";
import type { ReviewPass } from "./passes.js";
import type { ReviewRound } from "./round-record.js";
import { runReviewPass, type PassOutcome, type ReviewCall, type RunPassOptions } from "./run-pass.js";

/** What a round needs beside the document, the passes and the backend. */
export interface RunRoundOptions extends RunPassOptions {
  readonly parties: ReviewParties;
}

/** What a round came to. */
export interface RoundOutcome {
  readonly round: ReviewRound;
  readonly findings: readonly AuditFinding[];
  readonly calls: readonly ReviewCall[];
}

function judgeEligibility(
  identities: readonly ReviewIdentity[],
  backend: ReviewBackend,
  parties: ReviewParties,
): EligibilityFault | undefined {
  for (const identity of identities) {
    const fault = findEligibilityFault(identity, parties);
    if (fault !== undefined) return fault;
  }
  if (backend.kind !== "replay") return undefined;
  return { reason_code: "replayed", message: "A recorded response is no review by somebody" };
}

/** Returns the hash of several hashes, of the one when there is one, `undefined` for none. */
function joinHashes(hashes: readonly (string | undefined)[]): string | undefined {
  const known = hashes.filter((hash) => hash !== undefined);
  return known.length > 1 ? `sha256:${hashJson(known)}` : known[0];
}

function sumTokens(outcomes: readonly PassOutcome[]): ReviewRound["usage"] {
  const told = outcomes.flatMap(({ result }) => (result.usage === undefined ? [] : [result.usage]));
  if (told.length === 0) return undefined;
  return {
    input: told.reduce((sum, { input = 0 }) => sum + input, 0),
    output: told.reduce((sum, { output = 0 }) => sum + output, 0),
  };
}

/**
 * Runs the passes of a round one after the other, each in a fresh session on the same text, and returns its record.
 * A pass whose packet or session breaks the rules voids the round: its findings are kept, its coverage counts for
 * nothing.
 */
export async function runReviewRound(
  document: PublishDocument,
  passes: readonly ReviewPass[],
  backend: ReviewBackend,
  options: RunRoundOptions,
): Promise<RoundOutcome> {
  const startedAt = options.now();
  const used = new Set(options.usedSessions);
  const outcomes: PassOutcome[] = [];
  for (const pass of passes) {
    const outcome = await runReviewPass(document, pass, backend, { ...options, usedSessions: new Set(used) });
    outcomes.push(outcome);
    if (outcome.result.session_id !== undefined) used.add(outcome.result.session_id);
  }
  const results = outcomes.map(({ result }) => result);
  const identities = outcomes.flatMap(({ identity }) => (identity === undefined ? [] : [identity]));
  const fault = judgeEligibility(identities, backend, options.parties);
  const independence_findings = results.flatMap((result) => result.independence_findings);
  const sessions = results.flatMap(({ session_id }) => (session_id === undefined ? [] : [session_id]));
  const verdict = getWorstVerdict(results.map((result) => result.verdict));
  const [identity] = identities;
  const round: ReviewRound = {
    run: options.round,
    verdict,
    reason_code: results.find((result) => result.verdict === verdict)?.reason_code ?? "no-passes",
    ...(sessions.length === 0 ? {} : { thread_id: sessions.join(" ") }),
    ...(identity === undefined ? {} : describeReviewer(identity)),
    backend: backend.kind,
    ...(sessions.length === 0 ? {} : { session_id: sessions[0] }),
    fresh: sessions.length > 0 && independence_findings.every(({ rule }) => rule !== "session.reused"),
    independent: fault === undefined && independence_findings.length === 0 && identities.length > 0,
    ...(fault === undefined || identities.length === 0 ? {} : { eligibility: fault.reason_code }),
    voided: independence_findings.length > 0,
    independence_findings,
    source_sha256: `sha256:${document.sha256}`,
    packet_sha256: joinHashes(results.map(({ packet_sha256 }) => packet_sha256)),
    response_sha256: joinHashes(results.map(({ response_sha256 }) => response_sha256)),
    started_at: new Date(startedAt).toISOString(),
    duration_ms: Math.round(options.now() - startedAt),
    usage: sumTokens(outcomes),
    attempts: results.reduce((sum, { attempts }) => sum + attempts, 0),
    pass_results: results,
  };
  return {
    round,
    findings: outcomes.flatMap(({ findings }) => findings),
    calls: outcomes.flatMap(({ call }) => (call === undefined ? [] : [call])),
  };
}

function describeReviewer({ id, family, model, reasoning }: ReviewIdentity): Partial<ReviewRound> {
  return {
    reviewer: [id, model === id ? undefined : model, reasoning].filter((part) => part !== undefined).join(" "),
    reviewer_id: id,
    ...(family === undefined ? {} : { reviewer_family: family }),
    ...(model === undefined ? {} : { reviewer_model: model }),
    ...(reasoning === undefined ? {} : { reviewer_reasoning: reasoning }),
  };
}
