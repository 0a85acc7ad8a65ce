import type { JsonObject } from "./json.js";

/** How bad a finding is: `error` closes gates, `warning` needs a look, `note` informs. */
export type Severity = "error" | "warning" | "note";

/** One diagnosed problem with its place. */
export interface Finding {
  readonly ruleId: string;
  readonly severity: Severity;
  /** What is wrong, where and with which value. */
  readonly message: string;
  /** File and 1-based line, or another place in words. */
  readonly place?: { readonly file?: string; readonly line?: number; readonly detail?: string };
  /** What to do. */
  readonly remedy?: string;
  /** The values the finding rests on, for programs. */
  readonly evidence?: JsonObject;
}
