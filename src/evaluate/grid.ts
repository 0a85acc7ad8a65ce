import { usageError, writeCount, type CellMark, type TerminalRule } from "../core/index.js";
import { countSolvedWithin, hasUnknownGrade, type OutcomeTally, type TaskTally } from "./outcome-tally.js";
import type { Series } from "./series.js";

/** What a surface asks for; absent parts are chosen from the data. */
export interface GridRequest {
  /** Only tasks with these hashes; the others are listed as dropped. */
  readonly onlyTasks?: ReadonlySet<string>;
  /** Turn budgets T. */
  readonly budgets?: readonly number[];
  /** Sampling widths K. */
  readonly sampleCounts?: readonly number[];
}

/** Samples and successes of one task in one column of the grid. */
export interface TaskCount {
  readonly samples: number;
  readonly successes: number;
}

/** One task with its counts by turn budget. */
export interface GridTask {
  readonly taskId: string;
  readonly taskHash: string;
  readonly family: string | undefined;
  /** [T index] */
  readonly counts: readonly TaskCount[];
}

/** A series read on a grid of turn budgets: everything an estimate needs. */
export interface SeriesGrid {
  readonly series: Series;
  readonly budgets: readonly number[];
  readonly mark: CellMark;
  /** The rule the figures mean: `hard` where grades of cut states are not known. */
  readonly rule: TerminalRule;
  /** Tasks with at least one counted episode under every budget, in the order of their ids. */
  readonly tasks: readonly GridTask[];
  /** Tasks left out, with the reason. */
  readonly droppedTasks: readonly { readonly taskId: string; readonly reason: string }[];
  /** The tally of each column; the same one for all where cells are cut. */
  readonly tallies: readonly OutcomeTally[];
  readonly notes: readonly string[];
}

/** Returns 1, 2, 4, ... up to `last`, and `last` itself. */
export function doublingGrid(last: number): number[] {
  const grid: number[] = [];
  for (let value = 1; value < last; value *= 2) grid.push(value);
  return last >= 1 ? [...grid, last] : grid;
}

function sortBudgets(budgets: readonly number[]): number[] {
  for (const budget of budgets) {
    if (!Number.isInteger(budget) || budget < 0) {
      throw usageError(`Cannot read a surface at turn budget ${budget}: budgets are whole numbers`);
    }
  }
  return [...new Set(budgets)].sort((a, b) => a - b);
}

/** Returns the columns of a series whose smaller budgets are cut from its longest runs. */
function cutColumns(series: Series, requested: readonly number[] | undefined): Pick<SeriesGrid, "budgets" | "tallies"> {
  const [entry] = series.tallies;
  if (entry === undefined) throw new RangeError(`Cannot read series "${series.label}": it has no episodes`);
  const [limit, tally] = entry;
  // Beyond the longest episode every cell would repeat the last one.
  const longest = Math.max(1, Math.min(limit, tally.totals.longest));
  const budgets = sortBudgets(requested ?? doublingGrid(longest));
  const tooLarge = budgets.filter((budget) => budget > limit);
  if (tooLarge.length > 0) {
    throw usageError(
      `Cannot read "${series.label}" at T=${tooLarge.join(", ")}: its episodes were run with at most ${writeCount(limit, "turn")}`,
      `Ask for budgets up to ${limit}, or run with a larger one`,
    );
  }
  return { budgets, tallies: budgets.map(() => tally) };
}

/** Returns the columns of a series that was run under each budget on its own. */
function runColumns(series: Series, requested: readonly number[] | undefined): Pick<SeriesGrid, "budgets" | "tallies"> {
  const available = [...series.tallies.keys()].sort((a, b) => a - b);
  const budgets = requested === undefined ? available : sortBudgets(requested);
  const tallies = budgets.map((budget) => {
    const tally = series.tallies.get(budget);
    if (tally !== undefined) return tally;
    throw usageError(
      `Cannot read "${series.label}" at T=${budget}: with disclosure "${series.disclosure}" and terminal rule "${series.terminalRule}" every budget is run on its own, and it was run at T=${available.join(", ")}`,
      "Run the missing budgets, or ask only for those that were run",
    );
  });
  return { budgets, tallies };
}

