// internal
import type { TaskValues } from "./task-values.js";

/** What is resampled: a unit is a task or a family of tasks. */
export interface Units {
  readonly unitCount: number;
  readonly cellCount: number;
  /** [unit][cell] sums of the values of a unit's tasks. */
  readonly sums: ArrayLike<number>;
  /** [unit] tasks in each unit. */
  readonly sizes: Float64Array;
  readonly taskCount: number;
  /** Whether all units have the same number of tasks. */
  readonly isBalanced: boolean;
  /** [cell] mean over tasks. */
  readonly mean: Float64Array;
  /** [cell] largest absolute value. */
  readonly scale: Float64Array;
}

/**
 * Returns the resampling units of task values: sums and sizes by family, in order of each family's first task.
 * Throws a `RangeError` when the lengths do not agree, there is no task or no cell, or a value is not finite.
 */
export function collectUnits(input: TaskValues): Units {
  checkTaskValues(input);
  const { values, taskCount, cellCount, clusters } = input;
  const { unitOfTask, unitCount } = numberUnits(taskCount, clusters);
  const sizes = new Float64Array(unitCount);
  const mean = new Float64Array(cellCount);
  const scale = new Float64Array(cellCount);
  const sums = clusters === undefined ? values : new Float64Array(unitCount * cellCount);
  for (let task = 0; task < taskCount; task += 1) {
    const unit = unitOfTask[task];
    sizes[unit] += 1;
    for (let cell = 0; cell < cellCount; cell += 1) {
      const value = values[task * cellCount + cell];
      mean[cell] += value;
      scale[cell] = Math.max(scale[cell], Math.abs(value));
      if (sums !== values) (sums as Float64Array)[unit * cellCount + cell] += value; // made above, so writable
    }
  }
  for (let cell = 0; cell < cellCount; cell += 1) mean[cell] /= taskCount;
  const isBalanced = sizes.every((size) => size === sizes[0]);
  return { unitCount, cellCount, sums, sizes, taskCount, isBalanced, mean, scale };
}

/**
 * Returns [unit][cell] how far each unit pulls a cell's mean: (sum of the unit) - size x mean. The mean of a resample
 * with counts w differs from the mean by sum(w pull) / sum(w size). Cells in which no unit pulls, up to rounding,
 * are exactly 0, so that rounding is never taken for variance.
 */
export function computePulls({ unitCount, cellCount, sums, sizes, mean, scale }: Units): Float64Array {
  const pulls = new Float64Array(unitCount * cellCount);
  for (let cell = 0; cell < cellCount; cell += 1) {
    let isConstant = true;
    for (let unit = 0; unit < unitCount; unit += 1) {
      const pull = sums[unit * cellCount + cell] - sizes[unit] * mean[cell];
      pulls[unit * cellCount + cell] = pull;
      if (Math.abs(pull) > 1e-12 * scale[cell] * sizes[unit]) isConstant = false;
    }
    if (isConstant) for (let unit = 0; unit < unitCount; unit += 1) pulls[unit * cellCount + cell] = 0;
  }
  return pulls;
}

/** Returns the index of each task's unit, numbered in order of first appearance. */
function numberUnits(taskCount: number, clusters: TaskValues["clusters"]) {
  const unitOfTask = new Int32Array(taskCount);
  if (clusters === undefined) return { unitOfTask: unitOfTask.map((_, task) => task), unitCount: taskCount };
  const numbers = new Map<number, number>();
  for (let task = 0; task < taskCount; task += 1) {
    const known = numbers.get(clusters[task]);
    unitOfTask[task] = known ?? numbers.size;
    if (known === undefined) numbers.set(clusters[task], numbers.size);
  }
  return { unitOfTask, unitCount: numbers.size };
}

function checkTaskValues({ values, taskCount, cellCount, clusters }: TaskValues): void {
  if (!Number.isInteger(taskCount) || taskCount < 1 || !Number.isInteger(cellCount) || cellCount < 1) {
    throw new RangeError(`Cannot resample ${taskCount} tasks x ${cellCount} cells: both must be whole numbers above 0`);
  }
  if (values.length !== taskCount * cellCount) {
    throw new RangeError(`Cannot resample ${taskCount} tasks x ${cellCount} cells from ${values.length} values`);
  }
  if (clusters !== undefined && clusters.length !== taskCount) {
    throw new RangeError(`Cannot resample families as each of ${taskCount} tasks needs one: found ${clusters.length}`);
  }
  for (let i = 0; i < values.length; i += 1) {
    if (!Number.isFinite(values[i])) {
      const place = `task ${Math.floor(i / cellCount)}, cell ${i % cellCount}`;
      throw new RangeError(`Cannot resample values that are not finite: ${place} is ${values[i]}`);
    }
  }
}
