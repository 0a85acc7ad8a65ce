/** A value for each task and cell, and the families tasks belong to. */
export interface TaskValues {
  /** [task][cell], row-major: the value of cell j for task i is at i * cellCount + j. */
  readonly values: Float64Array | readonly number[];
  readonly taskCount: number;
  readonly cellCount: number;
  /** [task] family of each task, any whole numbers; each task is its own family when absent. Families are resampled. */
  readonly clusters?: Int32Array | readonly number[];
}
