import type { Disclosure, TerminalRule } from "../budget.js";
import type { CellMark, Estimate, Verdict } from "../result.js";

/** What is followed over training beside success. */
export const dynamicsMeasures = [
  "meanTurns",
  "quitShare",
  "wrongShare",
  "truncationShare",
  "invalidShare",
  "toolErrorShare",
  "quitClean",
  "quitError",
  "errorRate",
  "recoveryRate",
  "wrongRate",
  "rewardDeviation",
  "uniformGroupShare",
  "entropy",
  "distinctActionRate",
  "distinctSequenceRate",
] as const;
/** Name of a measure. */
export type DynamicsMeasure = (typeof dynamicsMeasures)[number];

/** One measure of one checkpoint. */
export interface DynamicsValue {
  readonly estimate: Estimate;
  /** This checkpoint minus the first one, paired by task. */
  readonly change?: Estimate;
}

/** Success of one checkpoint within T turns. */
export interface DynamicsCell {
  readonly maxTurns: number;
  readonly estimate: Estimate;
  /** This checkpoint minus the first one, paired by task; its band holds for all cells together. */
  readonly change?: { readonly estimate: Estimate; readonly verdict: Verdict };
}

/** One checkpoint of a training run. */
export interface DynamicsCheckpoint {
  readonly label: string;
  readonly updateIndex?: number;
  readonly episodes: number;
  readonly excludedEpisodes: number;
  readonly cells: readonly DynamicsCell[];
  /** Smallest T at which it is better than the first checkpoint beyond the band. */
  readonly onsetTurns?: number;
  /** T at which it is worse than the first checkpoint beyond the band. */
  readonly reversalTurns: readonly number[];
  /** What is not known is absent: `entropy` without log-probs, `rewardDeviation` with one episode a task. */
  readonly measures: { readonly [measure in DynamicsMeasure]?: DynamicsValue };
}

/** A rule of training health. */
export type DynamicsFlagName = "std_collapse" | "entropy_collapse" | "length_drift" | "onset_shift";

/** A rule that one checkpoint breaks. */
export interface DynamicsFlag {
  readonly flag: DynamicsFlagName;
  /** The first checkpoint at which the rule holds. */
  readonly label: string;
  readonly updateIndex?: number;
  /** What was seen, in one sentence without numbers that are no claims. */
  readonly finding: string;
  /** The rule in words, thresholds included. */
  readonly rule: string;
}

/** Which checkpoint is best at T, chosen on some tasks and judged on others. */
export interface DynamicsSelection {
  readonly maxTurns: number;
  /** Best on the selection tasks; on a tie the earlier one. */
  readonly chosen: string;
  /** Its success on the tasks it was chosen on: too high on average. */
  readonly selectionValue: number;
  /** Its success on the other tasks: the figure to report. */
  readonly reportValue: Estimate;
  /** Mean over random splits of selection value minus report value: the winner's curse. */
  readonly optimism: number;
  /** Share of the random splits in which this checkpoint is chosen. */
  readonly agreement: number;
}

/** How success and behaviour changed over training. */
export interface DynamicsResult {
  readonly env: { readonly id: string; readonly version: string };
  readonly disclosure: Disclosure;
  readonly terminalRule: TerminalRule;
  readonly mark: CellMark;
  readonly budgets: readonly number[];
  readonly taskCount: number;
  readonly unitCount: number;
  readonly level: number;
  readonly margin: number;
  readonly replicates: number;
  readonly seed: number;
  /** By update. */
  readonly checkpoints: readonly DynamicsCheckpoint[];
  readonly flags: readonly DynamicsFlag[];
  /** Every rule with its thresholds, whether or not it holds anywhere. */
  readonly rules: readonly { readonly flag: DynamicsFlagName; readonly rule: string }[];
  /** Absent with fewer than 4 tasks or families. */
  readonly selection?: {
    readonly selectionTasks: number;
    readonly reportTasks: number;
    readonly splits: number;
    readonly rows: readonly DynamicsSelection[];
  };
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}
