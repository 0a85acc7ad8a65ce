import { groupAdvantages } from "../advantages/group-advantages.js";

/** Which groups an update is made from. */
export interface VarianceFilterResult {
  /** Positions of the groups kept, ascending. At least one, unless there is no group. */
  readonly kept: readonly number[];
  /** [group] standard deviation of returns, ddof 1. */
  readonly spreads: readonly number[];
  /** Some kept group has a spread. When false, no update must be made: there is nothing to learn from. */
  readonly hasSignal: boolean;
}

/**
 * Returns the groups whose returns spread most (StarPO-S, RAGEN, arXiv 2504.20073, section 3.3): the share `keep` of
 * them, rounded down, at least one. Equal spreads are resolved in favour of the group that comes first, so that the
 * same batch always keeps the same groups. A batch in which nothing spreads is kept in part like any other, with
 * `hasSignal` false.
 *
 * @param groups [group][episode] returns; groups have at least 2 episodes.
 * @param keep In (0, 1]; .25 in the paper.
 * @throws {RangeError} for a share out of range or a group of one.
 *
 * @example
 * filterByVariance([[1, 1], [0, 1], [0, 0], [0, 0.5]], 0.5).kept; // [1, 3]
 */
export function filterByVariance(groups: readonly (readonly number[])[], keep: number): VarianceFilterResult {
  if (!(keep > 0 && keep <= 1)) {
    throw new RangeError(`Cannot filter groups as the share kept must be in (0, 1]: current share is ${keep}`);
  }
  const spreads = groups.map((returns) => groupAdvantages(returns, { kind: "dr_grpo" }).std);
  const count = Math.min(groups.length, Math.max(1, Math.floor(keep * groups.length + 1e-9)));
  const kept = spreads
    .map((spread, group) => ({ spread, group }))
    .sort((a, b) => b.spread - a.spread || a.group - b.group)
    .slice(0, count)
    .map(({ group }) => group)
    .sort((a, b) => a - b);
  return { kept, spreads, hasSignal: kept.some((group) => spreads[group] > 0) };
}
