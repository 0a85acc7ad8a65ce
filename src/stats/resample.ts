// internal
import { createRandom } from "../core/index.js";
import type { Units } from "./units.js";

/** Replicates that share one random stream and pass through the values together; the counts of a block fill 2nd level cache. */
const blockSize = 32;
/** Replicates and cells of one tile: 12 sums fit the floating-point registers of common processors. */
const tileReplicates = 4;
const tileCells = 3;

/**
 * Returns [cell][replicate] means of resampled units. Units are drawn with replacement, and a mean is the sum of values
 * over the number of tasks drawn, so large families weigh by their size. The replicates are the product of a
 * count matrix and the values, made tile by tile: counts live for one block only, and the result is all that grows
 * with the number of replicates. Each block has a stream of its own, so the first replicates do not depend on how many follow.
 */
export function resampleMeans(units: Units, replicates: number, seed: number): Float64Array {
  const { unitCount, cellCount, sizes, taskCount, isBalanced } = units;
  const panels = packPanels(units);
  const means = new Float64Array(cellCount * replicates);
  const groups = Array.from({ length: blockSize / tileReplicates }, () => new Float64Array(unitCount * tileReplicates));
  const divisors = new Float64Array(blockSize).fill(taskCount);
  const tile = new Float64Array(tileReplicates * tileCells);
  for (let first = 0; first < replicates; first += blockSize) {
    drawCounts(groups, unitCount, seed, first / blockSize);
    if (!isBalanced) sumSizes(groups, sizes, divisors);
    const end = Math.min(blockSize, replicates - first);
    for (let cell = 0; cell < cellCount; cell += tileCells) {
      for (let r = 0; r < end; r += tileReplicates) {
        multiplyTile(groups[r / tileReplicates], panels, cell * unitCount, tile);
        storeTile(tile, means, { cell, cellCount, replicate: first + r, replicates, divisors, divisor: r });
      }
    }
  }
  return means;
}

/** Returns the sums in the order in which tiles read them: [panel of 3 cells][unit][cell], filled up with zeros. */
function packPanels({ unitCount, cellCount, sums }: Units): Float64Array {
  const panelCount = Math.ceil(cellCount / tileCells);
  const panels = new Float64Array(panelCount * unitCount * tileCells);
  for (let unit = 0; unit < unitCount; unit += 1) {
    for (let cell = 0; cell < cellCount; cell += 1) {
      const panel = Math.floor(cell / tileCells);
      panels[(panel * unitCount + unit) * tileCells + (cell % tileCells)] = sums[unit * cellCount + cell];
    }
  }
  return panels;
}

/**
 * Fills [group][unit][replicate] with how often each replicate of a block drew each unit. The generator is core's
 * xoshiro128**, seeded by core, with its state kept in local variables: a call for each of millions of draws costs as
 * much as the product. Lemire's multiplication with rejection gives exactly uniform units.
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

/** Computes the sums of 4 replicates in 3 cells, unrolled so that they stay in registers: the whole cost of a bootstrap. */
function multiplyTile(counts: Float64Array, panels: Float64Array, offset: number, tile: Float64Array): void {
  let a0 = 0,
    a1 = 0,
    a2 = 0; // one line a replicate
  let b0 = 0,
    b1 = 0,
    b2 = 0;
  let c0 = 0,
    c1 = 0,
    c2 = 0;
  let d0 = 0,
    d1 = 0,
    d2 = 0;
  for (let i = 0, v = offset; i < counts.length; i += 4, v += 3) {
    const x = panels[v];
    const y = panels[v + 1];
    const z = panels[v + 2];
    const a = counts[i];
    const b = counts[i + 1];
    const c = counts[i + 2];
    const d = counts[i + 3];
    a0 += a * x;
    a1 += a * y;
    a2 += a * z;
    b0 += b * x;
    b1 += b * y;
    b2 += b * z;
    c0 += c * x;
    c1 += c * y;
    c2 += c * z;
    d0 += d * x;
    d1 += d * y;
    d2 += d * z;
  }
  tile[0] = a0;
  tile[1] = a1;
  tile[2] = a2;
  tile[3] = b0;
  tile[4] = b1;
  tile[5] = b2;
  tile[6] = c0;
  tile[7] = c1;
  tile[8] = c2;
  tile[9] = d0;
  tile[10] = d1;
  tile[11] = d2;
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
