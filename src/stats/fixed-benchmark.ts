import { createRandom, type Interval, type Random } from "../core/index.js";
import { checkLevel } from "./level.js";
import { quantileOfSorted } from "./quantile.js";

/** One task's outcomes. */
export interface TaskCounts {
  readonly successes: number;
  readonly samples: number;
}

/** Options of {@linkcode fixedBenchmarkInterval}. */
export interface FixedBenchmarkOptions {
  readonly seed: number;
  /** Posterior draws, 4000 by default, at least 100. */
  readonly draws?: number;
  /** .95 by default. */
  readonly level?: number;
}

/** A posterior summary of Pass@k on exactly these tasks. */
export interface FixedBenchmarkEstimate {
  /** Posterior mean, pulled towards the prior: not the unbiased estimate. */
  readonly mean: number;
  readonly interval: Interval;
}

/**
 * Returns the interval of Pass@k for these very tasks, without generalising to new ones: each task's success
 * probability has a Beta(c + 1/2, n - c + 1/2) posterior (Jeffreys prior), is pushed through 1 - (1 - p)^k and averaged
 * over tasks; the interval is equal-tailed over seeded draws. It knows only the sampling of rollouts, so it is
 * narrower than a task bootstrap. For large k the prior matters: with no success in n, p is not 0 but about 1/(2n).
 * k may exceed n here, since the posterior and not the sample is pushed through.
 * Throws a `RangeError` for no task, impossible counts or options out of range.
 */
export function fixedBenchmarkInterval(
  tasks: readonly TaskCounts[],
  k: number,
  options: FixedBenchmarkOptions,
): FixedBenchmarkEstimate {
  const { seed, draws = 4000, level = 0.95 } = options;
  checkLevel(level);
  if (tasks.length === 0 || !Number.isInteger(k) || k < 1 || !Number.isInteger(draws) || draws < 100) {
    throw new RangeError(`Cannot draw a posterior from ${tasks.length} tasks with k = ${k} and ${draws} draws`);
  }
  for (const { successes, samples } of tasks) {
    if (!(successes >= 0 && samples >= successes && samples > 0)) {
      throw new RangeError(`Cannot draw a posterior as a task has ${successes} successes in ${samples} samples`);
    }
  }
  const random = createRandom(seed, "fixed-benchmark");
  const values = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw += 1) {
    let sum = 0;
    for (const { successes, samples } of tasks)
      sum += drawPassAtK(random, successes + 0.5, samples - successes + 0.5, k);
    values[draw] = sum / tasks.length;
  }
  const mean = values.reduce((sum, value) => sum + value, 0) / draws;
  values.sort();
  const tail = (1 - level) / 2;
  const lower = quantileOfSorted(values, tail);
  return { mean, interval: { lower, upper: quantileOfSorted(values, 1 - tail), level, method: "jeffreys" } };
}

/** Returns 1 - (1 - p)^k for a p drawn from Beta(a, b), as a ratio of gamma deviates. */
function drawPassAtK(random: Random, a: number, b: number, k: number): number {
  const x = drawGamma(random, a);
  const y = drawGamma(random, b);
  return -Math.expm1(k * Math.log(y / (x + y)));
}

/** Returns a Gamma(shape, 1) deviate (Marsaglia and Tsang 2000); a shape below 1 is raised by 1 and powered back. */
function drawGamma(random: Random, shape: number): number {
  if (shape < 1) return drawGamma(random, shape + 1) * (1 - random.next()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const normal = random.nextNormal();
    const cube = (1 + c * normal) ** 3;
    const uniform = 1 - random.next(); // in (0, 1], so that its logarithm is finite
    if (cube > 0 && Math.log(uniform) < 0.5 * normal * normal + d - d * cube + d * Math.log(cube)) return d * cube;
  }
}
