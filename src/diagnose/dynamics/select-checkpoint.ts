import { createRandom, type DynamicsSelection } from "../../core/index.js";
import { estimateRatio, type UnitDraws } from "../signals/task-draws.js";

/** Success of every checkpoint by task and T. */
export interface SelectionData {
  /** [checkpoint][budget][task] in 0..1. */
  readonly values: readonly (readonly Float64Array[])[];
  readonly labels: readonly string[];
  readonly budgets: readonly number[];
  /** [task] */
  readonly unitOfTask: readonly number[];
  readonly unitCount: number;
}

/** Options of {@linkcode selectCheckpoints}. */
export interface SelectionOptions {
  readonly seed: number;
  readonly draws: UnitDraws;
  /** Random halvings; default 200. The first one gives the figures, all give the mean optimism. */
  readonly splits?: number;
}

/** Returns [task] whether it is a selection task in halving number `split`. */
function halve(data: SelectionData, seed: number, split: number): boolean[] {
  const order = createRandom(seed, "checkpoint selection", split).shuffle(
    Array.from({ length: data.unitCount }, (_unused, unit) => unit),
  );
  const chosen = new Set(order.slice(0, Math.ceil(data.unitCount / 2)));
  return data.unitOfTask.map((unit) => chosen.has(unit));
}

function meanOver(values: Float64Array, isTaken: (task: number) => boolean): number {
  let sum = 0;
  let count = 0;
  values.forEach((value, task) => {
    if (!isTaken(task)) return;
    sum += value;
    count += 1;
  });
  return sum / count;
}

function chooseBest(
  data: SelectionData,
  budget: number,
  isSelection: readonly boolean[],
): { readonly best: number; readonly value: number } {
  let best = 0;
  let value = -Infinity;
  for (const [checkpoint, byBudget] of data.values.entries()) {
    const mean = meanOver(byBudget[budget], (task) => isSelection[task]);
    if (mean > value) [best, value] = [checkpoint, mean];
  }
  return { best, value };
}

/**
 * Chooses the best checkpoint at each T on one half of the tasks and judges it on the other. The success it was chosen
 * by is too high on average (winner's curse), the more so the more checkpoints and the fewer tasks: the mean over random
 * halvings of the two figures' difference shows by how much. Families stay on one side. `undefined` with fewer than 4
 * tasks or families.
 *
 * @throws {RangeError} without a checkpoint.
 */
export function selectCheckpoints(
  data: SelectionData,
  { seed, draws, splits = 200 }: SelectionOptions,
):
  | {
      readonly selectionTasks: number;
      readonly reportTasks: number;
      readonly splits: number;
      readonly rows: DynamicsSelection[];
    }
  | undefined {
  if (data.values.length === 0) throw new RangeError("Cannot select a checkpoint: none was given");
  if (data.unitCount < 4) return undefined;
  const halvings = Array.from({ length: splits }, (_unused, split) => halve(data, seed, split));
  const [primary] = halvings;
  const rows = data.budgets.map((maxTurns, budget): DynamicsSelection => {
    const { best, value } = chooseBest(data, budget, primary);
    const above = new Float64Array(data.unitCount);
    const below = new Float64Array(data.unitCount);
    data.unitOfTask.forEach((unit, task) => {
      if (primary[task]) return;
      above[unit] += data.values[best][budget][task];
      below[unit] += 1;
    });
    let optimism = 0;
    let agreed = 0;
    for (const isSelection of halvings) {
      const other = chooseBest(data, budget, isSelection);
      optimism += (other.value - meanOver(data.values[other.best][budget], (task) => !isSelection[task])) / splits;
      if (other.best === best) agreed += 1;
    }
    const reportValue = estimateRatio(above, below, draws);
    if (reportValue === undefined) throw new RangeError("Cannot judge a checkpoint without report tasks");
    return {
      maxTurns,
      chosen: data.labels[best],
      selectionValue: value,
      reportValue,
      optimism,
      agreement: agreed / splits,
    };
  });
  const selectionTasks = primary.filter(Boolean).length;
  return { selectionTasks, reportTasks: primary.length - selectionTasks, splits, rows };
}
