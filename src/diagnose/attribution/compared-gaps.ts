// internal
import type { AttributionRow, DifferenceCell } from "../../core/index.js";

/** The difference of a comparison at one budget, with its band and verdict. */
export type ComparedGap = Pick<DifferenceCell, "maxTurns" | "estimate" | "verdict">;

/** Differences of two computations over the same tasks agree to this. */
const tolerance = 1e-9;

function findGap(row: AttributionRow, gaps: readonly ComparedGap[]): ComparedGap | undefined {
  return gaps.find(({ maxTurns }) => maxTurns === row.maxTurns);
}

function isSame(row: AttributionRow, { estimate }: ComparedGap): boolean {
  return Math.abs(estimate.value - row.gap.estimate.value) <= tolerance;
}

/** Returns the rows with the comparison's band and verdict of the gap, so that one report never judges it twice. */
export function takeComparedGaps(rows: readonly AttributionRow[], gaps: readonly ComparedGap[]): AttributionRow[] {
  return rows.map((row) => {
    const gap = findGap(row, gaps);
    if (gap === undefined || !isSame(row, gap)) return row;
    return { ...row, gap: { estimate: gap.estimate, verdict: gap.verdict } };
  });
}

/** Returns a warning where the gap is not the comparison's, which happens when it is over other tasks. */
export function listOtherGaps(rows: readonly AttributionRow[], gaps: readonly ComparedGap[]): string[] {
  const others = rows.filter((row) => {
    const gap = findGap(row, gaps);
    return gap !== undefined && !isSame(row, gap);
  });
  if (others.length === 0) return [];
  const budgets = others.map(({ maxTurns }) => maxTurns).join(", ");
  return [`The gap at T=${budgets} is over other tasks or episodes than the comparison's difference`];
}
