import { createRandom, type Interval, type Random } from "../core/index.js";
import { checkLevel } from "./level.js";
import { passAtK } from "./pass-at-k.js";
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
  /** What the interval lies around: the unbiased estimate (default), or the posterior as it is. */
  readonly centre?: "estimate" | "posterior";
}

/** Pass@k of exactly these tasks. */
export interface FixedBenchmarkEstimate {
  /** Mean over tasks of the unbiased estimate. */
  readonly estimate: number;
  /** Mean of the posterior, pulled by the prior. */
  readonly posteriorMean: number;
  readonly interval: Interval;
}

/**
 * Returns Pass@k for these very tasks, without generalising to new ones. Each task's success probability has a
 * Beta(c + 1/2, n - c + 1/2) posterior (Jeffreys prior), is pushed through 1 - (1 - p)^k and averaged over tasks; the
 * interval is equal-tailed over seeded draws. It knows only the sampling of rollouts, so it is narrower than a task bootstrap.
 *
 * The prior gives every unsolved task about k/(2n), a bias that more tasks do not reduce while the interval
 * shrinks: with many unsolved tasks the posterior interval lies wholly above the truth. By default it is therefore shifted
 * to lie around the unbiased estimate and clipped to [0, 1]; it then covers too often where many tasks are never solved, and
 * too rarely (some .75) for k near n, where the estimate itself is coarse.
 * Throws a `RangeError` for no task, impossible counts, k above a task's samples or options out of range.
 */
export function fixedBenchmarkInterval(
  tasks: readonly TaskCounts[],
  k: number,
  options: FixedBenchmarkOptions,
): FixedBenchmarkEstimate {
  const { seed, draws = 4000, level = 0.95, centre = "estimate" } = options;
  checkLevel(level);
  if (tasks.length === 0 || !Number.isInteger(draws) || draws < 100) {
    throw new RangeError(
      `Cannot draw a posterior from ${tasks.length} tasks with ${draws} draws: 1 and 100 are needed`,
    );
  }
  const estimate = tasks.reduce((sum, task) => sum + passAtK(task.samples, task.successes, k), 0) / tasks.length;
  const random = createRandom(seed, "fixed-benchmark");
  const values = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw += 1) {
    let sum = 0;
    for (const { successes, samples } of tasks)
      sum += drawPassAtK(random, successes + 0.5, samples - successes + 0.5, k);
    values[draw] = sum / tasks.length;
  }
  const posteriorMean = values.reduce((sum, value) => sum + value, 0) / draws;
  values.sort();
  const shift = centre === "estimate" ? estimate - posteriorMean : 0;
  const [lower, upper] = [(1 - level) / 2, (1 + level) / 2].map((p) =>
    Math.min(Math.max(quantileOfSorted(values, p) + shift, 0), 1),
  );
  return { estimate, posteriorMean, interval: { lower, upper, level, method: "jeffreys" } };
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
