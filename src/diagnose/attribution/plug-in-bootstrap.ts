import { createRandom } from "../../core/index.js";
import type { ChainData } from "./chain-data.js";
import { chooseClasses, fitLatentClasses, type ClassChoice, type LatentClasses } from "./latent-classes.js";
import { computeCells, countSupport, weighCounts } from "./plug-in.js";

/** The eight cells from logs with their bootstrap replicates. */
export interface PlugInEstimate {
  /** [cell][T - 1] */
  readonly values: Float64Array;
  /** [cell][T - 1] from one chain for all tasks. */
  readonly pooledValues: Float64Array;
  /** [replicate] -> [cell][T - 1] */
  readonly replicates: readonly Float64Array[];
  /** [T - 1] largest share over the six hybrids of turns that rest on thin cells of their class. */
  readonly thinShares: Float64Array;
  readonly fit: LatentClasses;
  readonly tried: readonly ClassChoice[];
}

/** Options of {@linkcode estimatePlugIn}. */
export interface PlugInOptions {
  readonly seed: number;
  /** Bootstrap refits; 0 for none. */
  readonly replicates: number;
  /** Most classes tried; default 6. */
  readonly maxClasses?: number;
  /** Most EM steps of a refit, which begins at the data's own fit; default 50. */
  readonly refitIterations?: number;
}

/** Returns [task] how often each task counts in one resample of families. The same seed and draw give the same resample. */
export function drawTaskWeights(
  { familyOf, familyCount, taskCount }: Pick<ChainData, "familyOf" | "familyCount" | "taskCount">,
  seed: number,
  replicate: number,
): Float64Array {
  const random = createRandom(seed, "attribution", replicate);
  const counts = new Float64Array(familyCount);
  for (let drawn = 0; drawn < familyCount; drawn += 1) counts[random.nextInt(familyCount)] += 1;
  const weights = new Float64Array(taskCount);
  for (let task = 0; task < taskCount; task += 1) weights[task] = counts[familyOf[task]];
  return weights;
}

/**
 * Estimates the eight cells from logs by a latent-class chain. The number of classes is chosen once by BIC; each
 * bootstrap draw resamples tasks (or families), refits the classes from a warm start and reads the cells anew.
 */
export function estimatePlugIn(data: ChainData, options: PlugInOptions): PlugInEstimate {
  const { seed, replicates, maxClasses, refitIterations = 50 } = options;
  const { maxTurns } = data;
  const { fit, tried } = chooseClasses(data, maxClasses);
  const cells = computeCells(weighCounts(data, fit), maxTurns, countSupport(data, fit));
  const one = { classCount: 1, memberships: new Float64Array(data.taskCount).fill(1) };
  const thinShares = new Float64Array(maxTurns);
  for (let t = 0; t < maxTurns; t += 1) {
    for (let cell = 1; cell < 7; cell += 1)
      thinShares[t] = Math.max(thinShares[t], cells.thinShares[cell * maxTurns + t]);
  }
  const drawn: Float64Array[] = [];
  for (let replicate = 0; replicate < replicates; replicate += 1) {
    const taskWeights = drawTaskWeights(data, seed, replicate);
    const refit = fitLatentClasses(data, fit.classCount, {
      taskWeights,
      start: fit,
      maxIterations: refitIterations,
      tolerance: 1e-2,
    });
    drawn.push(computeCells(weighCounts(data, refit, taskWeights), maxTurns).values);
  }
  return {
    values: cells.values,
    pooledValues: computeCells(weighCounts(data, one), maxTurns).values,
    replicates: drawn,
    thinShares,
    fit,
    tried,
  };
}
