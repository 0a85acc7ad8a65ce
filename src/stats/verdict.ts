import { leastVerdictUnits, type Verdict } from "../core/index.js";
import { clopperPearsonInterval } from "./proportion-intervals.js";

/** Two ends of an interval. */
export interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

/** What {@linkcode decideVerdict} needs beside the interval. */
export interface VerdictEvidence {
  /** Standard error of the difference; 0 when every resampled unit showed the same difference. */
  readonly standardError: number;
  /** Tasks or families that were resampled; below {@linkcode leastVerdictUnits} there is no verdict. */
  readonly unitCount: number;
  /** Interval of the difference from the two arms' own intervals, used in place of an interval of zero width. */
  readonly arms?: Bounds;
}

/** An end this close to 0 is 0: sums of shares carry errors of some 1e-16, and a band that touches 0 decides nothing. */
const rounding = 1e-9;

/**
 * Returns the verdict word for a difference: *gain* when the whole interval is above 0, *loss* when it is below,
 * *equivalent* when it lies strictly inside plus or minus `margin`, otherwise *undecided*; a gain within the margin is
 * still called a gain. An interval from zero observed variance says nothing: with a standard error of 0 the
 * arms' interval decides, and without one the verdict is *undecided*, since 0 of 20 against 0 of 20 leaves a
 * difference of many points open. On fewer than ten tasks or families it is *undecided* whatever the interval. Throws a `RangeError` for a margin that is not positive or for NaN bounds.
 *
 * @example
 * decideVerdict({ lower: -0.01, upper: 0.02 }, 0.03, { standardError: 0.008, unitCount: 50 }); // "equivalent"
 */
export function decideVerdict(interval: Bounds, margin: number, evidence: VerdictEvidence): Verdict {
  if (!(margin > 0)) throw new RangeError(`Cannot decide as the margin must be positive: current margin is ${margin}`);
  const { standardError, unitCount, arms } = evidence;
  const bounds = standardError > 0 ? interval : arms;
  if (bounds === undefined) return "undecided";
  if (!(bounds.lower <= bounds.upper)) {
    throw new RangeError(`Cannot decide on an interval whose ends are ${bounds.lower} and ${bounds.upper}`);
  }
  if (unitCount < leastVerdictUnits) return "undecided";
  if (bounds.lower > rounding) return "gain";
  if (bounds.upper < -rounding) return "loss";
  return bounds.lower > -margin && bounds.upper < margin ? "equivalent" : "undecided";
}

/**
 * Returns an interval for the difference b - a of two means of values in [0, 1] over `taskCount` tasks from their
 * Clopper-Pearson intervals: from b's lower end minus a's upper end to the opposite. It uses no pairing, so it
 * is wide, and it does not shrink to a point when every task agrees. Meant for {@linkcode decideVerdict}'s `arms`.
 * Throws a `RangeError` for a mean outside [0, 1] or no task.
 */
export function armsInterval(meanA: number, meanB: number, taskCount: number, level = 0.95): Bounds {
  const a = clopperPearsonInterval(meanA * taskCount, taskCount, level);
  const b = clopperPearsonInterval(meanB * taskCount, taskCount, level);
  return { lower: b.lower - a.upper, upper: b.upper - a.lower };
}
