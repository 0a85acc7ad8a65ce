import type { BudgetStop } from "./budget.js";

/** How an env ends an episode: the task is solved, an irrevocable wrong answer was given, or it failed otherwise. */
export type EnvEndKind = "solved" | "wrong_final" | "env_fail";
/** Every way an env ends an episode. */
export const envEndKinds: readonly EnvEndKind[] = ["solved", "wrong_final", "env_fail"];

/** What failed when an episode ends in an error. */
export type ErrorBoundary = "policy" | "env" | "scorer";

/** Why an episode ended; exclusive. Whether it succeeded is another field. */
export type StopReason =
  | { readonly type: "env_end"; readonly kind: EnvEndKind }
  | { readonly type: "quit" }
  | { readonly type: BudgetStop }
  | { readonly type: "context_overflow" }
  | {
      readonly type: "error";
      readonly boundary: ErrorBoundary;
      /** A short class such as `rate_limit`, `server_error`, `timeout`: what the progress line counts by. */
      readonly errorClass: string;
      readonly message: string;
    }
  /** Only in imported records whose source does not say. */
  | { readonly type: "unknown" };

/** One word for a stop reason: the env end kind, or the type. What tables and charts group by. */
export type StopLabel = EnvEndKind | Exclude<StopReason["type"], "env_end">;

/** Every stop label in the order tables and charts show them. */
export const stopLabels: readonly StopLabel[] = [
  "solved",
  "wrong_final",
  "env_fail",
  "quit",
  "max_turns",
  "max_tokens",
  "max_tool_calls",
  "max_seconds",
  "max_cost",
  "context_overflow",
  "error",
  "unknown",
];

/** Returns the word that tables and charts group this stop reason under. */
export function getStopLabel(stopReason: StopReason): StopLabel {
  return stopReason.type === "env_end" ? stopReason.kind : stopReason.type;
}
