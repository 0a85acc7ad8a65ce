import { logChoose } from "./special-functions.js";

/** McNemar's test on two policies with one episode a task each. */
export interface McNemarResult {
  /** Exact two-sided p. */
  readonly pExact: number;
  /** Two-sided mid-p: less conservative, close to its nominal level on average. */
  readonly pMid: number;
}

/**
 * Returns McNemar's exact and mid-p values from the discordant counts: tasks that only the first and only the second
 * policy solved. Exact: min(1, 2 sum_{i<=m} C(b+c,i)/2^(b+c)) with m the smaller count; mid-p subtracts
 * C(b+c,m)/2^(b+c) before the cap at 1, so (3, 3) gives 1 and not .6875. Both are 1 without discordant tasks.
 * Throws a `RangeError` for anything that is not a count.
 *
 * @example
 * mcnemarTest(5, 1); // { pExact: 0.21875, pMid: 0.125 }
 */
export function mcnemarTest(onlyA: number, onlyB: number): McNemarResult {
  for (const count of [onlyA, onlyB]) {
    if (!Number.isInteger(count) || count < 0) {
      throw new RangeError(
        `Cannot test discordant tasks as both must be whole numbers from 0: current value is ${count}`,
      );
    }
  }
  const total = onlyA + onlyB;
  const smaller = Math.min(onlyA, onlyB);
  if (total === 0) return { pExact: 1, pMid: 1 };
  // Terms grow from i = 0 by exact ratios; far from 0 they start in logarithms so that 2^-total cannot underflow.
  let term = total <= 1000 ? 2 ** -total : Math.exp(logChoose(total, smaller) - total * Math.LN2);
  let tail = term;
  if (total <= 1000) {
    for (let i = 1; i <= smaller; i += 1) {
      term *= (total - i + 1) / i;
      tail += term;
    }
  } else {
    for (let i = smaller, part = term; i > 0 && part > 0; i -= 1) {
      part *= i / (total - i + 1);
      tail += part;
    }
  }
  return { pExact: Math.min(1, 2 * tail), pMid: Math.min(1, 2 * tail - term) };
}
