import type { PublishVerdict } from "../verdict.js";
import type { ClaimImpact, ExperimentAudit } from "./audit-experiment.js";

/** Whether a result carries the claim it was made for, as a reviewer says it. */
export interface ResultJudgement {
  readonly claim: string;
  readonly claim_supported: "yes" | "partial" | "no";
  readonly supported: readonly string[];
  readonly not_supported: readonly string[];
  readonly missing_evidence: readonly string[];
  readonly suggested_wording?: string;
  readonly next_experiments: readonly string[];
  readonly confidence: "high" | "medium" | "low";
}

/** A judgement as it may be shown, after what the programs found. */
export interface ResultToClaim extends ResultJudgement {
  readonly integrity_status: ExperimentAudit["integrity_status"];
  /** Shown beside the claim: integrity failed, or nobody audited it. */
  readonly tag?: "integrity failed" | "provisional";
  /** What the page may say; `inconclusive` for low confidence. */
  readonly shown_as: "yes" | "partial" | "no" | "inconclusive";
  /** What was lowered, and why. */
  readonly downgrades: readonly string[];
}

/** Result of {@linkcode judgeResults}. */
export interface ResultToClaimOutcome {
  readonly verdict: PublishVerdict;
  readonly reason_code: string;
  readonly results: readonly ResultToClaim[];
}

function lower(
  judgement: ResultJudgement,
  integrity: ExperimentAudit["integrity_status"],
  impact: ClaimImpact | undefined,
): ResultToClaim {
  const downgrades: string[] = [];
  let { claim_supported: supported, confidence } = judgement;
  if (integrity === "fail" && confidence !== "low") {
    downgrades.push(`confidence ${confidence} to low: integrity failed`);
    confidence = "low";
  }
  if (impact?.impact === "unsupported" && supported !== "no") {
    downgrades.push(`${supported} to no: ${impact.reasons[0]}`);
    supported = "no";
  }
  if (impact?.impact === "needs_qualifier" && supported === "yes") {
    downgrades.push(`yes to partial: ${impact.reasons[0]}`);
    supported = "partial";
  }
  if (supported === "yes" && judgement.missing_evidence.length > 0) {
    downgrades.push(`yes to partial: missing ${judgement.missing_evidence[0]}`);
    supported = "partial";
  }
  const tag = integrity === "fail" ? "integrity failed" : integrity === "unavailable" ? "provisional" : undefined;
  // A `no` that a program found stays a no, however little the reviewer was sure.
  const isInconclusive = confidence === "low" && supported !== "no";
  return {
    ...judgement,
    claim_supported: supported,
    confidence,
    integrity_status: integrity,
    ...(tag === undefined ? {} : { tag }),
    shown_as: isInconclusive ? "inconclusive" : supported,
    downgrades,
  };
}

/**
 * Returns reviewers' judgements of claims lowered to what the audit of the experiments allows, and the verdict of the
 * stage. Nothing is ever raised. Without a reviewer the stage is REVIEW_UNAVAILABLE.
 *
 * @param judgements Absent: nobody judged.
 */
export function judgeResults(
  claims: readonly string[],
  judgements: readonly ResultJudgement[] | undefined,
  audit: Pick<ExperimentAudit, "integrity_status" | "claims"> | undefined,
): ResultToClaimOutcome {
  if (claims.length === 0) return { verdict: "NOT_APPLICABLE", reason_code: "no-claims", results: [] };
  if (judgements === undefined) return { verdict: "REVIEW_UNAVAILABLE", reason_code: "reviewer-missing", results: [] };
  const results = judgements.map((judgement) =>
    lower(
      judgement,
      audit?.integrity_status ?? "unavailable",
      audit?.claims.find(({ id }) => id === judgement.claim),
    ),
  );
  const missing = claims.filter((claim) => !results.some((result) => result.claim === claim));
  if (results.some(({ shown_as }) => shown_as === "no"))
    return { verdict: "FAIL", reason_code: "claim-not-supported", results };
  if (missing.length > 0) return { verdict: "REVIEW_UNAVAILABLE", reason_code: "claims-not-judged", results };
  if (results.some(({ shown_as, tag }) => shown_as !== "yes" || tag !== undefined))
    return { verdict: "WARN", reason_code: "reservations", results };
  return { verdict: "PASS", reason_code: "clean", results };
}
