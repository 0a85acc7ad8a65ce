import type { BudgetPlan } from "../../core/index.js";
import type { PlanPrompt } from "../plan/plan-prompts.js";

/**
 * One row of TRL's training data: one group, since TRL repeats a row `num_generations` times. All columns but
 * `prompt` reach the environment's `reset()` and the reward functions.
 */
export interface TrlRow {
  readonly prompt: readonly { readonly role: "system" | "user"; readonly content: string }[];
  /** Routes the row to one of several environments. */
  readonly environment: string;
  /** Policy calls allowed: the environment's tools must refuse after them. */
  readonly max_turns: number;
  readonly disclosure: string;
  readonly terminal_rule: string;
  readonly group_key: string;
  readonly update: number;
  readonly task_id: string;
  readonly task_hash: string;
  /** The task's data as JSON. */
  readonly task: string;
  readonly env_seed: number;
  readonly plan_hash: string;
}

/** Returns the row of one group. */
export function toTrlRow(
  { env, disclosure, terminalRule, hash }: BudgetPlan,
  { row, task, system, user }: PlanPrompt,
): TrlRow {
  return {
    prompt: [
      { role: "system", content: system },
      { role: "user", content: user },
    ],
    environment: env.id,
    max_turns: row.maxTurns,
    disclosure,
    terminal_rule: terminalRule,
    group_key: row.group,
    update: row.update,
    task_id: row.taskId,
    task_hash: row.taskHash,
    task: JSON.stringify(task.data),
    env_seed: row.envSeed,
    plan_hash: hash,
  };
}
