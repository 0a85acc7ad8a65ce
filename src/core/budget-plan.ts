import type { Disclosure, TerminalRule } from "./budget.js";
import type { JsonObject } from "./json.js";

/** One group of a plan: episodes of one task at one budget, compared with one another. */
export interface BudgetPlanRow {
  /** 0-based update in which the group is consumed. */
  readonly update: number;
  /** Unique in the plan. */
  readonly group: string;
  readonly taskId: string;
  readonly taskHash: string;
  readonly maxTurns: number;
  /** The budget text as the policy reads it at its first turn; absent when hidden. */
  readonly notice?: string;
  /** One for the whole group. */
  readonly envSeed: number;
  /** One per episode, all different. */
  readonly samplingSeeds: readonly number[];
}

/** Who plays which task with which turn budget in which update, fixed before training. */
export interface BudgetPlan {
  readonly schema: "turnwise-budget-plan/1";
  readonly env: { readonly id: string; readonly version: string };
  readonly disclosure: Disclosure;
  readonly terminalRule: TerminalRule;
  /** The mix as asked for. */
  readonly mix: JsonObject;
  readonly seed: number;
  readonly groupSize: number;
  readonly rows: readonly BudgetPlanRow[];
  /** SHA-256 over everything above, as canonical JSON. */
  readonly hash: string;
}
