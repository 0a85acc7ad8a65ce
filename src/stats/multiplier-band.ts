import { createRandom } from "../core/index.js";
import type { SurfaceIntervals } from "./bootstrap.js";
import { normalQuantile } from "./distributions.js";
import { checkLevel } from "./level.js";
import { quantileOfSorted } from "./quantile.js";
import type { TaskValues } from "./task-values.js";
import { collectUnits, computePulls } from "./units.js";

/** Options of {@linkcode multiplierBand}. */
export interface MultiplierOptions {
  readonly seed: number;
  /** Draws, 10,000 by default, at least 100. */
  readonly replicates?: number;
  /** .95 by default. */
  readonly level?: number;
}

/**
 * Returns means, normal pointwise intervals and a sup-t band by the Gaussian multiplier bootstrap: each task's (or
 * family's) deviation from the mean is multiplied by a standard normal and averaged (Chernozhukov, Chetverikov and Kato
 * 2013). Given the data such averages are exactly jointly normal with the deviations' covariance, so they are drawn
 * from its Cholesky factor: the cost is tasks x cells^2/2 once, and replicates x cells x rank/2, however many tasks there are,
 * and no replicate is kept. Variances carry the factor units/(units - 1). The field meanings are those of
 * {@linkcode bootstrapMeans}; pointwise intervals are symmetric and can leave [0, 1], where percentile ones cannot.
 * Use it for speed; with few tasks or cells near 0 or 1 prefer the bootstrap.
 * Throws a `RangeError` for unusable values or options.
 */
export function multiplierBand(input: TaskValues, options: MultiplierOptions): SurfaceIntervals {
  const { seed, replicates = 10_000, level = 0.95 } = options;
  checkLevel(level);
  if (!Number.isInteger(replicates) || replicates < 100) {
    throw new RangeError(`Cannot draw a band as at least 100 replicates are needed: current count is ${replicates}`);
  }
  const units = collectUnits(input);
  const { mean, unitCount, cellCount, taskCount } = units;
  const covariance = multiplySelf(computePulls(units), unitCount, cellCount);
  const factor = unitCount > 1 ? unitCount / (unitCount - 1) / taskCount ** 2 : 0;
  const standardError = mean.map((_, cell) => Math.sqrt(factor * covariance[cell * cellCount + cell]));
  const root = factorCorrelation(covariance, cellCount);
  const maxima = root.length === 0 || factor === 0 ? undefined : drawMaxima(root, replicates, seed);
  const criticalValue = maxima && quantileOfSorted(maxima.sort(), level);
  const z = normalQuantile(0.5 + level / 2);
  const shift = (width: number) => mean.map((value, cell) => value + width * standardError[cell]);
  return {
    mean,
    standardError,
    lower: shift(-z),
    upper: shift(z),
    bandLower: shift(-(criticalValue ?? 0)),
    bandUpper: shift(criticalValue ?? 0),
    criticalValue,
    unitCount,
    level,
    method: "task_multiplier",
  };
}

/** Returns [cell][cell] the product of the pulls with themselves over units; both triangles are filled. */
function multiplySelf(pulls: Float64Array, unitCount: number, cellCount: number): Float64Array {
  const product = new Float64Array(cellCount * cellCount);
  for (let unit = 0; unit < unitCount; unit += 1) {
    const row = pulls.subarray(unit * cellCount, (unit + 1) * cellCount);
    for (let i = 0; i < cellCount; i += 1) {
      const pull = row[i];
      if (pull === 0) continue;
      for (let j = 0, at = i * cellCount; j <= i; j += 1) product[at + j] += pull * row[j];
    }
  }
  for (let i = 0; i < cellCount; i += 1) {
    for (let j = 0; j < i; j += 1) product[j * cellCount + i] = product[i * cellCount + j];
  }
  return product;
}

/**
 * Returns the rows of a pivoted Cholesky factor of the correlations of cells that vary, in pivot order: row r holds r + 1
 * numbers or as many as the rank. Surfaces over k are close to linearly dependent; the factor stops when no
 * cell has more than 1e-10 of its variance left unexplained, which a band cannot show.
 */
function factorCorrelation(covariance: Float64Array, cellCount: number): Float64Array[] {
  const cells = Array.from({ length: cellCount }, (_, cell) => cell).filter(
    (cell) => covariance[cell * cellCount + cell] > 0,
  );
  const deviation = cells.map((cell) => Math.sqrt(covariance[cell * cellCount + cell]));
  const rows = cells.map(() => new Float64Array(cells.length));
  const left = cells.map(() => 1);
  const order = cells.map((_, index) => index);
  let rank = 0;
  while (rank < cells.length) {
    let best = rank;
    for (let i = rank + 1; i < order.length; i += 1) if (left[order[i]] > left[order[best]]) best = i;
    if (left[order[best]] < 1e-10) break;
    [order[rank], order[best]] = [order[best], order[rank]];
    const pivot = order[rank];
    const diagonal = Math.sqrt(left[pivot]);
    rows[pivot][rank] = diagonal;
    for (let i = rank + 1; i < order.length; i += 1) {
      const cell = order[i];
      let rest = covariance[cells[cell] * cellCount + cells[pivot]] / (deviation[cell] * deviation[pivot]);
      for (let r = 0; r < rank; r += 1) rest -= rows[cell][r] * rows[pivot][r];
      rows[cell][rank] = rest / diagonal;
      left[cell] -= rows[cell][rank] ** 2;
    }
    rank += 1;
  }
  return order.map((cell, position) => rows[cell].slice(0, Math.min(position + 1, rank)));
}

/** Returns [replicate] the largest absolute value of correlated standard normals. */
function drawMaxima(root: readonly Float64Array[], replicates: number, seed: number): Float64Array {
  const random = createRandom(seed, "multiplier");
  const normals = new Float64Array(root[root.length - 1].length);
  return new Float64Array(replicates).map(() => {
    for (let i = 0; i < normals.length; i += 1) normals[i] = random.nextNormal();
    let largest = 0;
    for (const row of root) {
      let sum = 0;
      for (let i = 0; i < row.length; i += 1) sum += row[i] * normals[i];
      largest = Math.max(largest, Math.abs(sum));
    }
    return largest;
  });
}
