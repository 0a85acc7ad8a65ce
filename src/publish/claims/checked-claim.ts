import type { JsonValue } from "../../core/index.js";
import type { ClaimOccurrence } from "./check-place.js";
import type { ClaimStatus } from "./claim-status.js";
import type { ClaimEntry } from "./ledger.js";

/** One claim after its re-check. */
export interface CheckedClaim {
  readonly id: string;
  readonly kind: ClaimEntry["kind"];
  readonly expr: string;
  readonly inputs: readonly { readonly artefact: string; readonly select: string; readonly sha256?: string }[];
  /** Worst of its places; of the claim itself where it is shown nowhere. */
  readonly status: ClaimStatus;
  readonly detail?: string;
  /** What the evidence gives. */
  readonly value?: JsonValue;
  /** That value as the ledger writes it. */
  readonly display?: string;
  readonly rounding?: string;
  readonly n?: number;
  readonly eval_type?: ClaimEntry["eval_type"];
  readonly note?: string;
  readonly occurrences: readonly ClaimOccurrence[];
}

/** A number without a claim, a citation or a declaration. */
export interface UnboundNumber {
  readonly text: string;
  readonly line: number;
  readonly block: string;
  readonly sentence: string;
}
