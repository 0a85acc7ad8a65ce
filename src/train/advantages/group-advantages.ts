/**
 * How the returns of one group become advantages. `grpo`: (r - mean) / (std + epsilon); `dr_grpo`: r - mean, nothing to
 * divide by; `rloo`: r - mean of the others.
 */
export type GroupAdvantage =
  | {
      readonly kind: "grpo";
      /** What is taken off the group's size in the variance: 1 in verl, TRL and torch, 0 in numpy. */
      readonly ddof: 0 | 1;
      /** Added to the standard deviation. */
      readonly epsilon: number;
      /** Smallest variance, so that a tiny spread is not blown up; default 0, no floor. */
      readonly varianceFloor?: number;
    }
  | { readonly kind: "dr_grpo" }
  | { readonly kind: "rloo" };

/** The advantages of one group. */
export interface GroupAdvantages {
  /** [episode] */
  readonly advantages: readonly number[];
  readonly mean: number;
  /** With the ddof of `grpo`, else 1. */
  readonly std: number;
  /** All returns are equal: nothing to learn from, and every advantage is exactly 0. */
  readonly isFlat: boolean;
}

/**
 * Returns the advantages of episodes that were made to be compared: one task at one budget. A group whose returns are
 * all equal gets exactly 0 everywhere, not what rounding leaves of r - mean.
 *
 * @param returns [episode]
 * @throws {RangeError} for fewer than two episodes, a return that is not finite or a spread that is not, or settings
 * below 0.
 *
 * @example
 * groupAdvantages([1, 0, 0, 0], { kind: "dr_grpo" }).advantages; // [0.75, -0.25, -0.25, -0.25]
 */
export function groupAdvantages(returns: readonly number[], how: GroupAdvantage): GroupAdvantages {
  const size = returns.length;
  if (size < 2) {
    throw new RangeError(
      `Cannot compute group advantages as a group needs at least 2 episodes: current size is ${size}`,
    );
  }
  if (!returns.every(Number.isFinite)) {
    throw new RangeError(`Cannot compute group advantages of returns that are not finite: found ${returns.join(", ")}`);
  }
  const ddof = how.kind === "grpo" ? how.ddof : 1;
  if (returns.every((value) => value === returns[0])) {
    return { advantages: returns.map(() => 0), mean: returns[0], std: 0, isFlat: true };
  }
  const mean = returns.reduce((sum, value) => sum + value, 0) / size;
  const std = Math.sqrt(returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (size - ddof));
  if (!Number.isFinite(std)) {
    throw new RangeError(
      `Cannot compute group advantages of returns whose spread is beyond all numbers: found ${returns.join(", ")}`,
    );
  }
  const scale = getScale(how, std, size);
  return { advantages: returns.map((value) => (value - mean) * scale), mean, std, isFlat: false };
}

function getScale(how: GroupAdvantage, std: number, size: number): number {
  switch (how.kind) {
    case "grpo": {
      const { epsilon, varianceFloor = 0 } = how;
      if (!(epsilon >= 0) || !(varianceFloor >= 0)) {
        throw new RangeError(
          `Cannot normalise advantages with an epsilon or variance floor below 0: found ${epsilon} and ${varianceFloor}`,
        );
      }
      return 1 / (Math.max(std, Math.sqrt(varianceFloor)) + epsilon);
    }
    case "dr_grpo":
      return 1;
    case "rloo":
      return size / (size - 1);
    default:
      return how satisfies never;
  }
}
