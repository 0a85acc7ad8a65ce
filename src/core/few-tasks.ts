/** Tasks or families below which bootstrap intervals are known to be too narrow: a rule of thumb of cluster resampling. */
const enoughUnits = 20;

/**
 * Tasks (or families) below which no verdict is given: simulated without any difference, bootstrap bands call one in 13 %
 * of data sets of 5 tasks, in 10 % of 8 and in 5 % of 12.
 */
export const leastVerdictUnits = 10;

/**
 * Returns the warning that figures rest on few tasks, or nothing when there are enough; a list, to be spread into warnings.
 *
 * @example
 * warnFewTasks(12, "intervals"); // ["Only 12 tasks or families stand behind the intervals; under some 20 they are too narrow"]
 */
export function warnFewTasks(unitCount: number, what: "intervals" | "bands"): string[] {
  if (unitCount >= enoughUnits) return [];
  const subject = unitCount === 1 ? "1 task or family stands" : `${unitCount} tasks or families stand`;
  return [`Only ${subject} behind the ${what}; under some ${enoughUnits} they are too narrow`];
}

/** Returns the warnings of figures that carry verdicts: that there are none below 10 tasks, and that there are few below 20. */
export function warnFewVerdictTasks(unitCount: number, what: "intervals" | "bands" = "bands"): string[] {
  const none =
    unitCount < leastVerdictUnits
      ? [`Fewer than ${leastVerdictUnits} tasks or families stand behind the figures: no verdict is given`]
      : [];
  return [...none, ...warnFewTasks(unitCount, what)];
}
