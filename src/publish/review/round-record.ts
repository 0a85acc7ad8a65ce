import type { PublishVerdict } from "../verdict.js";
import type { ReviewBackendKind } from "./backend.js";
import type { IndependenceFinding } from "./check-packet.js";
import type { EligibilityFault } from "./identity.js";
import type { ReviewPass } from "./passes.js";
import type { CoverageEntry } from "./response.js";

/** What came of one pass of a round. */
export interface PassResult {
  readonly pass: ReviewPass;
  readonly verdict: PublishVerdict;
  readonly reason_code: string;
  readonly message?: string;
  /** Share of items checked; 1 where there is nothing to check. */
  readonly coverage_ratio: number;
  readonly item_count: number;
  readonly coverage: readonly CoverageEntry[];
  /** Ids of findings. */
  readonly findings: readonly string[];
  readonly limits: readonly string[];
  readonly session_id?: string;
  readonly packet_sha256?: string;
  readonly response_sha256?: string;
  /** Answers asked for: 2 after a repair. */
  readonly attempts: number;
  readonly independence_findings: readonly IndependenceFinding[];
  readonly trace_path?: string;
  readonly started_at?: string;
  readonly duration_ms?: number;
  readonly usage?: { readonly input?: number; readonly output?: number };
}

/** One edit made because of a finding. */
export interface RoundEdit {
  readonly finding?: string;
  readonly file: string;
  readonly before_sha256: string;
  readonly after_sha256: string;
  readonly summary: string;
}

/** One round of review on one text. */
export interface ReviewRound {
  readonly run: number;
  readonly verdict: PublishVerdict;
  readonly reason_code: string;
  /** Session ids of the passes, for readers of the old shape. */
  readonly thread_id?: string;
  readonly reviewer?: string;
  readonly reviewer_id?: string;
  readonly reviewer_family?: string;
  readonly reviewer_model?: string;
  readonly reviewer_reasoning?: string;
  readonly backend: ReviewBackendKind;
  readonly session_id?: string;
  /** Each pass had a session that no earlier round had. */
  readonly fresh: boolean;
  /** The reviewer is not of the author's identity or family, and no packet told more than the text. */
  readonly independent: boolean;
  readonly eligibility?: EligibilityFault["reason_code"];
  /** A packet or session broke the rules: the round counts for nothing. */
  readonly voided: boolean;
  readonly independence_findings: readonly IndependenceFinding[];
  readonly source_sha256: string;
  readonly packet_sha256?: string;
  readonly response_sha256?: string;
  readonly started_at: string;
  readonly duration_ms?: number;
  readonly usage?: { readonly input?: number; readonly output?: number };
  readonly attempts: number;
  readonly pass_results: readonly PassResult[];
  readonly edited_after_round?: boolean;
  readonly edits?: readonly RoundEdit[];
  readonly re_reviewed_by?: number;
}

/** Returns the sessions in which a reviewer answered; one that only waits, as a form does, is not used up. */
export function listAnsweredSessions(results: readonly Pick<PassResult, "session_id" | "response_sha256">[]): string[] {
  return results.flatMap(({ session_id, response_sha256 }) =>
    session_id === undefined || response_sha256 === undefined ? [] : [session_id],
  );
}
