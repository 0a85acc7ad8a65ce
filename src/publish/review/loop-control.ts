import type { PublishVerdict } from "../verdict.js";

/** Why a review loop ended. `review_failed`: the last round came to no review, so going on would say nothing. */
export type LoopStop =
  | "converged"
  | "recurrence"
  | "oscillation"
  | "widening"
  | "scope"
  | "disagreement"
  | "budget"
  | "review_failed";

/** What the loop is steered by: one entry per round, in order. */
export interface LoopRound {
  readonly source_sha256: string;
  /** Hash of the text after the edits that followed; equal to `source_sha256` when nothing was edited. */
  readonly edited_sha256: string;
  readonly verdict: PublishVerdict;
  /** Fingerprints of blocking findings after the round. */
  readonly blocking: readonly string[];
  /** Fingerprints raised in this round that had been fixed twice before. */
  readonly recurring: readonly string[];
  /** Findings that a person must decide: the fixer declined, or there is none. */
  readonly undecided: readonly string[];
  /** Whether reviewers contradict each other and nobody arbitrates. */
  readonly isDisputed: boolean;
}

/** Limits of the loop. */
export interface LoopOptions {
  /** Rounds after which only a falling count goes on. Default 6. */
  readonly softLimit?: number;
  /** Rounds that are never exceeded. Default 10. */
  readonly hardLimit?: number;
}

/** Returns whether the last count is below the one before. */
function isFalling(counts: readonly number[]): boolean {
  return counts.length < 2 || counts[counts.length - 1] < counts[counts.length - 2];
}

/** Returns whether the count was not lower for two rounds in a row, with something left to fix. */
function isWidening(counts: readonly number[]): boolean {
  const [third, second, last] = counts.slice(-3);
  return counts.length >= 3 && last > 0 && last >= second && second >= third;
}

/** Returns whether the edits after the last round brought back a text that was reviewed before. */
function isOscillating(rounds: readonly LoopRound[]): boolean {
  const last = rounds[rounds.length - 1];
  if (last.edited_sha256 === last.source_sha256) return false;
  return rounds.some(({ source_sha256 }) => source_sha256 === last.edited_sha256);
}

/**
 * Returns why the loop must stop after these rounds, or `undefined` when another round is due. Looked at in this order:
 * no review, converged, recurrence, oscillation, disagreement, scope, widening, budget; so the reason is the most
 * telling one. It goes on while blocking findings become fewer or are replaced by others.
 */
export function findLoopStop(rounds: readonly LoopRound[], options: LoopOptions = {}): LoopStop | undefined {
  const { softLimit = 6, hardLimit = 10 } = options;
  const last = rounds.at(-1);
  if (last === undefined) return undefined;
  const counts = rounds.map(({ blocking }) => blocking.length);
  if (["ERROR", "REVIEW_UNAVAILABLE", "BLOCKED"].includes(last.verdict)) return "review_failed";
  if (last.blocking.length === 0) return "converged";
  if (last.recurring.length > 0) return "recurrence";
  if (isOscillating(rounds)) return "oscillation";
  if (last.isDisputed) return "disagreement";
  if (last.undecided.length > 0) return "scope";
  if (isWidening(counts)) return "widening";
  if (rounds.length >= hardLimit) return "budget";
  if (rounds.length >= softLimit && !isFalling(counts)) return "budget";
  return undefined;
}
