/** The three parts a gap is split into. */
export const attributionParts = ["decision", "recovery", "persistence"] as const;
/** One of the three parts. */
export type AttributionPart = (typeof attributionParts)[number];

/**
 * The eight cells by index: which policy supplies decision, recovery and persistence, in this order. Bit 4 of the
 * index is decision, bit 2 recovery, bit 1 persistence; a set bit means B.
 */
export const attributionCells = ["AAA", "AAB", "ABA", "ABB", "BAA", "BAB", "BBA", "BBB"] as const;
/** The name of a cell. */
export type AttributionCell = (typeof attributionCells)[number];

/** The split of one gap. */
export interface ShapleySplit {
  readonly decision: number;
  readonly recovery: number;
  readonly persistence: number;
  /** What the three single changes leave unexplained: v(BBB) - v(AAA) minus their sum. Shapley shares hide it. */
  readonly interaction: number;
}

/**
 * Returns the Shapley shares of the gap v(BBB) - v(AAA) from the eight cell values in the order of
 * {@linkcode attributionCells}. The shares sum to the gap, up to rounding.
 *
 * @example
 * splitGap([0, 0, 0, 0, 0.3, 0.3, 0.3, 0.3]); // { decision: 0.3, recovery: 0, persistence: 0, interaction: 0 }
 */
export function splitGap(cells: ArrayLike<number>): ShapleySplit {
  const share = (bit: number, other: number, third: number): number =>
    (cells[bit] - cells[0]) / 3 +
    (cells[bit | other] - cells[other]) / 6 +
    (cells[bit | third] - cells[third]) / 6 +
    (cells[7] - cells[other | third]) / 3;
  return {
    decision: share(4, 2, 1),
    recovery: share(2, 1, 4),
    persistence: share(1, 4, 2),
    interaction: cells[7] - cells[0] - (cells[4] - cells[0]) - (cells[2] - cells[0]) - (cells[1] - cells[0]),
  };
}
