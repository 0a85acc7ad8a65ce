// internal
/** Replicates of one tile. */
export const tileReplicates = 4;
/** Cells of one tile, and of one panel of values. */
export const tileCells = 6;

/**
 * Memory and arithmetic for the product of a block of counts with values. All kernels add in the same order, so they give
 * the same bytes.
 */
export interface TileKernel {
  /** [group][unit][replicate] counts, to be filled by the caller; a group is 4 replicates. */
  readonly counts: readonly Float64Array[];
  /** [panel][unit][cell] values, to be filled by the caller; a panel is 6 cells, filled up with zeros. */
  readonly panels: Float64Array;
  /** [replicate][cell] sums of the tile computed last. */
  readonly tile: Float64Array;
  /** Computes the sums over units of one group in one panel. */
  multiply(group: number, panel: number): void;
}

/** Returns a kernel that runs everywhere. */
export function createPortableKernel(unitCount: number, groupCount: number, panelCount: number): TileKernel {
  const counts = Array.from({ length: groupCount }, () => new Float64Array(unitCount * tileReplicates));
  const panels = new Float64Array(panelCount * unitCount * tileCells);
  const tile = new Float64Array(tileReplicates * tileCells);
  return {
    counts,
    panels,
    tile,
    multiply(group, panel) {
      const offset = panel * unitCount * tileCells;
      for (let cell = 0; cell < tileCells; cell += 3) multiplyHalf(counts[group], panels, offset + cell, tile, cell);
    },
  };
}

/** Computes half a tile, 4 replicates in 3 cells, unrolled: 12 sums are what stays in registers. */
function multiplyHalf(
  counts: Float64Array,
  panels: Float64Array,
  offset: number,
  tile: Float64Array,
  cell: number,
): void {
  let [a0, a1, a2, b0, b1, b2, c0, c1, c2, d0, d1, d2] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]; // a letter a replicate
  for (let i = 0, v = offset; i < counts.length; i += tileReplicates, v += tileCells) {
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
  tile[cell] = a0;
  tile[cell + 1] = a1;
  tile[cell + 2] = a2;
  tile[cell + 6] = b0;
  tile[cell + 7] = b1;
  tile[cell + 8] = b2;
  tile[cell + 12] = c0;
  tile[cell + 13] = c1;
  tile[cell + 14] = c2;
  tile[cell + 18] = d0;
  tile[cell + 19] = d1;
  tile[cell + 20] = d2;
}
