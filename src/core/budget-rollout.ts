import type { TerminalRule } from "./budget.js";
import type { BudgetNotice } from "./budget-notice.js";

/** How an episode ended, as far as a trainer's dump tells. */
export type RolloutEnd = "ended" | "quit" | "max_turns" | "error" | "other";

/** A budget that a policy was told, and when. */
export interface ToldBudget extends BudgetNotice {
  /** 0-based. */
  readonly turnIndex: number;
}

/**
 * One episode of training as an audit of its budgets needs it, from a run folder or a trainer's dump. Absent is not
 * known: dumps differ in what they keep.
 */
export interface BudgetRollout {
  /** File and 1-based line, or the episode's id. */
  readonly place: { readonly file?: string; readonly line?: number; readonly detail?: string };
  /** 0-based update. */
  readonly update?: number;
  /** Episodes of the same group carry the same text; a plan's group id where the trainer kept it. */
  readonly group?: string;
  /** The env that was played, where the record is its own. */
  readonly env?: { readonly id: string; readonly version: string };
  readonly terminalRule?: TerminalRule;
  readonly taskId?: string;
  readonly taskHash?: string;
  /** The cap that was enforced. */
  readonly maxTurns?: number;
  /** What the prompts told; empty when they told nothing. */
  readonly told?: readonly ToldBudget[];
  /** Policy calls made. */
  readonly turns?: number;
  /** Tokens the policy sampled. */
  readonly tokens?: number;
  /** The first action, as a text that equal actions share. */
  readonly firstAction?: string;
  readonly envSeed?: number;
  readonly samplingSeed?: number;
  readonly end?: RolloutEnd;
  readonly success?: boolean;
  /** What training was given for the episode. */
  readonly reward?: number;
}
