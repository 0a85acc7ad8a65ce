import {
  isFlaggedError,
  isFlaggedInvalid,
  isQuit,
  untagNumber,
  type ErrorEvidence,
  type ErrorLabel,
  type Turn,
} from "../../core/index.js";

/** An action that was an error, and how that is known. */
export interface FoundError {
  readonly label: ErrorLabel;
  readonly evidence: ErrorEvidence;
  /** Chance of success given away, where the error was told from it. */
  readonly regret?: number;
}

/** Chances of success within the turns left: of the best action, and of the one taken. */
export interface ChoiceChances {
  readonly best: number;
  readonly taken: number;
}

/** How errors are told where the env knows no distance. */
export interface LabelOptions {
  /** Regret above which a choice is an error. */
  readonly regretThreshold: number;
  /** Returns the chances of this turn's choice within the turns left, where the env can say. */
  readonly getChances?: (turn: Turn) => ChoiceChances | undefined;
}

/** What is known about whether an action was an error: `unknown` where the record says nothing at all. */
export type TurnJudgement = FoundError | "clean" | "unknown";

function labelByFlags({ flags }: Turn): ErrorLabel | undefined {
  if (!isFlaggedError(flags)) return undefined;
  return isFlaggedInvalid(flags) ? "invalid" : "tool_error";
}

/**
 * Returns whether the action of a turn was an error. With an oracle distance: `trap` when success became impossible,
 * `setback` when the distance rose, and, when it did not drop, `invalid` or `tool_error` where the env flagged the
 * turn, else `wasteful`. Without one, by regret above the threshold, since bad luck is no error: `trap` when no chance
 * is left that was there before, `wasteful` for a flagged turn's own word, else `setback`. Without either, by the env's
 * flags alone: other errors go unseen then. Quitting is no error but a question of persistence.
 */
export function judgeTurn(turn: Turn, options: LabelOptions): TurnJudgement {
  if (isQuit(turn.action)) return "clean";
  const before = untagNumber(turn.distanceBefore);
  const after = untagNumber(turn.distanceAfter);
  const flagged = labelByFlags(turn);
  if (before !== undefined && after !== undefined) {
    if (after < before) return "clean";
    if (after === Infinity && before < Infinity) return { label: "trap", evidence: "distance" };
    if (after > before) return { label: "setback", evidence: "distance" };
    return { label: flagged ?? "wasteful", evidence: "distance" };
  }
  const chances = options.getChances?.(turn);
  const regret = chances === undefined ? turn.regret : Math.max(0, chances.best - chances.taken);
  if (regret !== undefined) {
    if (regret <= options.regretThreshold) return "clean";
    const isTrap = chances !== undefined && chances.taken <= 1e-12;
    return { label: isTrap ? "trap" : (flagged ?? "setback"), evidence: "regret", regret };
  }
  if (flagged !== undefined) return { label: flagged, evidence: "flags" };
  return turn.flags === undefined ? "unknown" : "clean";
}
