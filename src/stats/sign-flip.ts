import { createRandom } from "../core/index.js";

/** Two-sided sign-flip permutation test of a mean difference of 0. */
export interface SignFlipResult {
  readonly pValue: number;
  /** Whether every sign pattern was tried, or random ones. */
  readonly isExact: boolean;
  /** Patterns tried; in a random test without the observed one. */
  readonly patterns: number;
}

/** Options of {@linkcode signFlipTest}. */
export interface SignFlipOptions {
  readonly seed: number;
  /** Most differences other than 0 for which all 2^m patterns are tried: 16 by default, at most 24. */
  readonly maxExact?: number;
  /** Random patterns beyond that, 10,000 by default. */
  readonly patterns?: number;
}

/**
 * Returns the two-sided p of the mean of per-task differences under random signs, valid when each difference is
 * symmetric around 0 if the policies are equal. Differences of 0 do not matter and are left out. Exact by trying every
 * pattern when few are left: the smallest possible p is then 2/2^m, .0625 for 5. Otherwise p = (1 + extreme) /
 * (1 + patterns) over seeded random patterns. Sums within a relative 1e-12 are ties and count as extreme.
 * Throws a `RangeError` for a difference that is not finite or an option out of range.
 *
 * @example
 * signFlipTest([0.1, 0.2, 0.1, 0.3, 0.2], { seed: 1 }).pValue; // 0.0625
 */
export function signFlipTest(differences: readonly number[], options: SignFlipOptions): SignFlipResult {
  const { seed, maxExact = 16, patterns = 10_000 } = options;
  if (!(Number.isInteger(patterns) && patterns > 0 && maxExact >= 0 && maxExact <= 24)) {
    throw new RangeError(
      `Cannot flip signs with ${patterns} random patterns and at most ${maxExact} exact differences`,
    );
  }
  if (!differences.every(Number.isFinite)) throw new RangeError("Cannot flip signs of differences that are not finite");
  const moving = Float64Array.from(differences.filter((difference) => difference !== 0));
  const sum = moving.reduce((total, value) => total + value, 0);
  const size = moving.reduce((total, value) => total + Math.abs(value), 0);
  const threshold = Math.abs(sum) - 1e-12 * size;
  if (moving.length <= maxExact) {
    const total = 2 ** moving.length;
    return { pValue: countExact(moving, threshold) / total, isExact: true, patterns: total };
  }
  const random = createRandom(seed, "sign-flip");
  let extreme = 0;
  for (let pattern = 0; pattern < patterns; pattern += 1) {
    let flipped = 0;
    let bits = 0;
    for (let i = 0; i < moving.length; i += 1) {
      if (i % 32 === 0) bits = random.nextUint32();
      flipped += bits & 1 ? moving[i] : -moving[i];
      bits >>>= 1;
    }
    if (Math.abs(flipped) >= threshold) extreme += 1;
  }
  return { pValue: (1 + extreme) / (1 + patterns), isExact: false, patterns };
}

/** Returns how many of the 2^m sign patterns have a sum at least as far from 0 as the threshold. */
function countExact(values: Float64Array, threshold: number): number {
  const visit = (index: number, sum: number): number => {
    if (index === values.length) return Math.abs(sum) >= threshold ? 1 : 0;
    return visit(index + 1, sum + values[index]) + visit(index + 1, sum - values[index]);
  };
  return visit(0, 0);
}
