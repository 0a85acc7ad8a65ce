import type { JsonValue } from "./json.js";

/** What kind of number a claim states. */
export type ClaimKind =
  | "value"
  | "delta"
  | "relative_delta"
  | "ratio"
  | "count"
  | "interval"
  | "test"
  | "rank"
  | "comparison"
  | "scope"
  | "quantifier";

/** One run artefact a claim is computed from. */
export interface ClaimInput {
  /** Path of the artefact relative to the report's folder, or the run's name. */
  readonly artefact: string;
  /** SHA-256 of the artefact's bytes, when it is one file. */
  readonly sha256?: string;
  /** JSON Pointer into the artefact. */
  readonly select: string;
}

/** How a claim's value is written. */
export interface ClaimDisplay {
  readonly decimals: number;
  readonly percent?: true;
  /** Written with its sign; a signed share is in percentage points. */
  readonly signed?: true;
}

/** A number in a report bound to its evidence. `publish` recomputes it from the inputs. */
export interface Claim {
  readonly id: string;
  readonly kind: ClaimKind;
  /** Expression over the inputs, e.g. `value` or `b - a`. */
  readonly expr: string;
  readonly inputs: readonly ClaimInput[];
  readonly value: JsonValue;
  readonly display: ClaimDisplay;
  /** Number of tasks (or what else was resampled) behind it. */
  readonly n?: number;
}
