import type { BudgetResponse } from "../../core/index.js";
import type { ChainSide, SideTask } from "./chain-side.js";
import { compareFirstActions } from "./first-actions.js";
import { modeStride, outcomeIndex } from "./mode-chain.js";
import { estimateTaskMean, type TaskMeanOptions } from "./played-cells.js";

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the slope of a least-squares line. */
function slopeOf(xs: readonly number[], ys: readonly number[]): number {
  const [x0, y0] = [meanOf(xs), meanOf(ys)];
  const spread = xs.reduce((sum, x) => sum + (x - x0) ** 2, 0);
  return spread === 0 ? 0 : xs.reduce((sum, x, i) => sum + (x - x0) * (ys[i] - y0), 0) / spread;
}

function quitShare({ episodes }: SideTask): number {
  return meanOf(episodes.map((events) => (events[events.length - 1] % modeStride === outcomeIndex.quit ? 1 : 0)));
}

/**
 * Returns how a policy that is told its budget responds to it: by budget the turns used, the share that quits and how far
 * first actions are from those at the smallest budget, and the slope of turns used on the logarithm of the budget, task
 * by task. The p value is of first actions having nothing to do with whether the budget is the smallest or the largest.
 * A longer budget leaves more room, so turns used grow for a policy that ignores it too: first actions are the clean test.
 * `undefined` for a hidden budget or fewer than two budgets.
 */
export function measureBudgetResponse(
  policy: "a" | "b",
  side: ChainSide,
  options: TaskMeanOptions,
): BudgetResponse | undefined {
  const budgets = [...side.byLimit.keys()].filter((limit) => limit > 0 && Number.isFinite(limit)).sort((x, y) => x - y);
  if (side.disclosure === "hidden" || budgets.length < 2) return undefined;
  const maps = budgets.map((budget) => side.byLimit.get(budget) ?? new Map<string, SideTask>());
  const hashes = [...maps[0].keys()].filter((hash) => maps.every((tasks) => tasks.has(hash))).sort();
  if (hashes.length === 0) return undefined;
  const [smallest] = maps;
  const read = <Value>(tasks: ReadonlyMap<string, SideTask>, get: (task: SideTask) => Value): Value[] =>
    hashes.flatMap((hash) => [tasks.get(hash)].filter((task) => task !== undefined).map(get));
  const pairWith = (tasks: ReadonlyMap<string, SideTask>) => {
    const left = read(smallest, (task) => task.firstActions);
    return read(tasks, (task) => task.firstActions).map((right, index) => ({ left: left[index], right }));
  };
  const turns = maps.map((tasks) => read(tasks, (task) => meanOf(task.lengths)));
  const slopes = Float64Array.from(hashes.keys(), (index) =>
    slopeOf(
      budgets.map(Math.log2),
      turns.map((one) => one[index]),
    ),
  );
  return {
    policy,
    rows: budgets.map((maxTurns, index) => ({
      maxTurns,
      meanTurns: meanOf(turns[index]),
      quitShare: meanOf(read(maps[index], quitShare)),
      firstActionDistance: compareFirstActions(pairWith(maps[index]), options.seed, 0).distance,
    })),
    turnsPerDoubling: estimateTaskMean(slopes, options),
    firstActionP: compareFirstActions(pairWith(maps[maps.length - 1]), options.seed).pValue,
  };
}
