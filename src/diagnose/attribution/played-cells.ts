import type { Estimate } from "../../core/index.js";
import { bootstrapMeans } from "../../stats/index.js";
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

/** Returns the mean of one value a task with its bootstrap interval over tasks. */
export function estimateTaskMean(values: Float64Array, { level, replicates, seed }: TaskMeanOptions): Estimate {
  const taskCount = values.length;
  if (taskCount < 2) return { value: values[0], taskCount };
  const { mean, standardError, lower, upper, method } = bootstrapMeans(
    { values, taskCount, cellCount: 1 },
    { level, seed, replicates: Math.max(100, replicates) },
  );
  const estimate = { value: mean[0], taskCount, standardError: standardError[0] };
  return standardError[0] === 0
    ? estimate
    : { ...estimate, interval: { lower: lower[0], upper: upper[0], level, method } };
}
