import type { Action, Observation } from "./action.js";
import type { Disclosure } from "./budget.js";

/** The budget as a codec writes it; absent where it is hidden. */
export interface DisclosedBudget {
  readonly disclosure: Disclosure;
  readonly maxTurns: number;
  /** Turns left, the coming one included. */
  readonly turnsLeft: number;
}

/**
 * One episode as tokens. It only ever grows: what was encoded or sampled before is never encoded again, so that
 * training sees the very ids that were sampled. Names that the vocabulary lacks are bound to copy slots in the order in
 * which they appear; the binding belongs to the episode.
 */
export interface CodecSession {
  /** Returns the ids to append for what the policy is shown now, the budget text included where it is told. */
  encodeObservation(observation: Observation, budget?: DisclosedBudget): readonly number[];
  /**
   * Returns the ids that may follow when `sampled` are the ids of the action begun so far; empty once it is complete.
   * Sorted, without repeats.
   */
  listAllowed(sampled: readonly number[]): readonly number[];
  /** Returns the action a complete list of ids stands for. Throws `RangeError` when it is not complete. */
  decodeAction(sampled: readonly number[]): Action;
  /** Returns the ids of an action, or `undefined` when the grammar cannot write it. Used for demonstrations. */
  encodeAction(action: Action): readonly number[] | undefined;
}

/** Turns what an env shows and what a policy does into the tokens of a small model, and back. */
export interface TokenCodec {
  /** Short name with the env it was made for, e.g. `words:vault`. */
  readonly id: string;
  /** SHA-256 over vocabulary and grammar: weights fit one codec only. */
  readonly hash: string;
  /** Text of each id; position is the id. */
  readonly vocabulary: readonly string[];
  /** Fills rows to equal length; never sampled, never trained on. */
  readonly padId: number;
  /** Ends an action. */
  readonly endId: number;
  /** The longest action, in tokens. */
  readonly maxActionTokens: number;
  startSession(): CodecSession;
}
