import { inputError, type AdaptationEffect } from "../core/index.js";
import { readGrid } from "./grid.js";
import type { Series } from "./series.js";
import { createEstimate, resample, type IntervalOptions } from "./task-surface.js";

/**
 * Returns the budget-adaptation effect of one policy at each T both series cover: success when the budget was
 * disclosed minus success when it was hidden and cut, paired by task, at k=1 (statistics 2.3a).
 *
 * @throws {TurnwiseError} (input) when the series share no task or no budget, or are of different policies or envs.
 */
export function measureAdaptation(
  hidden: Series,
  disclosed: Series,
  options: IntervalOptions = {},
): AdaptationEffect[] {
  const identity = (series: Series): string => JSON.stringify([series.policyId, series.checkpoint, series.env]);
  if (identity(hidden) !== identity(disclosed)) {
    throw inputError(
      `Cannot measure adaptation between "${hidden.label}" and "${disclosed.label}": policy, checkpoint or env differ`,
    );
  }
  const run = readGrid(disclosed);
  const limit = Math.max(...hidden.tallies.keys());
  const budgets = run.budgets.filter((budget) => budget <= limit && budget >= 1);
  if (budgets.length === 0) {
    throw inputError(
      `Cannot measure adaptation of "${hidden.label}": the hidden and the disclosed run share no turn budget`,
    );
  }
  const cut = readGrid(hidden, { budgets });
  const byHash = new Map(cut.tasks.map((task) => [task.taskHash, task]));
  const tasks = run.tasks.filter((task) => byHash.has(task.taskHash));
  if (tasks.length === 0) throw inputError(`Cannot measure adaptation of "${hidden.label}": the runs share no task`);
  const columns = budgets.map((budget) => run.budgets.indexOf(budget));
  const differences = Float64Array.from(
    tasks.flatMap((task) =>
      budgets.map((_, index) => {
        const told = task.counts[columns[index]];
        const untold = byHash.get(task.taskHash)?.counts[index] ?? told;
        return told.successes / told.samples - untold.successes / untold.samples;
      }),
    ),
  );
  const intervals = resample(differences, tasks, budgets.length, options);
  return budgets.map((maxTurns, cell) => ({
    label: hidden.label,
    maxTurns,
    disclosure: disclosed.disclosure,
    estimate: createEstimate(differences, tasks.length, budgets.length, cell, intervals, [-1, 1]),
  }));
}
