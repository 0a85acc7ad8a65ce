import type { Severity } from "../../core/index.js";

/** What the re-check of a number or statement came to. */
export type ClaimStatus =
  | "exact_match"
  | "rounding_ok"
  | "ambiguous_mapping"
  | "missing_evidence"
  | "config_mismatch"
  | "aggregation_mismatch"
  | "number_mismatch"
  | "scope_overclaim"
  | "unsupported_claim"
  | "unbound"
  | "unit_mismatch"
  | "selector_error"
  | "stale_evidence";

/** All statuses, worst first. */
export const claimStatuses: readonly ClaimStatus[] = [
  "missing_evidence",
  "selector_error",
  "stale_evidence",
  "number_mismatch",
  "unit_mismatch",
  "config_mismatch",
  "aggregation_mismatch",
  "unsupported_claim",
  "scope_overclaim",
  "unbound",
  "ambiguous_mapping",
  "rounding_ok",
  "exact_match",
];

/** Returns the worst of the statuses; `exact_match` for none. */
export function getWorstStatus(statuses: readonly ClaimStatus[]): ClaimStatus {
  return claimStatuses.find((status) => statuses.includes(status)) ?? "exact_match";
}

/** Says whether a status reconciles a number with its evidence. */
export function isReconciled(status: ClaimStatus): boolean {
  return status === "exact_match" || status === "rounding_ok";
}

/** One thing that is wrong with a claim, or with what a sentence says of it. */
export interface ClaimFinding {
  readonly status: ClaimStatus;
  readonly severity: Severity;
  readonly message: string;
  readonly claim?: string;
  readonly line?: number;
  readonly block?: string;
  /** What the document says there. */
  readonly text?: string;
}
