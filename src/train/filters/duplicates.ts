/**
 * Returns values that stand in the list more than once, in the order of their second appearance: sampling seeds that
 * members of a group share give identical rollouts and a spread of 0.
 *
 * @example
 * findRepeats([3, 1, 3, 3]); // [3]
 */
export function findRepeats<T>(values: readonly T[]): T[] {
  const seen = new Set<T>();
  const repeats = new Set<T>();
  for (const value of values) {
    if (seen.has(value)) repeats.add(value);
    seen.add(value);
  }
  return [...repeats];
}

/**
 * Returns the share of rollouts that are different from all before them: 1 when no two are alike, 1/n when all are the
 * same, as greedy decoding makes them, so that a count of successes among them can only be 0 or n.
 *
 * @param rollouts One text or id list per rollout, of the same task. Throws a `RangeError` for none.
 */
export function distinctRolloutShare(rollouts: readonly (string | readonly number[])[]): number {
  if (rollouts.length === 0) throw new RangeError("Cannot compute a share of distinct rollouts of none");
  const keys = rollouts.map((rollout) => (typeof rollout === "string" ? `t${rollout}` : `i${rollout.join(",")}`));
  return new Set(keys).size / rollouts.length;
}

/** A secret that was found where the policy reads. */
export interface LeakedCanary {
  /** Position of the prompt. */
  readonly promptIndex: number;
  readonly canary: string;
}

/**
 * Returns every canary that a rendered prompt contains: put strings into gold answers, test names and judge inputs that
 * occur nowhere else, and what is shown to the policy must hold none of them. Letters compare without case. Throws a
 * `RangeError` for an empty canary, which every prompt contains.
 */
export function findLeakedCanaries(prompts: readonly string[], canaries: readonly string[]): LeakedCanary[] {
  if (canaries.some((canary) => canary === "")) throw new RangeError("Cannot look for an empty canary");
  return prompts.flatMap((prompt, promptIndex) => {
    const text = prompt.toLowerCase();
    return canaries.filter((canary) => text.includes(canary.toLowerCase())).map((canary) => ({ promptIndex, canary }));
  });
}
