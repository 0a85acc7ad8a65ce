import type { BudgetPlan } from "../../core/index.js";

/** What a plan asks for, in counts. */
export interface BudgetPlanSummary {
  readonly updates: number;
  readonly groups: number;
  readonly episodes: number;
  readonly tasks: number;
  readonly budgets: readonly PlannedBudget[];
  /** [update] groups of each of `budgets`. */
  readonly groupsByUpdate: readonly (readonly number[])[];
}

/** What a plan asks of one budget. */
export interface PlannedBudget {
  readonly maxTurns: number;
  readonly groups: number;
  readonly episodes: number;
  /** Share of the plan's groups. */
  readonly share: number;
  /** Fewest and most groups of one task at this budget; at most 1 apart in a balanced plan. */
  readonly groupsPerTask: { readonly least: number; readonly most: number };
}

/** Returns the counts of a plan, budgets ascending. */
export function summarizeBudgetPlan({ rows }: Pick<BudgetPlan, "rows">): BudgetPlanSummary {
  const tasks = new Set(rows.map(({ taskHash }) => taskHash));
  const budgets = [...new Set(rows.map(({ maxTurns }) => maxTurns))].sort((a, b) => a - b);
  const updates = rows.reduce((most, { update }) => Math.max(most, update + 1), 0);
  const groupsByUpdate = Array.from({ length: updates }, () => budgets.map(() => 0));
  const cells = budgets.map(() => new Map<string, number>());
  let episodes = 0;
  const episodesOf = budgets.map(() => 0);
  for (const { update, maxTurns, taskHash, samplingSeeds } of rows) {
    const column = budgets.indexOf(maxTurns);
    groupsByUpdate[update][column] += 1;
    cells[column].set(taskHash, (cells[column].get(taskHash) ?? 0) + 1);
    episodesOf[column] += samplingSeeds.length;
    episodes += samplingSeeds.length;
  }
  return {
    updates,
    groups: rows.length,
    episodes,
    tasks: tasks.size,
    groupsByUpdate,
    budgets: budgets.map((maxTurns, column): PlannedBudget => {
      const counts = [...cells[column].values()];
      const groups = counts.reduce((sum, count) => sum + count, 0);
      const least = counts.length < tasks.size ? 0 : counts.reduce((a, b) => Math.min(a, b), Infinity);
      const most = counts.reduce((a, b) => Math.max(a, b), 0);
      const share = rows.length === 0 ? 0 : groups / rows.length;
      return { maxTurns, groups, episodes: episodesOf[column], share, groupsPerTask: { least, most } };
    }),
  };
}
