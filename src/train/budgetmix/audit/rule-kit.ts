// internal
import {
  renderDisclosure,
  type BudgetPlan,
  type BudgetPlanRow,
  type BudgetRollout,
  type Disclosure,
  type RuleThresholds,
} from "../../../core/index.js";
import { budgetPlanSchema, hashBudgetPlan } from "../plan-budget-mix.js";
import type { BudgetRule } from "./budget-rule.js";
import { createBudgetSubject, type BudgetAuditSettings, type BudgetSubject } from "./budget-subject.js";

/** Returns the rule as it is; lets its functions know the names of its thresholds. */
export function budgetRule<Thresholds extends RuleThresholds>(rule: BudgetRule<Thresholds>): BudgetRule {
  return rule;
}

/** Returns a number with at most three decimals. */
export function showNumber(value: number): string {
  return String(Number(value.toFixed(3)));
}

/** Returns a count with its noun, in the plural unless it is 1. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns the mean of values; 0 without any. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns values by key, keys in the order they first occur. */
export function groupBy<Key, Value>(values: readonly Value[], getKey: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = getKey(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

/** Returns how a rollout is named in messages: its group, else its place. */
export function nameRollout({ group, place }: BudgetRollout): string {
  if (group !== undefined) return `a rollout of group "${group}"`;
  return place.line === undefined ? "a rollout" : `the rollout of line ${place.line}`;
}

/** Returns the cap that holds for a rollout: the recorded one, else the planned one. */
export function getCap(subject: BudgetSubject, position: number): number | undefined {
  return subject.rollouts[position].maxTurns ?? subject.rows[position]?.maxTurns;
}

/** Returns what names the task of a rollout: its hash or id, else that of its row. */
export function getTask({ rollouts, rows }: BudgetSubject, position: number): string | undefined {
  const { taskHash, taskId } = rollouts[position];
  return rows[position]?.taskHash ?? taskHash ?? taskId;
}

/** One group that was played, with what its rollouts agree on. */
export interface PlayedCell {
  readonly group: string;
  readonly task: string;
  readonly maxTurns: number;
  readonly update: number;
  readonly members: readonly number[];
}

/** Returns the groups whose task and budget are known and the same for all members, by update. */
export function listPlayedCells(subject: BudgetSubject): PlayedCell[] {
  const cells: PlayedCell[] = [];
  for (const [group, members] of subject.groups) {
    const [first] = members;
    const [task, maxTurns] = [getTask(subject, first), getCap(subject, first)];
    const isOne = members.every(
      (position) => getTask(subject, position) === task && getCap(subject, position) === maxTurns,
    );
    if (task === undefined || maxTurns === undefined || !isOne) continue;
    const update = subject.rows[first]?.update ?? subject.rollouts[first].update ?? 0;
    cells.push({ group, task, maxTurns, update, members });
  }
  return cells.sort((a, b) => a.update - b.update);
}

/** Returns a small plan for examples: one row for each `[task, maxTurns]`, groups of `groupSize`, `perUpdate` rows an update. */
export function examplePlan(
  cells: readonly (readonly [task: string, maxTurns: number])[],
  options: { readonly disclosure?: Disclosure; readonly groupSize?: number; readonly perUpdate?: number } = {},
): BudgetPlan {
  const { disclosure = "static", groupSize = 2, perUpdate = cells.length } = options;
  const rows = cells.map(([task, maxTurns], index): BudgetPlanRow => {
    const notice = renderDisclosure(disclosure, { maxTurns }, 0);
    return {
      update: Math.floor(index / perUpdate),
      group: `g${index}`,
      taskId: task,
      taskHash: task,
      maxTurns,
      ...(notice === undefined ? {} : { notice }),
      envSeed: 100 + index,
      samplingSeeds: Array.from({ length: groupSize }, (_, member) => index * groupSize + member),
    };
  });
  const plan = {
    schema: budgetPlanSchema,
    env: { id: "demo", version: "1" },
    disclosure,
    terminalRule: "act",
    mix: { type: "fixed" },
    seed: 1,
    groupSize,
    rows,
  } as const;
  return { ...plan, hash: hashBudgetPlan(plan) };
}

/** Returns rollouts that follow a plan to the letter, each changed by `change`; `undefined` leaves one out. */
export function playExample(
  plan: BudgetPlan,
  change: (row: BudgetPlanRow, member: number) => Partial<BudgetRollout> | undefined = () => ({}),
): BudgetRollout[] {
  return plan.rows.flatMap((row) =>
    row.samplingSeeds.flatMap((samplingSeed, member): BudgetRollout[] => {
      const changed = change(row, member);
      if (changed === undefined) return [];
      const kind = plan.disclosure === "static" ? "all" : "left";
      const told = row.notice === undefined ? [] : [{ kind, turns: row.maxTurns, turnIndex: 0 } as const];
      const { update, group, taskId, taskHash, maxTurns, envSeed } = row;
      const rollout = { update, group, taskId, taskHash, maxTurns, told, turns: maxTurns, envSeed, samplingSeed };
      return [{ place: { detail: `${group}/${member}` }, ...rollout, ...changed }];
    }),
  );
}

/** Returns the subject of an example: a plan played to the letter, but for `change`. */
export function exampleSubject(
  plan: BudgetPlan,
  change?: (row: BudgetPlanRow, member: number) => Partial<BudgetRollout> | undefined,
  settings: BudgetAuditSettings = {},
): BudgetSubject {
  return createBudgetSubject(plan, playExample(plan, change), settings);
}
