import type { Disclosure, TerminalRule } from "../budget.js";
import type { CellMark, Estimate, Verdict } from "../result.js";

/** How an attribution was estimated: from logs by a latent-class chain, or by playing hybrids of both policies. */
export type AttributionEstimator = "logs" | "interventional";

/** One share of a gap, with its verdict word. */
export interface AttributedShare {
  readonly estimate: Estimate;
  /** `undecided` where the share is not identified or doubted: the band is then not one of a known share. */
  readonly verdict: Verdict;
  /** What the band alone would say of a doubted share. Not a finding. */
  readonly lead?: Verdict;
}

/** The three shares of a gap as plain numbers, for diagnostics and sensitivity rows. */
export interface GapShares {
  readonly decision: number;
  readonly recovery: number;
  readonly persistence: number;
}

/** The gap of two policies at one turn budget, split. Shares sum to the gap. */
export interface AttributionRow {
  readonly maxTurns: number;
  /** Success of A and of B within T: the means over shared tasks that a comparison reports. */
  readonly valueA: number;
  readonly valueB: number;
  readonly gap: AttributedShare;
  readonly decision: AttributedShare;
  readonly recovery: AttributedShare;
  readonly persistence: AttributedShare;
  /**
   * v(m; T) for AAA, AAB, ABA, ABB, BAA, BAB, BBA, BBB: who supplies decision, recovery, persistence. Where the row is
   * not identified only AAA and BBB mean anything, and reports show no others.
   */
  readonly cells: readonly number[];
  /** v(BBB) - v(AAA) minus the three single changes; Shapley shares spread it evenly. */
  readonly interaction: Estimate;
  /**
   * Largest share, over hybrids, of turns whose chances rest on fewer than 20 observations of one policy in the task's
   * class, each task counted in each class by its membership; 0 for played hybrids.
   */
  readonly thinShare: number;
  /**
   * False where `thinShare` is 5 % or more, or where the episodes do not tell errors (`unknownModes`): shares are then not
   * estimates, and verdicts are `undecided`.
   */
  readonly isIdentified: boolean;
  /** True where the check of the model behind the shares fails: they are then leads, and verdicts are `undecided`. */
  readonly isDoubted?: boolean;
  /** The same shares from one chain for all tasks. A diagnostic only: biased where tasks differ in difficulty. */
  readonly pooled?: GapShares;
  /** The same shares with wrong ends counted as quits, which moves mass between decision and persistence. */
  readonly wrongAsQuit?: GapShares;
  /** Least and largest shares over the stated error rates of the judge that labelled errors. */
  readonly judgeRange?: { readonly least: GapShares; readonly most: GapShares };
}

/** Test of the chain's assumption: given turn and mode, the past does not matter. */
export interface MarkovCheck {
  readonly policy: "a" | "b";
  /** Twice the log-likelihood gained by also knowing the number of earlier errors and the age of the error. */
  readonly statistic: number;
  /** Mean of the statistic over data simulated from the fitted chain. */
  readonly expected: number;
  /** Share of simulated data sets with at least this statistic, the observed one counted. */
  readonly pValue: number;
  readonly simulations: number;
  /** Success within the largest T after a second error, held-out tasks: observed, and what the chain predicts. */
  readonly heldOut?: {
    readonly observed: number;
    readonly predicted: number;
    readonly episodes: number;
    readonly standardError: number;
  };
}

/** A played copy of a policy made from the hybrid's parts, against the policy itself. */
export interface HybridSelfCheck {
  readonly policy: "a" | "b";
  readonly maxTurns: number;
  /** Copy minus original. */
  readonly difference: Estimate;
  /** Total variation distance between the distributions of first actions, and its permutation p value. */
  readonly firstActionDistance: number;
  readonly firstActionP: number;
  readonly passes: boolean;
}

