/** Settings of {@linkcode sampleMixedGroups}. */
export interface MixedGroupOptions {
  /** Groups asked for in one round; DAPO draws three times what it wants. */
  readonly roundSize: number;
  /** Rounds before it gives up; DAPO's recipe stops after 10. */
  readonly maxRounds: number;
}

/** How the search for groups went. */
export interface MixedGroupCounts {
  readonly rounds: number;
  /** Groups drawn in all. */
  readonly drawn: number;
  /** Groups thrown away because every episode failed, or every one succeeded. */
  readonly allFailed: number;
  readonly allSolved: number;
  /** Mixed groups beyond what was wanted, not used. */
  readonly surplus: number;
}

/** Exactly the groups that were wanted, or why there are not enough. */
export type MixedGroupResult<Group> =
  | { readonly type: "filled"; readonly groups: readonly Group[]; readonly counts: MixedGroupCounts }
  | {
      readonly type: "too_few";
      /** The mixed groups there are, fewer than wanted. */
      readonly groups: readonly Group[];
      readonly wanted: number;
      readonly reason: "max_rounds" | "no_more_groups";
      readonly counts: MixedGroupCounts;
    };

/** A group with the outcome of each of its episodes. */
export interface OutcomeGroup {
  readonly successes: readonly boolean[];
}

/**
 * Returns exactly `wanted` groups in which some episode succeeded and some failed, drawing rounds of groups until there
 * are enough (DAPO's dynamic sampling, arXiv 2503.14476, section 3.2): the batch never shrinks silently. Groups are
 * kept in the order in which they were drawn. When rounds run out, or a round comes back empty, the result says so and
 * holds what was found; it is for the caller to stop or to go on with fewer.
 *
 * Filtering by outcome changes the tasks that are trained on: `counts` belongs in the update's record.
 *
 * @param draw Returns up to `count` new groups, none when there are no more. What it throws is passed on.
 * @throws {RangeError} for counts that are not whole numbers above 0.
 */
export async function sampleMixedGroups<Group extends OutcomeGroup>(
  wanted: number,
  draw: (count: number, round: number) => Promise<readonly Group[]> | readonly Group[],
  { roundSize, maxRounds }: MixedGroupOptions,
): Promise<MixedGroupResult<Group>> {
  for (const [name, value] of Object.entries({ wanted, roundSize, maxRounds })) {
    if (!Number.isInteger(value) || value < 1) {
      throw new RangeError(`Cannot sample groups as ${name} must be a whole number above 0: current value is ${value}`);
    }
  }
  const mixed: Group[] = [];
  const counts = { rounds: 0, drawn: 0, allFailed: 0, allSolved: 0 };
  const tell = (): MixedGroupCounts => ({ ...counts, surplus: Math.max(0, mixed.length - wanted) });
  while (mixed.length < wanted && counts.rounds < maxRounds) {
    const groups = await draw(roundSize, counts.rounds);
    counts.rounds += 1;
    if (groups.length === 0) {
      return { type: "too_few", groups: mixed, wanted, reason: "no_more_groups", counts: tell() };
    }
    counts.drawn += groups.length;
    for (const group of groups) {
      const solved = group.successes.filter(Boolean).length;
      if (solved === 0) counts.allFailed += 1;
      else if (solved === group.successes.length) counts.allSolved += 1;
      else mixed.push(group);
    }
  }
  if (mixed.length < wanted) {
    return { type: "too_few", groups: mixed, wanted, reason: "max_rounds", counts: tell() };
  }
  return { type: "filled", groups: mixed.slice(0, wanted), counts: tell() };
}
