import { normalQuantile } from "./distributions.js";

/** The error rates a design is planned for. */
export interface PowerOptions {
  /** Chance of finding the difference when it is there, .8 by default. */
  readonly power?: number;
  /** Two-sided error level, .05 by default. */
  readonly alpha?: number;
}

/** A paired design: the same tasks for both policies, `samplesPerTask` independent episodes each. */
export interface PairedDesign {
  readonly taskCount: number;
  readonly samplesPerTask: number;
  /** Standard deviation over tasks of the true difference p_iB - p_iA. */
  readonly differenceSd: number;
  /** Mean over tasks of p_iA(1 - p_iA) + p_iB(1 - p_iB). Not of the pooled rates, which would count spread twice. */
  readonly withinVariance: number;
}

/** Returns the variance of the mean difference under a design: [sd^2 + within / n] / N. */
export function differenceVariance(design: PairedDesign): number {
  const { taskCount, samplesPerTask, differenceSd, withinVariance } = design;
  if (!(taskCount > 0 && samplesPerTask > 0 && differenceSd >= 0 && withinVariance >= 0)) {
    throw new RangeError(`Cannot compute a variance from the design ${JSON.stringify(design)}`);
  }
  return (differenceSd ** 2 + withinVariance / samplesPerTask) / taskCount;
}

/**
 * Returns the smallest true difference that a paired design finds with the given power in a two-sided test:
 * (z_{1-alpha/2} + z_power) times the standard error. Throws a `RangeError` for an impossible design or rate.
 *
 * @example
 * minimumDetectableDifference({ taskCount: 100, samplesPerTask: 8, differenceSd: 0.15, withinVariance: 0.4875 }); // 0.081
 */
export function minimumDetectableDifference(design: PairedDesign, options: PowerOptions = {}): number {
  return detectableDifference(Math.sqrt(differenceVariance(design)), options);
}

/**
 * Returns the smallest true difference that an estimate with this standard error finds with the given power; 0 for a
 * standard error of 0. Throws a `RangeError` for a negative standard error or rates outside (0, 1).
 */
export function detectableDifference(standardError: number, options: PowerOptions = {}): number {
  const { power = 0.8, alpha = 0.05 } = options;
  if (!(standardError >= 0 && power > 0 && power < 1 && alpha > 0 && alpha < 1)) {
    throw new RangeError(
      `Cannot compute a detectable difference from standard error ${standardError}, power ${power}, alpha ${alpha}`,
    );
  }
  return (normalQuantile(1 - alpha / 2) + normalQuantile(power)) * standardError;
}

/** Successes of one task under both policies. */
export interface PairedCounts {
  readonly successesA: number;
  readonly samplesA: number;
  readonly successesB: number;
  readonly samplesB: number;
}

/**
 * Returns the two variance parts of a design as estimated from data: the within variance from tasks with at least two
 * episodes a side, each by c(n-c)/(n(n-1)), and the spread of true differences as the sample variance of observed
 * differences less its sampling part, not below 0. Returns `undefined` when fewer than two tasks allow it.
 */
export function estimateDesign(
  tasks: readonly PairedCounts[],
): Pick<PairedDesign, "differenceSd" | "withinVariance"> | undefined {
  const usable = tasks.filter((task) => task.samplesA > 1 && task.samplesB > 1);
  if (usable.length < 2) return undefined;
  const variance = (c: number, n: number): number => (c * (n - c)) / (n * (n - 1));
  let within = 0;
  let sampling = 0;
  let sum = 0;
  let squares = 0;
  for (const { successesA, samplesA, successesB, samplesB } of usable) {
    const a = variance(successesA, samplesA);
    const b = variance(successesB, samplesB);
    const difference = successesB / samplesB - successesA / samplesA;
    within += a + b;
    sampling += a / samplesA + b / samplesB;
    sum += difference;
    squares += difference ** 2;
  }
  const count = usable.length;
  const observed = Math.max(0, squares - sum ** 2 / count) / (count - 1);
  return {
    withinVariance: within / count,
    differenceSd: Math.sqrt(Math.max(0, observed - sampling / count)),
  };
}