/** What playing the hybrids took beyond one call a turn. */
export interface HybridCost {
  readonly cell: string;
  readonly turns: number;
  /** Further calls made because a policy was asked for an action that is no quit, or the other one was asked first. */
  readonly extraCalls: number;
  readonly extraTokens?: number;
  /** Turns in which no action but quitting was had within the tries, so nothing was done. */
  readonly forcedTurns: number;
}

/** Success with quits really disabled, or forced, beside the policy as it is. */
export interface ForcedArmRow {
  readonly policy: "a" | "b";
  readonly maxTurns: number;
  readonly native: Estimate;
  readonly forcedContinue: Estimate;
  /** Forced-continue minus native: the share of failure that is only giving up. */
  readonly persistenceLimited: AttributedShare;
  readonly forcedStop: Estimate;
  /** What one minus Kaplan-Meier with quits censored predicts for forced-continue. */
  readonly kaplanMeier: number;
}

/** Turns per success when episodes are restarted after T turns. */
export interface RestartRow {
  readonly policy: "a" | "b";
  /** [T] expected turns per success; absent where nothing is solved within T. */
  readonly costs: readonly { readonly maxTurns: number; readonly turnsPerSuccess?: number }[];
  /** The T with the smallest cost, from all observed T; absent when nothing is solved. */
  readonly bestTurns?: number;
  readonly bestCost?: number;
  /** The budgets that are best in the middle 95 % of resamples: least and largest. */
  readonly bestTurnsRange?: readonly [number, number];
}

/** How one policy's behaviour changes with the budget it is told. */
export interface BudgetResponse {
  readonly policy: "a" | "b";
  readonly rows: readonly {
    readonly maxTurns: number;
    readonly meanTurns: number;
    readonly quitShare: number;
    readonly firstActionDistance: number;
  }[];
  /** Slope of turns used on the logarithm (base 2) of the budget, in turns per doubling. */
  readonly turnsPerDoubling: Estimate;
  /** Permutation p value of first actions having nothing to do with the budget. */
  readonly firstActionP: number;
}

/** Why one policy succeeds more often than another, by turn budget. */
export interface AttributionResult {
  readonly a: string;
  readonly b: string;
  readonly env: { readonly id: string; readonly version: string };
  readonly estimator: AttributionEstimator;
  readonly disclosure: Disclosure;
  /** `hard` where grades of cut states are not known. */
  readonly terminalRule: TerminalRule;
  readonly mark: CellMark;
  readonly taskCount: number;
  /** Tasks or families: what was resampled. */
  readonly unitCount: number;
  readonly episodesA: number;
  readonly episodesB: number;
  readonly level: number;
  readonly margin: number;
  readonly replicates: number;
  readonly seed: number;
  readonly rows: readonly AttributionRow[];
  /** Classes of tasks behind an estimate from logs, one for each fit: one in all with a hidden budget, one a T otherwise. */
  readonly classes?: readonly {
    readonly maxTurns: number;
    readonly classCount: number;
    readonly shares: readonly number[];
    readonly tried: readonly { readonly classCount: number; readonly bic: number }[];
  }[];
  /** Sides whose turns say nothing of errors, so that no share is identified; absent when both do. */
  readonly unknownModes?: readonly ("a" | "b")[];
  /** Turns by where the label of the mode after them came from. */
  readonly labelSources: { readonly judge: number; readonly distance: number; readonly signals: number };
  /** Episodes that another limit than turns ended, of A and B. */
  readonly truncatedA: number;
  readonly truncatedB: number;
  readonly markov?: readonly MarkovCheck[];
  readonly selfChecks?: readonly HybridSelfCheck[];
  readonly hybridCosts?: readonly HybridCost[];
  /** Estimate from logs minus the played one, at the largest T at which that from logs is identified; absent for none. */
  readonly estimatorDifference?: GapShares & { readonly maxTurns: number };
  readonly forcedArms?: readonly ForcedArmRow[];
  readonly restart: readonly RestartRow[];
  readonly budgetResponse?: readonly BudgetResponse[];
  /** What a reader must know before believing the shares. */
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}
