import type { Disclosure, TerminalRule } from "./budget.js";
import type { StopLabel } from "./stop-reason.js";

/** How an interval was made. */
export type IntervalMethod =
  | "wilson"
  | "clopper_pearson"
  | "jeffreys"
  | "task_bootstrap_percentile"
  | "task_bootstrap_bca"
  | "task_multiplier"
  | "student_t";

/** An interval with its level and how it was made. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
  /** Coverage aimed at, e.g. .95. */
  readonly level: number;
  readonly method: IntervalMethod;
}

/** A number with what it rests on. */
export interface Estimate {
  readonly value: number;
  /** Tasks (or families) behind it: what was resampled. */
  readonly taskCount: number;
  readonly standardError?: number;
  /** Holds for this cell alone. */
  readonly interval?: Interval;
  /** Holds for all cells of its surface together (sup-t). */
  readonly band?: Interval;
}

/** Whether a figure was cut from longer runs or run under its own budget. Never mixed without the label. */
export type CellMark = "cut" | "run";

/** One cell of a Pass@(K,T) surface. */
export interface SurfaceCell {
  readonly k: number;
  readonly maxTurns: number;
  readonly mark: CellMark;
  readonly estimate: Estimate;
}

/** How many episodes stand behind a surface, and which do not. */
export interface Denominator {
  readonly plannedEpisodes?: number;
  readonly recordedEpisodes: number;
  /** Episodes in the estimates: those that did not end in an error and have a known outcome. */
  readonly countedEpisodes: number;
  readonly erroredEpisodes: number;
  /** Errors by class, e.g. `policy/rate_limit`. */
  readonly errorsByClass: { readonly [errorClass: string]: number };
  readonly unknownEpisodes: number;
  /** Episodes of tasks that have no counted episode at all, or too few for the largest K. */
  readonly droppedTasks: readonly { readonly taskId: string; readonly reason: string }[];
  /** Success rate at the largest T over counted episodes, and with errored ones counted as failures. */
  readonly rateWithoutErrors?: number;
  readonly rateWithErrorsAsFailures?: number;
  readonly minSamplesPerTask: number;
  readonly maxSamplesPerTask: number;
  /** The same for each T, where every T was played on its own; the counts above are their sums. */
  readonly byBudget?: readonly BudgetDenominator[];
}

/** How many episodes stand behind the figures of one T that was played on its own. */
export type BudgetDenominator = Pick<
  Denominator,
  | "recordedEpisodes"
  | "countedEpisodes"
  | "erroredEpisodes"
  | "unknownEpisodes"
  | "rateWithoutErrors"
  | "rateWithErrorsAsFailures"
> & { readonly maxTurns: number };

/** Why episodes ended, by budget: shares of counted episodes that sum to 1. */
export interface StopShares {
  readonly maxTurns: number;
  readonly shares: { readonly [label in StopLabel]?: number };
}

/** Cumulative incidence and hazards of one policy, a row a turn. */
export interface IncidenceRow {
  /** 1-based turn. */
  readonly turn: number;
  readonly atRisk: number;
  readonly successHazard: number;
  readonly quitHazard: number;
  readonly failHazard: number;
  /** Aalen-Johansen cumulative incidence. */
  readonly success: number;
  readonly quit: number;
  readonly fail: number;
}

/** A line of equal Pass@(k,T) over tries and turns. */
export interface IsoContour {
  /** Pass@(k,T) on the line. */
  readonly level: number;
  /** By T, ascending, where the line is on the grid: the tries k that reach the level, between grid points on a logarithmic scale. */
  readonly points: readonly { readonly maxTurns: number; readonly tries: number; readonly interval?: Interval }[];
  /** From each point to the next: change of log2 tries for each doubling of the turns. */
  readonly slopes: readonly number[];
  /** The same from the first point to the last: -1 where a doubling of the turns saves half of the tries. */
  readonly slope: number;
}

