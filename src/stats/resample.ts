// internal
import { createRandom } from "../core/index.js";
import { createSimdKernel } from "./simd-kernel.js";
import { createPortableKernel, tileCells, tileReplicates, type TileKernel } from "./tile-kernel.js";
import type { Units } from "./units.js";

/** Replicates that share one random stream and pass through the values together; their counts fit the second-level cache. */
const blockSize = 32;
/** Multiplications from which the set-up of the vector kernel, some memory and a compilation, is worth it. */
const simdFrom = 3e7;

/**
 * Returns [cell][replicate] means of resampled units. Units are drawn with replacement, and a mean is the sum of values
 * over the number of tasks drawn, so large families weigh by their size. The replicates are the product of a
 * count matrix and the values, made tile by tile: counts live for one block only, and the result is all that grows
 * with the number of replicates. Each block has a stream of its own, so the first replicates do not depend on how many follow.
 */
export function resampleMeans(
  units: Units,
  replicates: number,
  seed: number,
  kernel: TileKernel = chooseKernel(units, replicates),
): Float64Array {
  const { unitCount, cellCount, sizes, taskCount, isBalanced } = units;
  const { counts, tile } = kernel;
  fillPanels(kernel.panels, units);
  const means = new Float64Array(cellCount * replicates);
  const divisors = new Float64Array(blockSize).fill(taskCount);
  for (let first = 0; first < replicates; first += blockSize) {
    drawCounts(counts, unitCount, seed, first / blockSize);
    if (!isBalanced) sumSizes(counts, sizes, divisors);
    const end = Math.min(blockSize, replicates - first);
    for (let cell = 0; cell < cellCount; cell += tileCells) {
      for (let r = 0; r < end; r += tileReplicates) {
        kernel.multiply(r / tileReplicates, cell / tileCells);
        storeTile(tile, means, { cell, cellCount, replicate: first + r, replicates, divisors, divisor: r });
      }
    }
  }
  return means;
}

/** Returns the fastest kernel that is worth its set-up. */
export function chooseKernel({ unitCount, cellCount }: Units, replicates: number): TileKernel {
  const shape = [unitCount, blockSize / tileReplicates, Math.ceil(cellCount / tileCells)] as const;
  const simd = unitCount * cellCount * replicates < simdFrom ? undefined : createSimdKernel(...shape);
  return simd ?? createPortableKernel(...shape);
}

/** Writes the sums in the order in which tiles read them. */
function fillPanels(panels: Float64Array, { unitCount, cellCount, sums }: Units): void {
  for (let unit = 0; unit < unitCount; unit += 1) {
    for (let cell = 0; cell < cellCount; cell += 1) {
      const panel = Math.floor(cell / tileCells);
      panels[(panel * unitCount + unit) * tileCells + (cell % tileCells)] = sums[unit * cellCount + cell];
    }
  }
}

/**
 * Fills [group][unit][replicate] with how often each replicate of a block drew each unit. The generator is core's
 * xoshiro128**, seeded by core, with its state kept in local variables: a call for each of millions of draws costs as
 * much as the product. Lemire's multiplication with rejection gives exactly uniform units (up to 2^21 of them; beyond, the
 * product rounds and a unit is off by less than one part in 2^32).
 */
function drawCounts(groups: readonly Float64Array[], unitCount: number, seed: number, block: number): void {
  const random = createRandom(seed, "bootstrap", block);
  let a = random.nextUint32() | 0;
  let b = random.nextUint32() | 0;
  let c = random.nextUint32() | 0;
  let d = random.nextUint32() | 1; // an odd word keeps the state off the generator's fixed point, all zeros
  const biased = 2 ** 32 % unitCount;
  for (const counts of groups) {
    counts.fill(0);
    for (let replicate = 0; replicate < tileReplicates; replicate += 1) {
      for (let drawn = 0; drawn < unitCount;) {
        const scrambled = Math.imul(b, 5);
        const bits = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
        const shifted = b << 9;
        c ^= a;
        d ^= b;
        b ^= c;
        a ^= d;
        c ^= shifted;
        d = (d << 11) | (d >>> 21);
        const product = bits * unitCount;
        const unit = Math.floor(product / 4294967296);
        if (product - unit * 4294967296 < biased) continue;
        counts[unit * tileReplicates + replicate] += 1;
        drawn += 1;
      }
    }
  }
}

/** Fills [replicate] with the number of tasks each replicate drew. */
function sumSizes(groups: readonly Float64Array[], sizes: Float64Array, divisors: Float64Array): void {
  divisors.fill(0);
  groups.forEach((counts, group) => {
    for (let i = 0; i < counts.length; i += 1) {
      const replicate = group * tileReplicates + (i % tileReplicates);
      divisors[replicate] += counts[i] * sizes[Math.floor(i / tileReplicates)];
    }
  });
}

/** Where a tile belongs in the result. */
interface TilePlace {
  readonly cell: number;
  readonly cellCount: number;
  readonly replicate: number;
  readonly replicates: number;
  readonly divisors: Float64Array;
  readonly divisor: number;
}

/** Writes the means of a tile, leaving out the cells and replicates that only fill it up. */
function storeTile(tile: Float64Array, means: Float64Array, place: TilePlace): void {
  const { cell, cellCount, replicate, replicates, divisors, divisor } = place;
  const cells = Math.min(tileCells, cellCount - cell);
  const rows = Math.min(tileReplicates, replicates - replicate);
  for (let j = 0; j < cells; j += 1) {
    for (let r = 0; r < rows; r += 1) {
      means[(cell + j) * replicates + replicate + r] = tile[r * tileCells + j] / divisors[divisor + r];
    }
  }
}
