import type { JsonObject } from "../../../core/index.js";
import type { BudgetSubject } from "./budget-subject.js";
import { budgetRule, countOf, examplePlan, exampleSubject, groupBy, listPlayedCells, showNumber } from "./rule-kit.js";

/**
 * Returns the chance that all `size` episodes of a group succeed or all fail when each succeeds with chance `p`: the
 * share of groups without a signal to expect.
 *
 * @example
 * expectedFlatShare(0.5, 2); // 0.5
 */
export function expectedFlatShare(p: number, size: number): number {
  return p ** size + (1 - p) ** size;
}

/** A group with binary rewards. */
interface BinaryGroup {
  readonly key: string;
  readonly maxTurns: number;
  readonly wins: number;
  readonly size: number;
}

/** Returns the groups whose rewards take at most two values in all, by update. */
function listBinaryGroups(subject: BudgetSubject): BinaryGroup[] {
  const values = new Set(subject.rollouts.flatMap(({ reward }) => (reward === undefined ? [] : [reward])));
  if (values.size > 2) return [];
  const top = Math.max(...values);
  return listPlayedCells(subject).flatMap(({ task, maxTurns, members }) => {
    const rewards = members.map((position) => subject.rollouts[position].reward);
    if (members.length < 2 || rewards.some((reward) => reward === undefined)) return [];
    const wins = values.size < 2 ? 0 : rewards.filter((reward) => reward === top).length;
    return [{ key: `${task} ${maxTurns}`, maxTurns, wins, size: members.length }];
  });
}

/** Other groups of the same task and budget that a group is compared with: those nearest in time, as policies change. */
const neighbours = 4;

/**
 * Returns the chance that the group is flat given its neighbours: the next `size` outcomes of a Beta-binomial with
 * Jeffreys' prior. A chance of the own group would be its own excuse.
 */
function predictFlat({ size }: BinaryGroup, near: readonly BinaryGroup[]): number {
  const wins = near.reduce((total, group) => total + group.wins, 0.5);
  const losses = near.reduce((total, group) => total + group.size - group.wins, 0.5);
  let [allWin, allLose] = [1, 1];
  for (let i = 0; i < size; i += 1) {
    allWin *= (wins + i) / (wins + losses + i);
    allLose *= (losses + i) / (wins + losses + i);
  }
  return allWin + allLose;
}

interface FlatCount {
  readonly maxTurns: number;
  readonly groups: number;
  readonly flat: number;
  readonly expected: number;
  readonly variance: number;
}

/** Returns, by budget, flat groups and how many to expect of the groups that have a neighbour. */
function countFlat(subject: BudgetSubject): FlatCount[] {
  const judged = [...groupBy(listBinaryGroups(subject), ({ key }) => key).values()].flatMap((cell) =>
    cell.length < 2
      ? []
      : cell.map((group, index) => {
          const others = cell
            .map((other, at) => ({ other, gap: at === index ? Infinity : Math.abs(at - index) }))
            .sort((a, b) => a.gap - b.gap)
            .slice(0, Math.min(neighbours, cell.length - 1));
          const chance = predictFlat(
            group,
            others.map(({ other }) => other),
          );
          return { ...group, chance, isFlat: group.wins === 0 || group.wins === group.size };
        }),
  );
  return [...groupBy(judged, ({ maxTurns }) => maxTurns)]
    .sort(([a], [b]) => a - b)
    .map(([maxTurns, groups]) => ({
      maxTurns,
      groups: groups.length,
      flat: groups.filter(({ isFlat }) => isFlat).length,
      expected: groups.reduce((total, { chance }) => total + chance, 0),
      variance: groups.reduce((total, { chance }) => total + chance * (1 - chance), 0),
    }));
}

const plan = examplePlan(
  Array.from({ length: 40 }, (_, index) => [`t${index % 4}`, 4] as const),
  { groupSize: 4, perUpdate: 4 },
);

/** Alternates wins so that every group is mixed, or ties all members of a group to the same coin. */
function mixedReward(_: unknown, member: number): { readonly reward: number } {
  return { reward: member % 2 };
}

/** A6: no more groups without a signal than the success rates explain. */
export const flatGroupsRule = budgetRule({
  number: "A6",
  id: "flat-groups",
  severity: "error",
  description: "Finds budgets with more groups of equal rewards than the success rates of their tasks explain.",
  rationale:
    "A group of which all succeed or all fail teaches nothing. Some are to be expected: p^G + (1-p)^G at success rate p. More than that means that members are not independent (a shared sampling seed, a cache, temperature 0). The rate is that of the same task at the same budget, since tasks of different difficulty raise the share by themselves; a rate of the same group would be its own excuse, so neighbouring groups give it.",
  remedy:
    "Check that members of a group have seeds of their own and a temperature above 0, and that no cache answers for them",
  thresholds: {
    maxExcess: { default: 0.1, description: "most share of flat groups beyond the expected one" },
    maxDeviations: { default: 3.5, description: "standard deviations beyond which an excess is no accident" },
  },
  examples: [
    { name: "mixed groups", subject: exampleSubject(plan, mixedReward), messages: [] },
    {
      name: "tasks that always fail: flat, and expected to be",
      subject: exampleSubject(plan, (row, member) => ({ reward: row.taskId === "t0" ? 0 : member % 2 })),
      messages: [],
    },
    {
      name: "all members of a group do the same, though the task is solved half of the time",
      subject: exampleSubject(plan, ({ update }) => ({ reward: update % 2 })),
      messages: ["at T=4 40 of 40 groups are flat, expected are 8.059 from the success rates of their tasks"],
    },
  ],
  findGap: (subject) => {
    if (subject.groups.size === 0) return "the rollouts name no groups";
    if (subject.rollouts.every(({ reward }) => reward === undefined)) return "the rollouts state no reward";
    if (listBinaryGroups(subject).length === 0) return "rewards take more than two values, or groups are not complete";
    return countFlat(subject).length === 0 ? "no task was played twice at the same budget" : undefined;
  },
  check: (subject, { maxExcess, maxDeviations }) =>
    countFlat(subject).flatMap(({ maxTurns, groups, flat, expected, variance }) => {
      const excess = flat - expected;
      if (excess <= maxExcess * groups || excess <= maxDeviations * Math.sqrt(variance)) return [];
      const message = `at T=${maxTurns} ${flat} of ${countOf(groups, "group")} are flat, expected are ${showNumber(expected)} from the success rates of their tasks`;
      return [{ message, evidence: { maxTurns, groups, flat, expected } }];
    }),
  summarize(subject) {
    const counts = countFlat(subject);
    const parts = counts.map(
      ({ maxTurns, groups, flat, expected }) =>
        `T=${maxTurns} ${flat} of ${groups} flat (expected ${showNumber(expected)})`,
    );
    const budgets = counts.map(({ maxTurns, groups, flat, expected }): JsonObject => ({
      maxTurns,
      groups,
      flat,
      expected,
    }));
    return { text: parts.join(", "), values: { budgets } };
  },
});
