import type { Estimate } from "../../core/index.js";
import { bootstrapMeans, widenForFewUnits } from "../../stats/index.js";
import type { ChainSide, SideTask } from "./chain-side.js";
import { modeStride, outcomeIndex } from "./mode-chain.js";
import type { AttributionCell } from "./shapley.js";

/** A policy played with quits disabled, and with quits forced at random turns. */
export interface ForcedArms {
  readonly forcedContinue: ChainSide;
  readonly forcedStop: ChainSide;
}

/** Played episodes of an interventional attribution. */
export interface PlayedCells {
  readonly a: ChainSide;
  readonly b: ChainSide;
  /** The six mixed cells; AAA and BBB where the copies were played for the self-check. */
  readonly hybrids: { readonly [cell in AttributionCell]?: ChainSide };
  readonly arms?: { readonly a?: ForcedArms; readonly b?: ForcedArms };
}

/** Returns the turn limit that a budget is read from: the longest with a hidden budget, else the budget itself. */
export function findLimit(side: ChainSide, budget: number): number {
  return side.disclosure === "hidden" && side.rule !== "answer_only" ? Math.max(...side.byLimit.keys()) : budget;
}

/** Returns the share of a task's episodes that are solved within `budget` turns. */
export function solvedShare({ episodes }: SideTask, budget: number): number {
  let solved = 0;
  for (const events of episodes) {
    const last = events.length - 1;
    if (last < budget && events[last] % modeStride === outcomeIndex.solved) solved += 1;
  }
  return solved / episodes.length;
}

/** Returns the hashes of the tasks that every side holds at every budget, in order. */
export function listSharedTasks(sides: readonly ChainSide[], budgets: readonly number[]): string[] {
  const maps = sides.flatMap((side) =>
    budgets.map((budget) => side.byLimit.get(findLimit(side, budget)) ?? new Map<string, SideTask>()),
  );
  const [first] = maps;
  return [...first.keys()].filter((hash) => maps.every((tasks) => tasks.has(hash))).sort();
}

/** Returns [task][side][budget] shares of solved episodes. */
export function tabulate(
  sides: readonly ChainSide[],
  tasks: readonly string[],
  budgets: readonly number[],
): Float64Array {
  const values = new Float64Array(tasks.length * sides.length * budgets.length);
  let at = 0;
  for (const hash of tasks) {
    for (const side of sides) {
      for (const budget of budgets) {
        const task = side.byLimit.get(findLimit(side, budget))?.get(hash);
        values[at] = task === undefined ? 0 : solvedShare(task, budget);
        at += 1;
      }
    }
  }
  return values;
}

/** How the mean of task values is estimated. */
export interface TaskMeanOptions {
  readonly level: number;
  /** At least 100 are drawn. */
  readonly replicates: number;
  readonly seed: number;
}

/** Families of the tasks behind values; without them every task stands alone. */
export interface TaskFamilies {
  /** [task] number of its family. */
  readonly familyOf: Int32Array;
  readonly familyCount: number;
}

/** Returns the family of each task, as a side names them at a budget, numbered in order of first appearance. */
export function numberFamilies(side: ChainSide, tasks: readonly string[], budget: number): TaskFamilies {
  const found = side.byLimit.get(findLimit(side, budget));
  const numbers = new Map<string, number>();
  const familyOf = Int32Array.from(tasks, (hash) => {
    const family = found?.get(hash)?.family;
    const name = family === undefined ? `task:${hash}` : `family:${family}`;
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
  return { familyOf, familyCount: numbers.size };
}

/**
 * Returns the means over tasks of values [task][cell] with bootstrap intervals over tasks (families), and a band over all
 * cells that is widened for few of them. At least 100 resamples are drawn. Cells that never vary get neither.
 */
export function estimateTaskMeans(
  values: Float64Array,
  cellCount: number,
  { familyOf, familyCount }: TaskFamilies,
  { level, replicates, seed }: TaskMeanOptions,
): Estimate[] {
  const taskCount = values.length / cellCount;
  const input = { values, taskCount, cellCount, clusters: familyOf };
  const { mean, standardError, lower, upper, criticalValue, method } = bootstrapMeans(input, {
    level,
    seed,
    replicates: Math.max(100, replicates),
  });
  return Array.from(mean, (value, cell): Estimate => {
    if (familyCount < 2) return { value, taskCount };
    const error = standardError[cell];
    if (error === 0 || criticalValue === undefined) return { value, taskCount, standardError: 0 };
    const half = widenForFewUnits(criticalValue, familyCount) * error;
    return {
      value,
      taskCount,
      standardError: error,
      interval: { lower: lower[cell], upper: upper[cell], level, method },
      band: { lower: Math.max(-1, value - half), upper: Math.min(1, value + half), level, method },
    };
  });
}

/** Returns the mean of one value a task with its bootstrap interval over tasks. */
export function estimateTaskMean(values: Float64Array, options: TaskMeanOptions): Estimate {
  const taskCount = values.length;
  const alone = { familyOf: Int32Array.from(values.keys()), familyCount: taskCount };
  const [{ band: _of, ...estimate }] = estimateTaskMeans(values, 1, alone, options);
  return estimate;
}
