import { groupAdvantages, type GroupAdvantage } from "./group-advantages.js";

/** One episode as far as its advantage depends on it. */
export interface GroupedEpisode {
  /** Episodes with the same key are compared with one another. */
  readonly group: string;
  /** The budget it was played under. */
  readonly maxTurns?: number;
  readonly episodeReturn: number;
}

/** What to do in the special cases; every one is part of a training record. */
export interface BatchAdvantageOptions {
  /** A group of one episode: an error (default), or advantage 0 and counted. It never gets its raw return. */
  readonly singletons?: "refuse" | "zero";
  /** Allow groups whose episodes had different budgets; default false, since then the advantage tells which budget was drawn. */
  readonly mixBudgets?: boolean;
}

/** One group of a batch. */
export interface GroupSummary {
  readonly group: string;
  readonly maxTurns?: number;
  readonly size: number;
  readonly mean: number;
  readonly std: number;
  /** Flat, or of one episode: all advantages are 0. */
  readonly isFlat: boolean;
}

/** Advantages of a batch. */
export interface BatchAdvantages {
  /** [episode], in the order given. */
  readonly advantages: readonly number[];
  /** In the order in which they first appear. */
  readonly groups: readonly GroupSummary[];
  readonly flatCount: number;
  readonly singletonCount: number;
}

/**
 * Returns each episode's advantage within its group, by the arithmetic of {@linkcode groupAdvantages} and no other, so
 * one group alone and the same group in a batch have the same numbers.
 *
 * @throws {RangeError} for a group of one (unless `singletons` is "zero"), a group with several budgets (unless
 * `mixBudgets`), and as `groupAdvantages`.
 */
export function batchAdvantages(
  episodes: readonly GroupedEpisode[],
  how: GroupAdvantage,
  options: BatchAdvantageOptions = {},
): BatchAdvantages {
  const { singletons = "refuse", mixBudgets = false } = options;
  const members = new Map<string, number[]>();
  episodes.forEach(({ group }, i) => {
    const found = members.get(group);
    if (found === undefined) members.set(group, [i]);
    else found.push(i);
  });
  const advantages = episodes.map(() => 0);
  let singletonCount = 0;
  const groups = [...members].map(([group, indices]): GroupSummary => {
    const budgets = [...new Set(indices.map((i) => episodes[i].maxTurns))];
    if (budgets.length > 1 && !mixBudgets) {
      throw new RangeError(
        `Cannot normalise group "${group}" as its episodes had budgets of ${budgets.join(" and ")} turns: give each budget its own group key`,
      );
    }
    const budget = budgets.length === 1 && budgets[0] !== undefined ? { maxTurns: budgets[0] } : {};
    const returns = indices.map((i) => episodes[i].episodeReturn);
    if (indices.length === 1 && singletons === "zero") {
      singletonCount += 1;
      return { group, ...budget, size: 1, mean: returns[0], std: 0, isFlat: true };
    }
    if (indices.length === 1) {
      throw new RangeError(
        `Cannot normalise group "${group}" as it holds one episode, which has nothing to be compared with: sample more, or give its advantage as 0 with singletons "zero"`,
      );
    }
    const result = groupAdvantages(returns, how);
    indices.forEach((i, member) => (advantages[i] = result.advantages[member]));
    return { group, ...budget, size: indices.length, mean: result.mean, std: result.std, isFlat: result.isFlat };
  });
  return { advantages, groups, flatCount: groups.filter(({ isFlat }) => isFlat).length, singletonCount };
}

/**
 * Returns the key of a group that compares like with like: one task at one budget.
 *
 * @example
 * budgetGroupKey("vault/12", 4); // "vault/12@4"
 */
export function budgetGroupKey(taskId: string, maxTurns: number): string {
  return `${taskId}@${maxTurns}`;
}
