import type { BudgetPlan, BudgetPlanRow, BudgetRollout } from "../../../core/index.js";

/** How the losses of tokens are averaged, as far as it weighs budgets: see `Aggregation`. */
export type AuditedAggregation = "token_mean" | "sequence_mean" | "sequence_sum_mean" | "constant";

/** What an audit knows beside the plan and the rollouts. */
export interface BudgetAuditSettings {
  /** How the trainer averages; absent when it is not known. */
  readonly aggregation?: AuditedAggregation;
  /** The documented reward of an episode that its budget ended unsolved; default 0. */
  readonly truncatedReward?: number;
  /** Hashes or ids of tasks that evaluation uses. */
  readonly evaluationTasks?: ReadonlySet<string>;
  readonly evaluationSeeds?: ReadonlySet<number>;
  /** Says whether the task with this hash is of the eval split, where the env's tasks carry it in their hash. */
  readonly isEvaluationTask?: (taskHash: string) => boolean;
  /** Of permutations; default 1. */
  readonly seed?: number;
}

/** A plan with what was played of it, matched row by row. */
export interface BudgetSubject {
  readonly plan: BudgetPlan;
  readonly rollouts: readonly BudgetRollout[];
  readonly settings: BudgetAuditSettings;
  /** [rollout] its row of the plan; `undefined` where none fits. */
  readonly rows: readonly (BudgetPlanRow | undefined)[];
  /** Positions of rollouts by the group they name. */
  readonly groups: ReadonlyMap<string, readonly number[]>;
}

function isTaskOf(row: BudgetPlanRow, { taskId, taskHash }: BudgetRollout): boolean {
  if (taskHash !== undefined) return taskHash === row.taskHash;
  return taskId !== undefined && taskId === row.taskId;
}

/** Returns where rows that a rollout may be of are looked up: by task and budget, in any or in one update. */
function createFinder(plan: BudgetPlan): (rollout: BudgetRollout) => BudgetPlanRow | undefined {
  const byGroup = new Map(plan.rows.map((row) => [row.group, row]));
  const cells = new Map<string, BudgetPlanRow[]>();
  for (const row of plan.rows) {
    for (const task of new Set([row.taskHash, row.taskId])) {
      const key = `${task} ${row.maxTurns}`;
      const cell = cells.get(key);
      if (cell === undefined) cells.set(key, [row]);
      else cell.push(row);
    }
  }
  return (rollout) => {
    const named = rollout.group === undefined ? undefined : byGroup.get(rollout.group);
    if (named !== undefined) return named;
    const task = rollout.taskHash ?? rollout.taskId;
    if (task === undefined || rollout.maxTurns === undefined) return undefined;
    const fitting = (cells.get(`${task} ${rollout.maxTurns}`) ?? []).filter(
      (row) => isTaskOf(row, rollout) && (rollout.update === undefined || rollout.update === row.update),
    );
    return fitting.length === 1 ? fitting[0] : undefined;
  };
}

/**
 * Returns the subject of an audit. A rollout belongs to the row of its group; where the trainer kept no group of the
 * plan, to the only row with its task, budget and update.
 */
export function createBudgetSubject(
  plan: BudgetPlan,
  rollouts: readonly BudgetRollout[],
  settings: BudgetAuditSettings = {},
): BudgetSubject {
  const find = createFinder(plan);
  const groups = new Map<string, number[]>();
  for (const [position, { group }] of rollouts.entries()) {
    if (group === undefined) continue;
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [position]);
    else members.push(position);
  }
  return { plan, rollouts, settings, rows: rollouts.map(find), groups };
}
