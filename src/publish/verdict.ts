/** What a stage of publishing comes to; computed, never written by hand. */
export type PublishVerdict =
  | "PASS"
  | "WARN"
  | "FAIL"
  | "ERROR"
  | "BLOCKED"
  | "REVIEW_UNAVAILABLE"
  | "STALE"
  | "NOT_APPLICABLE"
  /** Only in imported legacy rounds. */
  | "NOT_RUN";

/** Worst first; the overall verdict is the first of these that a stage has. */
export const verdictOrder: readonly PublishVerdict[] = [
  "FAIL",
  "ERROR",
  "BLOCKED",
  "REVIEW_UNAVAILABLE",
  "STALE",
  "NOT_RUN",
  "WARN",
  "PASS",
  "NOT_APPLICABLE",
];

/** Returns the worst of the verdicts, `NOT_APPLICABLE` for none. */
export function getWorstVerdict(verdicts: readonly PublishVerdict[]): PublishVerdict {
  return verdictOrder.find((verdict) => verdicts.includes(verdict)) ?? "NOT_APPLICABLE";
}

/** The stages a document goes through, as artefacts and audits name them. */
export type PublishStage =
  | "lint"
  | "code"
  | "content"
  | "claims"
  | "citations"
  | "experiment"
  | "result_to_claim"
  | "proof"
  | "render"
  | "parity";

/**
 * What every stage writes, also when it had nothing to do or could not run. Kept in `<document>.publish/<stage>.json`
 * in the output folder.
 */
export interface StageArtefact<Details = unknown> {
  readonly stage: PublishStage;
  readonly verdict: PublishVerdict;
  /** Short kebab-case reason, e.g. `no-numbers`, `reviewer-missing`. */
  readonly reason_code: string;
  /** One sentence made from counts. */
  readonly summary: string;
  /** Every file the stage read: path relative to the document, SHA-256 `sha256:<hex>`. */
  readonly audited_input_hashes: { readonly [path: string]: string };
  /** UTC, ISO 8601; comes in as an argument, never from the clock inside. */
  readonly generated_at: string;
  /** `deterministic` when a program decided alone. */
  readonly mode: "deterministic" | "reviewer";
  /** The level the verdict was computed at, where it depends on one; a gate at release takes no verdict of draft. */
  readonly level?: "draft" | "release";
  readonly details: Details;
}
