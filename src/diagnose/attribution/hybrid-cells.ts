import { drawTaskWeights } from "./plug-in-bootstrap.js";

/** Success of eight played cells, by task and budget. */
export interface HybridOutcomes {
  readonly taskCount: number;
  readonly budgetCount: number;
  /** [task][cell][budget] mean success over the task's episodes of the cell. */
  readonly values: Float64Array;
  /** [task] number of its family. */
  readonly familyOf: Int32Array;
  readonly familyCount: number;
}

/** Means of played cells with their bootstrap replicates. */
export interface HybridEstimate {
  /** [budget][cell] */
  readonly values: number[][];
  /** [budget][replicate][cell] */
  readonly replicates: number[][][];
}

/**
 * Returns the means over tasks of the eight cells at each budget, and of resamples of tasks (families) that keep all
 * cells of a task together, so that Shapley shares of a resample are paired.
 */
export function estimateHybridCells(
  outcomes: HybridOutcomes,
  { seed, replicates }: { readonly seed: number; readonly replicates: number },
): HybridEstimate {
  const { taskCount, budgetCount, values } = outcomes;
  const width = 8 * budgetCount;
  const mean = (weights: Float64Array | undefined): number[][] => {
    const sums = new Float64Array(width);
    let total = 0;
    for (let task = 0; task < taskCount; task += 1) {
      const weight = weights === undefined ? 1 : weights[task];
      if (weight === 0) continue;
      total += weight;
      for (let j = 0; j < width; j += 1) sums[j] += weight * values[task * width + j];
    }
    return Array.from({ length: budgetCount }, (_unused, budget) =>
      Array.from({ length: 8 }, (_cell, cell) => sums[cell * budgetCount + budget] / total),
    );
  };
  const drawn = Array.from({ length: replicates }, (_unused, r) => mean(drawTaskWeights(outcomes, seed, r)));
  return {
    values: mean(undefined),
    replicates: Array.from({ length: budgetCount }, (_unused, budget) => drawn.map((cells) => cells[budget])),
  };
}
