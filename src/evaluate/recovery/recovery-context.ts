// internal
import type { ContextMode, ErrorPool, ErrorPrefix } from "../../core/index.js";
import { meanOf, type PoolFigureOptions, type TaskCells } from "./estimate-cells.js";
import {
  getSuccess,
  groupByTask,
  type BudgetReading,
  type ChosenPrefixes,
  type PlayedPool,
  type RecoveryArm,
} from "./recovery-data.js";

/** What every figure of one evaluation is computed from. */
export interface RecoveryContext {
  readonly pool: ErrorPool;
  readonly played: PlayedPool;
  readonly chosen: ChosenPrefixes;
  readonly policies: readonly string[];
  readonly contexts: readonly ContextMode[];
  /** Ascending. */
  readonly budgets: readonly number[];
  readonly reading: BudgetReading;
  readonly figures: PoolFigureOptions;
}

/** Returns [b] a value of each prefix, averaged over the prefixes of each task. */
export function averageByTask(
  { chosen, budgets }: Pick<RecoveryContext, "chosen" | "budgets">,
  read: (prefix: ErrorPrefix, b: number) => number,
): TaskCells[] {
  return groupByTask(chosen.prefixes).map(({ task, prefixes }) => ({
    task,
    values: budgets.map((b) => meanOf(prefixes.map((prefix) => read(prefix, b))) ?? 0),
  }));
}

/** Returns the reader of one arm's success. All prefixes chosen have been played, so there is always a value. */
export function readArm({ played, reading }: RecoveryContext, policy: string, context: ContextMode, arm: RecoveryArm) {
  return (prefix: ErrorPrefix, b: number): number =>
    getSuccess(played, prefix, { policy, context, arm, b }, reading) ?? 0;
}

/** Returns the first rows minus the second, task by task and cell by cell. */
export function subtract(rows: readonly TaskCells[], others: readonly TaskCells[]): TaskCells[] {
  return rows.map(({ task, values }, index) => ({
    task,
    values: values.map((value, cell) => value - others[index].values[cell]),
  }));
}