function readTasks(
  tallies: readonly OutcomeTally[],
  budgets: readonly number[],
  rule: TerminalRule,
): Pick<SeriesGrid, "tasks" | "droppedTasks"> {
  const known = new Map<string, TaskTally>();
  for (const tally of tallies) for (const [hash, task] of tally.tasks) known.set(hash, task);
  const tasks: GridTask[] = [];
  const droppedTasks: { taskId: string; reason: string }[] = [];
  for (const [taskHash, { taskId, family }] of known) {
    const counts = tallies.map((tally, index) => {
      const task = tally.tasks.get(taskHash);
      if (task === undefined) return { samples: 0, successes: 0 };
      return { samples: task.counted, successes: countSolvedWithin(task, budgets[index], rule) };
    });
    const missing = budgets.filter((_, index) => counts[index].samples === 0);
    if (missing.length === 0) tasks.push({ taskId, taskHash, family, counts });
    else droppedTasks.push({ taskId, reason: `no counted episode at T=${missing.join(", ")}` });
  }
  const byId = (a: { taskId: string }, b: { taskId: string }): number =>
    a.taskId < b.taskId ? -1 : a.taskId > b.taskId ? 1 : 0;
  return { tasks: tasks.sort(byId), droppedTasks: droppedTasks.sort(byId) };
}

/**
 * Reads a series at the requested turn budgets. With a hidden budget every smaller T is cut from the longest runs;
 * otherwise each T must have been run. Where cutting needs a grade that the records lack, or a scorer judged whole
 * episodes, the figures mean "ended successfully within T" and the rule becomes `hard`.
 *
 * @throws {TurnwiseError} (usage) for a budget that the episodes do not cover.
 */
export function readGrid(series: Series, request: GridRequest = {}): SeriesGrid {
  const canCut = series.disclosure === "hidden" && series.terminalRule !== "answer_only";
  const columns = canCut ? cutColumns(series, request.budgets) : runColumns(series, request.budgets);
  const { budgets, tallies } = columns;
  const notes: string[] = [];
  let rule = series.terminalRule;
  if (canCut && rule === "act" && series.grader !== undefined) {
    rule = "hard";
    notes.push(
      `Whole episodes are judged (${series.grader}), so a smaller T means "ended successfully within T" (hard)`,
    );
  } else if (canCut && rule === "act" && budgets.some((budget, index) => hasUnknownGrade(tallies[index], budget))) {
    rule = "hard";
    notes.push('Some states are not graded after every turn, so a cell means "ended successfully within T" (hard)');
  }
  const { tasks: all, droppedTasks } = readTasks(tallies, budgets, rule);
  const { onlyTasks } = request;
  const tasks = onlyTasks === undefined ? all : all.filter((task) => onlyTasks.has(task.taskHash));
  const left = all
    .filter((task) => !tasks.includes(task))
    .map(({ taskId }) => ({ taskId, reason: "not in the other run" }));
  return {
    series,
    budgets,
    mark: canCut ? "cut" : "run",
    rule,
    tasks,
    droppedTasks: [...droppedTasks, ...left],
    tallies,
    notes,
  };
}

/**
 * Returns the sampling widths of a surface over these tasks: those asked for, or 1, 2, 4, ... up to the smallest
 * number of samples of any task.
 *
 * @throws {TurnwiseError} (usage) for k above the samples of some task: pass@k is not extrapolated; and for k > 1
 * where attempts saw earlier ones.
 */
export function chooseSampleCounts(grids: readonly SeriesGrid[], requested: readonly number[] | undefined): number[] {
  const dependent = grids.find((grid) => grid.tallies.some((tally) => tally.totals.dependent > 0));
  if (dependent !== undefined) {
    if (requested?.some((k) => k > 1) !== true) return [1];
    throw usageError(
      `Cannot estimate pass@k for "${dependent.series.label}" with k > 1: its attempts depend on earlier ones, so they are no independent samples`,
      "Ask for k=1; the report shows the share solved by trial i instead",
    );
  }
  let least = Infinity;
  let where = "";
  for (const grid of grids) {
    for (const task of grid.tasks) {
      for (const { samples } of task.counts) {
        if (samples < least) {
          least = samples;
          where = `task "${task.taskId}" of "${grid.series.label}"`;
        }
      }
    }
  }
  if (requested === undefined) return Number.isFinite(least) ? doublingGrid(least) : [1];
  const widths = [...new Set(requested)].sort((a, b) => a - b);
  for (const k of widths) {
    if (!Number.isInteger(k) || k < 1) throw usageError(`Cannot estimate pass@k at k=${k}: k is a whole number from 1`);
    if (k > least) {
      throw usageError(
        `Cannot estimate pass@${k}: ${where} has ${least} counted ${least === 1 ? "sample" : "samples"}, and k above n is not extrapolated`,
        `Ask for k up to ${least}, or add samples`,
      );
    }
  }
  return widths;
}
