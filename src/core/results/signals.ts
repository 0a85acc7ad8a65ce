import type { Estimate, Verdict } from "../result.js";

/** What a per-turn signal is asked to foretell. */
export type SignalTarget =
  /** The episode succeeds in the end, from the state after this turn and with the budget that is left. */
  | "success"
  /** This turn is the episode's first error, among the turns up to it. */
  | "first_error"
  /** The episode, in error after this turn, is back on its best way or solved within m turns. */
  | "recovery";
/** Every target, in the order they are shown. */
export const signalTargets: readonly SignalTarget[] = ["success", "first_error", "recovery"];

/**
 * What the value of a signal says by itself: a word for the stratified AUROC's interval. Inside .5 -+ .05 it is
 * `no_information`, also where it leaves out .5: too little to go by.
 */
export type SignalWord = "higher_means_yes" | "higher_means_no" | "no_information" | "undecided";

/** How well probabilities fitted on some tasks do on other tasks. */
export interface FittedSignal {
  /** Rows, tasks and positive labels of the tasks kept for the evaluation. */
  readonly rows: number;
  readonly positives: number;
  readonly auroc?: Estimate;
  /** Pairs of the same turn and remaining budget only. */
  readonly stratifiedAuroc?: Estimate;
  /** Average precision; the share of positives is what chance gives. */
  readonly auprc?: Estimate;
  readonly brier: Estimate;
  /** Expected calibration error over bins of equal mass. */
  readonly ece: Estimate;
  /** Brier score of turn and remaining budget alone minus this one's: above 0 the signal adds something. */
  readonly brierGain: Estimate;
  readonly brierGainVerdict: Verdict;
}

/** One signal against one target. */
export interface SignalAssessment {
  /** Signal id; `clock` is turn and remaining budget alone, `all` every signal that does not define the label. */
  readonly signal: string;
  readonly target: SignalTarget;
  readonly rows: number;
  readonly positives: number;
  /** Share of the target's rows for which the signal has a value. */
  readonly coverage: number;
  /** The label is made from the same data as the signal, so that agreement says nothing. */
  readonly definesLabel: boolean;
  /** P(value of a yes > value of a no) + half of ties, over all pairs; above .5, higher values mean yes. */
  readonly auroc?: Estimate;
  /** The same over pairs of the same turn and remaining budget: what the clock alone cannot explain. */
  readonly stratifiedAuroc?: Estimate;
  readonly word?: SignalWord;
  readonly fitted?: FittedSignal;
  /** First errors only: share of episodes in which the likeliest turn is the first error, and what chance gives. */
  readonly located?: { readonly share: Estimate; readonly chance: number };
}

/** AUROC of one signal for success within `budgetLeft` more turns, among turns of one range. */
export interface TimedAuroc {
  readonly signal: string;
  /** 1-based, both included. */
  readonly fromTurn: number;
  readonly toTurn: number;
  /** Further turns within which success counts; absent is all that was left. */
  readonly budgetLeft?: number;
  readonly rows: number;
  readonly positives: number;
  readonly auroc: Estimate;
}

/** Early alarms on failing episodes, on tasks the alarm was not set on. */
export interface SignalAlarm {
  readonly signal: string;
  /** An alarm rings when the fitted chance of success falls to this or below; set on other tasks. */
  readonly threshold: number;
  /** Share of episodes that succeed and were alarmed all the same. */
  readonly falseAlarms: Estimate;
  readonly caught: Estimate;
  /** Turns between the first alarm and the end, mean over alarmed failing episodes. */
  readonly leadTurns?: Estimate;
  /** The same as a share of the episode's turns. */
  readonly leadShare?: Estimate;
}

/** What happens to success when the best of n episodes is picked by the signal: a warning for using it as a reward. */
export interface SignalDivergence {
  readonly signal: string;
  /** 1: episodes with the largest sum are kept; -1: those with the smallest. Chosen on the fit tasks, measured on the others. */
  readonly sign: 1 | -1;
  /** P(signed sum of the signal is higher in the episode that succeeds), pairs of one task, ties half. */
  readonly agreement?: Estimate;
  readonly curve: readonly {
    /** Episodes of a task of which the one with the largest signed sum is kept. */
    readonly n: number;
    /** Mean over tasks of the signed sum of the kept episode; absent where a sum is infinite, as after a trap. */
    readonly signal?: Estimate;
    readonly success: Estimate;
  }[];
  /** Success at the largest n minus at n = 1, and its verdict. */
  readonly gain?: Estimate;
  readonly verdict?: Verdict;
  /** True where picking by the signal does not raise success: it must not be a reward as it stands. */
  readonly diverges: boolean;
}

/** Whether a signal added to the reward leaves the best policy as it was. */
export interface ShapingCheck {
  readonly signal: string;
  readonly gamma: number;
  /** Turns for which F = gamma x potential(after) - potential(before) could be checked, and those that break it. */
  readonly turns?: number;
  readonly broken?: number;
  /** Finished episodes whose last state has a potential other than 0. */
  readonly openEnds?: number;
  /** Tasks with several episodes from one start, and those whose discounted sums differ, which no potential gives. */
  readonly tasks: number;
  readonly unequalTasks: number;
  readonly largestSpread: number;
  readonly verdict: "potential_based" | "not_potential_based" | "not_checked";
  readonly reason: string;
}

/** Which process signals can be trusted, for the episodes of one policy. */
export interface SignalsResult {
  readonly label: string;
  readonly env: { readonly id: string; readonly version: string };
  readonly episodes: number;
  readonly excludedEpisodes: number;
  readonly taskCount: number;
  readonly unitCount: number;
  readonly fitTasks: number;
  readonly evaluationTasks: number;
  readonly recoveryTurns: number;
  readonly level: number;
  readonly replicates: number;
  readonly seed: number;
  readonly signals: readonly { readonly id: string; readonly description: string; readonly turns: number }[];
  /** Signals without a value anywhere, and what they would need. */
  readonly unavailable: readonly { readonly id: string; readonly reason: string }[];
  readonly assessments: readonly SignalAssessment[];
  readonly timed: readonly TimedAuroc[];
  readonly alarms: readonly SignalAlarm[];
  readonly divergence: readonly SignalDivergence[];
  readonly shaping: readonly ShapingCheck[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}
