// internal
import { createRandom } from "../../core/index.js";

/** First actions of one task under two conditions. */
export interface ActionPair {
  readonly left: readonly string[];
  readonly right: readonly string[];
}

function distanceOf({ left, right }: ActionPair): number {
  const shares = new Map<string, number>();
  for (const action of left) shares.set(action, (shares.get(action) ?? 0) + 1 / left.length);
  for (const action of right) shares.set(action, (shares.get(action) ?? 0) - 1 / right.length);
  let sum = 0;
  for (const share of shares.values()) sum += Math.abs(share);
  return sum / 2;
}

function meanDistance(pairs: readonly ActionPair[]): number {
  return pairs.reduce((sum, pair) => sum + distanceOf(pair), 0) / pairs.length;
}

/**
 * Returns the mean over tasks of the total variation distance between two empirical distributions of first actions, and
 * the p value of a permutation within tasks. With few episodes the distance of equal policies is far above 0, so only the
 * p value says whether they differ.
 */
export function compareFirstActions(
  pairs: readonly ActionPair[],
  seed: number,
  permutations = 499,
): { readonly distance: number; readonly pValue: number } {
  if (pairs.length === 0) return { distance: 0, pValue: 1 };
  const distance = meanDistance(pairs);
  const random = createRandom(seed, "first actions");
  let asLarge = 1;
  for (let i = 0; i < permutations; i += 1) {
    const shuffled = pairs.map(({ left, right }) => {
      const all = random.shuffle([...left, ...right]);
      return { left: all.slice(0, left.length), right: all.slice(left.length) };
    });
    if (meanDistance(shuffled) >= distance - 1e-12) asLarge += 1;
  }
  return { distance, pValue: asLarge / (permutations + 1) };
}
