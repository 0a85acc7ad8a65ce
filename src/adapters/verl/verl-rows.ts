import type { BudgetPlan } from "../../core/index.js";
import type { PlanPrompt } from "../plan/plan-prompts.js";

/**
 * One row of verl's training data: one group, since verl repeats a row `rollout.n` times and normalises within it.
 * Every row has the same fields, as a struct column of parquet must.
 */
export interface VerlRow {
  /** Picks the reward function, and names the budget: validation metrics are grouped by it. */
  readonly data_source: string;
  readonly prompt: readonly { readonly role: "system" | "user"; readonly content: string }[];
  readonly ability: string;
  readonly reward_model: {
    readonly style: "rule";
    /** The task's data as JSON; verl writes it to dumps as `gts`. Never part of the prompt. */
    readonly ground_truth: string;
  };
  readonly extra_info: {
    readonly split: "train";
    readonly index: number;
    readonly need_tools_kwargs: boolean;
    /** Policy calls allowed: what the agent loop must enforce. */
    readonly max_turns: number;
    readonly disclosure: string;
    readonly terminal_rule: string;
    readonly group_key: string;
    readonly update: number;
    readonly task_id: string;
    readonly task_hash: string;
    readonly env_id: string;
    readonly env_version: string;
    readonly env_seed: number;
    readonly plan_hash: string;
  };
  /** The agent loop that reads `max_turns`; absent for the one of the config. */
  readonly agent_name?: string;
}

/** Returns the row of one group. `index` is its position in the plan. */
export function toVerlRow(
  { env, disclosure, terminalRule, hash }: BudgetPlan,
  { row, task, system, user }: PlanPrompt,
  options: { readonly index: number; readonly agentName?: string },
): VerlRow {
  const { index, agentName } = options;
  return {
    data_source: `${env.id}/T${row.maxTurns}`,
    prompt: [
      { role: "system", content: system },
      { role: "user", content: user },
    ],
    ability: env.id,
    reward_model: { style: "rule", ground_truth: JSON.stringify(task.data) },
    extra_info: {
      split: "train",
      index,
      need_tools_kwargs: false,
      max_turns: row.maxTurns,
      disclosure,
      terminal_rule: terminalRule,
      group_key: row.group,
      update: row.update,
      task_id: row.taskId,
      task_hash: row.taskHash,
      env_id: env.id,
      env_version: env.version,
      env_seed: row.envSeed,
      plan_hash: hash,
    },
    ...(agentName === undefined ? {} : { agent_name: agentName }),
  };
}
