import type { DynamicsCheckpoint, DynamicsFlag, DynamicsFlagName, DynamicsMeasure } from "../../core/index.js";

/** Where the rules of training health begin. */
export interface FlagThresholds {
  /** Share of the first checkpoint's value below which deviation or entropy has collapsed; default .5. */
  readonly collapse?: number;
  /** Relative change of mean turns that is drift; default .25. */
  readonly drift?: number;
  /** Success from which a small deviation only means that most tasks are solved; default .8. */
  readonly solved?: number;
}

interface Rule {
  readonly flag: DynamicsFlagName;
  readonly rule: string;
  /** Returns what is wrong with a checkpoint, or `undefined`. Never asked about the first one. */
  find(checkpoint: DynamicsCheckpoint, earlier: readonly DynamicsCheckpoint[]): string | undefined;
}

function hasFallen(
  checkpoint: DynamicsCheckpoint,
  first: DynamicsCheckpoint,
  measure: DynamicsMeasure,
  limit: number,
): boolean {
  const now = checkpoint.measures[measure];
  const then = first.measures[measure];
  if (now === undefined || then === undefined) return false;
  const upper = now.change?.interval?.upper;
  return (
    then.estimate.value > 0 && now.estimate.value < limit * then.estimate.value && upper !== undefined && upper < 0
  );
}

function createRules({ collapse = 0.5, drift = 0.25, solved = 0.8 }: FlagThresholds): Rule[] {
  const percent = (value: number): string => `${Math.round(value * 100)} %`;
  return [
    {
      flag: "std_collapse",
      rule: `the reward deviation within tasks is below ${percent(collapse)} of the first checkpoint's, the interval of the change lies below 0, and success at the largest T is below ${percent(solved)}`,
      find(checkpoint, [first]) {
        const last = checkpoint.cells[checkpoint.cells.length - 1];
        if (last.estimate.value >= solved || !hasFallen(checkpoint, first, "rewardDeviation", collapse))
          return undefined;
        return "episodes of one task hardly differ in reward any more although tasks are unsolved: there is little left to learn from";
      },
    },
    {
      flag: "entropy_collapse",
      rule: `the entropy of sampled tokens is below ${percent(collapse)} of the first checkpoint's, and the interval of the change lies below 0`,
      find: (checkpoint, [first]) =>
        hasFallen(checkpoint, first, "entropy", collapse)
          ? "the policy has become nearly deterministic: it explores little"
          : undefined,
    },
    {
      flag: "length_drift",
      rule: `mean turns differ by ${percent(drift)} or more from the first checkpoint's, the interval of the change leaves out 0, and success at the largest T is no gain`,
      find(checkpoint, [first]) {
        const { estimate, change } = checkpoint.measures.meanTurns ?? {};
        const before = first.measures.meanTurns?.estimate.value;
        if (estimate === undefined || change?.interval === undefined || before === undefined) return undefined;
        const { lower, upper } = change.interval;
        const verdict = checkpoint.cells[checkpoint.cells.length - 1].change?.verdict;
        if (verdict === "gain" || Math.abs(change.value) < drift * before || (lower <= 0 && upper >= 0))
          return undefined;
        const isSettled = verdict === "equivalent" || verdict === "loss";
        return `episodes became ${change.value > 0 ? "longer" : "shorter"} ${isSettled ? "without more success" : "and more success is not shown"}`;
      },
    },
    {
      flag: "onset_shift",
      rule: "the smallest T with a gain over the first checkpoint is larger than an earlier checkpoint's, or there is a loss at a T smaller than one with a gain",
      find({ onsetTurns, reversalTurns }, earlier) {
        if (onsetTurns === undefined) return undefined;
        if (reversalTurns.some((turns) => turns < onsetTurns))
          return "it gains where turns are many and loses where they are few";
        const isLater = earlier.some((other) => other.onsetTurns !== undefined && other.onsetTurns < onsetTurns);
        return isLater ? "its gain begins at more turns than an earlier checkpoint's did" : undefined;
      },
    },
  ];
}

/** Returns every rule of training health with its thresholds in words. */
export function listDynamicsRules(
  thresholds: FlagThresholds = {},
): { readonly flag: DynamicsFlagName; readonly rule: string }[] {
  return createRules(thresholds).map(({ flag, rule }) => ({ flag, rule }));
}

/** Returns the rules that checkpoints break, each at the first checkpoint that does. The first checkpoint is the standard. */
export function findDynamicsFlags(
  checkpoints: readonly DynamicsCheckpoint[],
  thresholds: FlagThresholds = {},
): DynamicsFlag[] {
  return createRules(thresholds).flatMap(({ flag, rule, find }) => {
    for (let i = 1; i < checkpoints.length; i += 1) {
      const finding = find(checkpoints[i], checkpoints.slice(0, i));
      if (finding === undefined) continue;
      const { label, updateIndex } = checkpoints[i];
      return [{ flag, label, ...(updateIndex === undefined ? {} : { updateIndex }), finding, rule }];
    }
    return [];
  });
}
