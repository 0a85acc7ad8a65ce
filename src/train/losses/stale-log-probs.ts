import type { TrainingRow } from "../../core/index.js";
import { listTrained } from "./row-loss.js";

/** A token whose log-probability at sampling is not that of the policy now. */
export interface StaleToken {
  readonly row: number;
  readonly position: number;
  /** |ratio - 1|. */
  readonly error: number;
}

/**
 * Returns the trained tokens whose ratio is off 1 by more than `tolerance`, the worst first. Before the first optimiser
 * step on fresh rollouts there must be none: otherwise log-probabilities were recorded under another mask,
 * temperature or set of weights, or belong to other tokens. A ratio that is not a number counts as infinitely off.
 *
 * @param logProbs [row][token] of the policy that is about to be updated.
 */
export function findStaleLogProbs(
  rows: readonly TrainingRow[],
  logProbs: readonly (readonly number[])[],
  tolerance: number,
): StaleToken[] {
  return rows
    .flatMap((row, index) =>
      listTrained(row).map((position): StaleToken => {
        const error = Math.abs(Math.expm1(logProbs[index][position] - row.sampledLogProbs[position]));
        return { row: index, position, error: Number.isNaN(error) ? Infinity : error };
      }),
    )
    .filter(({ error }) => error > tolerance)
    .sort((a, b) => (a.error === b.error ? 0 : b.error - a.error));
}
