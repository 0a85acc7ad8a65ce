import { inputError, type BudgetPlan, type BudgetPlanRow, type Env, type Task } from "../../core/index.js";

/** A row of a plan with the text its episodes begin with. */
export interface PlanPrompt {
  readonly row: BudgetPlanRow;
  readonly task: Task;
  /** What the agent is told about its job. */
  readonly system: string;
  /** What it is shown first, with the budget where it is told: the same words as in turnwise's own rollouts. */
  readonly user: string;
}

/**
 * Yields the first prompt of every row: the env is started with the row's task and seed, and left at once.
 *
 * @throws {TurnwiseError} (input) for an env of another id or version than the plan was made for, or when a task of the
 * plan is not among `tasks`.
 */
export async function* renderPlanPrompts(
  plan: BudgetPlan,
  env: Env,
  tasks: readonly Task[],
): AsyncGenerator<PlanPrompt> {
  if (env.id !== plan.env.id || env.version !== plan.env.version) {
    throw inputError(
      `Cannot render the prompts of a plan for env "${plan.env.id}" version ${plan.env.version} with env "${env.id}" version ${env.version}: the same seed may show another episode`,
      "Plan again with this version",
    );
  }
  const byHash = new Map(tasks.map((task) => [task.hash, task]));
  for (const row of plan.rows) {
    const task = byHash.get(row.taskHash);
    if (task === undefined) {
      throw inputError(
        `Cannot render the prompt of group "${row.group}": its task ${row.taskId} is not among the ${tasks.length} tasks given`,
        "Give the tasks that the plan was made from",
      );
    }
    const session = await env.start(task, row.envSeed);
    try {
      const { text, toolResults = [] } = session.observation;
      const shown = text === "" ? toolResults.map((result) => result.text).join("\n") : text;
      const user = [shown, row.notice ?? ""].filter((part) => part !== "").join("\n\n");
      yield { row, task, system: env.instructions, user };
    } finally {
      await session.close();
    }
  }
}

/** One episode of a plan on its own: what a rollout worker of one's own needs. */
export interface PlanEpisodeRow {
  readonly update: number;
  readonly group: string;
  readonly taskId: string;
  readonly taskHash: string;
  readonly maxTurns: number;
  readonly notice?: string;
  readonly envSeed: number;
  readonly samplingSeed: number;
}

/** Returns every episode of a plan as a row of its own, in the order of the plan. */
export function toEpisodeRows({ rows }: Pick<BudgetPlan, "rows">): PlanEpisodeRow[] {
  return rows.flatMap(({ samplingSeeds, ...row }) => samplingSeeds.map((samplingSeed) => ({ ...row, samplingSeed })));
}
