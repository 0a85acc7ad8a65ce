import { logChoose } from "./special-functions.js";

/**
 * Returns the chance that at least one of `k` rollouts drawn from the `n` recorded ones succeeded, `c` being the
 * number of successes: 1 - C(n-c,k)/C(n,k), as the stable product 1 - prod_{i=n-c+1..n} (1 - k/i). It is the unbiased
 * estimate of 1 - (1-p)^k for independent rollouts (arXiv 2107.03374); 0 without a success, exactly 1 when n - c < k.
 * Throws a `RangeError` for k above n, which would need extrapolation, and for anything that is not a count.
 *
 * @example
 * passAtK(8, 2, 3); // 0.6428571428571429
 */
export function passAtK(n: number, c: number, k: number): number {
  checkCounts("pass@k", n, c, k);
  if (n - c < k) return 1;
  let missAll = 1;
  // The product has c factors in this form and k factors in the other one; the shorter is faster and rounds less.
  if (c <= k) for (let i = n - c + 1; i <= n; i += 1) missAll *= 1 - k / i;
  else for (let i = n - k + 1; i <= n; i += 1) missAll *= 1 - c / i;
  return 1 - missAll;
}

/**
 * Returns the chance that all of `k` rollouts drawn from the `n` recorded ones succeeded: C(c,k)/C(n,k), the unbiased
 * estimate of p^k (arXiv 2406.12045). 0 when c < k. Throws a `RangeError` like {@linkcode passAtK}.
 *
 * @example
 * passHatK(8, 6, 4); // 0.21428571428571427
 */
export function passHatK(n: number, c: number, k: number): number {
  checkCounts("pass^k", n, c, k);
  let all = 1;
  for (let i = 0; i < k && all > 0; i += 1) all *= (c - i) / (n - i);
  return all;
}

/**
 * Returns the chance that at least ceil(tau k) of `k` drawn rollouts succeeded (arXiv 2412.13147): the upper tail of a
 * hypergeometric distribution. At least one success is always asked for. The product tau k is rounded up with a
 * tolerance of 1e-9, so that .28 of 25 is 7 and not 8. `tau` is in [0, 1].
 * Throws a `RangeError` like {@linkcode passAtK} and for a `tau` outside its range.
 *
 * @example
 * gPassAtK(16, 8, 4, 0.75); // 0.2846153846153846
 */
export function gPassAtK(n: number, c: number, k: number, tau: number): number {
  checkCounts("G-Pass@k", n, c, k);
  if (!(tau >= 0 && tau <= 1)) {
    throw new RangeError(`Cannot compute G-Pass@k as tau must be in [0, 1]: current tau is ${tau}`);
  }
  return atLeast(n, c, k, Math.max(Math.ceil(tau * k - 1e-9), 1));
}

/**
 * Returns mG-Pass@k, the area under {@linkcode gPassAtK} for tau from one half to 1:
 * (2/k) sum_{i=ceil(k/2)+1..k} G-Pass@k_{i/k}. The sum is empty, and the result 0, for k = 1.
 * Throws a `RangeError` like {@linkcode passAtK}.
 *
 * @example
 * meanGPassAtK(16, 12, 8); // 0.5
 */
export function meanGPassAtK(n: number, c: number, k: number): number {
  checkCounts("mG-Pass@k", n, c, k);
  let sum = 0;
  for (let i = Math.ceil(k / 2) + 1; i <= k; i += 1) sum += atLeast(n, c, k, i);
  return (2 / k) * sum;
}

/** Returns the chance of at least `successes` successes among `k` draws without replacement from `c` of `n`. */
function atLeast(n: number, c: number, k: number, successes: number): number {
  const first = Math.max(successes, k - (n - c));
  const last = Math.min(c, k);
  if (first > last) return 0;
  if (successes <= k - (n - c)) return 1; // too few failures are recorded to miss the threshold
  const logTotal = logChoose(n, k);
  let tail = 0;
  for (let j = first; j <= last; j += 1) tail += Math.exp(logChoose(c, j) + logChoose(n - c, k - j) - logTotal);
  return Math.min(tail, 1);
}

function checkCounts(metric: string, n: number, c: number, k: number): void {
  if (!Number.isInteger(n) || n < 1) {
    throw new RangeError(`Cannot compute ${metric} as n must be a whole number above 0: current n is ${n}`);
  }
  if (!Number.isInteger(c) || c < 0 || c > n) {
    throw new RangeError(`Cannot compute ${metric} as c must be a whole number in 0..${n}: current c is ${c}`);
  }
  if (!Number.isInteger(k) || k < 1 || k > n) {
    throw new RangeError(`Cannot compute ${metric} as k must be a whole number in 1..${n}: current k is ${k}`);
  }
}