/** Pass@(K,T) of one policy under one disclosure and terminal rule. */
export interface PolicySurface {
  /** Shown everywhere, unique in a report. */
  readonly label: string;
  readonly policyId: string;
  readonly checkpoint?: string;
  readonly env: { readonly id: string; readonly version: string };
  readonly disclosure: Disclosure;
  readonly terminalRule: TerminalRule;
  /** Every cell's mark when they agree. */
  readonly mark: CellMark;
  readonly isMonotone: boolean;
  readonly sampleCounts: readonly number[];
  readonly budgets: readonly number[];
  /** One for each (k, T), budgets varying fastest. */
  readonly cells: readonly SurfaceCell[];
  /** Lines of equal success with their slopes, the exchange rate of turns and tries; absent where the grid crosses none. */
  readonly contours?: readonly IsoContour[];
  readonly denominator: Denominator;
  readonly stopShares: readonly StopShares[];
  readonly incidence: readonly IncidenceRow[];
  readonly meanTurns: number;
  readonly meanTokens?: number;
  readonly meanCost?: number;
  /** pass^k at the largest T, by k. */
  readonly passHat: readonly { readonly k: number; readonly estimate: Estimate }[];
  /** Translation notes of imported episodes, warnings such as k > n/2. */
  readonly notes: readonly string[];
}

/** A computed verdict word. */
export type Verdict = "gain" | "loss" | "equivalent" | "undecided";

/** One cell of a difference surface, second policy minus first. */
export interface DifferenceCell {
  readonly k: number;
  readonly maxTurns: number;
  readonly estimate: Estimate;
  readonly verdict: Verdict;
}

/** Agreement of two policies on tasks at one T. */
export interface DiscordanceRow {
  readonly maxTurns: number;
  /** Tasks only the second (`onlyB`) or only the first policy solved at least once. */
  readonly onlyA: number;
  readonly onlyB: number;
  readonly both: number;
  readonly neither: number;
  /** Exact McNemar, two-sided; valid with one episode a task. */
  readonly pExact: number;
  readonly pMid: number;
}

/** Difference of one task between two policies at the largest T. */
export interface TaskDifference {
  readonly taskId: string;
  /** The task's family, a name for people where the id is a hash. */
  readonly family?: string;
  readonly a: number;
  readonly b: number;
  readonly samplesA: number;
  readonly samplesB: number;
}

/** "B is worth x extra turns": the turns A would need to match B at T, minus T. */
export interface ExchangeRow {
  readonly maxTurns: number;
  readonly value: number | undefined;
  /** Why there is no value: A never reaches B's success within the grid, or both are 0. */
  readonly note?: string;
  readonly interval?: Interval;
}

/** Two policies compared, paired by task. Differences are `b` minus `a`. */
export interface ComparisonResult {
  readonly a: string;
  readonly b: string;
  readonly sharedTasks: number;
  readonly onlyInA: readonly string[];
  readonly onlyInB: readonly string[];
  readonly margin: number;
  readonly level: number;
  readonly replicates: number;
  readonly seed: number;
  readonly cells: readonly DifferenceCell[];
  /** Smallest T whose simultaneous lower band at k=1 is above 0. */
  readonly onsetTurns?: number;
  /** T whose simultaneous upper band at k=1 is below 0. */
  readonly reversalTurns: readonly number[];
  /** Mean over the T grid, trapezoid by T, of the difference at k=1. */
  readonly areaBetween: Estimate;
  readonly discordance: readonly DiscordanceRow[];
  readonly taskDifferences: readonly TaskDifference[];
  readonly extraTurns: readonly ExchangeRow[];
  /** "B at k=1 is worth x samples of A", by T. */
  readonly extraSamples: readonly ExchangeRow[];
  /** Tokens an episode of A spends at the T that matches B, minus those of B at T. Absent unless all turns of both state them. */
  readonly extraTokens?: readonly ExchangeRow[];
  /**
   * Smallest difference at k=1 and the largest T this design would detect with 80 % power; absent where the data show no
   * spread to estimate it from.
   */
  readonly minimumDetectableDifference?: number;
  /** Sign-flip permutation p of the mean difference at k=1 and the largest T. */
  readonly signFlipP: number;
  readonly notes: readonly string[];
  /** What differs between the two sides beyond the policy, each named; empty in a clean comparison. */
  readonly labels: readonly string[];
  /** What weakens the figures, such as few tasks. */
  readonly warnings: readonly string[];
}

/** Disclosed minus hidden-and-cut success of one policy at one T. */
export interface AdaptationEffect {
  readonly label: string;
  readonly maxTurns: number;
  readonly disclosure: Disclosure;
  readonly estimate: Estimate;
}
