/** Tasks or families below which bootstrap intervals are known to be too narrow: a rule of thumb of cluster resampling. */
const enoughUnits = 20;

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
