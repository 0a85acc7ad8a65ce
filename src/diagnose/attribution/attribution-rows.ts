import type { AttributedShare, AttributionRow, Estimate, GapShares } from "../../core/index.js";
import { decideVerdict } from "../../stats/index.js";
import { estimateWithBands } from "./replicate-bands.js";
import { splitGap } from "./shapley.js";

/** The eight cells at one budget with their bootstrap replicates. */
export interface CellsAtBudget {
  readonly maxTurns: number;
  /** [cell] */
  readonly values: readonly number[];
  /** [replicate][cell] */
  readonly replicates: readonly (readonly number[])[];
  readonly thinShare: number;
  /** Diagnostics and sensitivity rows. */
  readonly extra?: Pick<AttributionRow, "pooled" | "wrongAsQuit" | "judgeRange">;
}

/** Settings of the rows. */
export interface RowOptions {
  readonly level: number;
  readonly margin: number;
  readonly unitCount: number;
  /** The check of the model failed; default false. */
  readonly isDoubted?: boolean;
}

/** Hybrids that rest on thin cells by this share or more are not identified. */
const maxThinShare = 0.05;

const quantities = {
  gap: (cells: ArrayLike<number>): number => cells[7] - cells[0],
  decision: (cells: ArrayLike<number>): number => splitGap(cells).decision,
  recovery: (cells: ArrayLike<number>): number => splitGap(cells).recovery,
  persistence: (cells: ArrayLike<number>): number => splitGap(cells).persistence,
  interaction: (cells: ArrayLike<number>): number => splitGap(cells).interaction,
};

/**
 * Returns a row for each budget. Each quantity has a band that holds for all budgets together; the verdict words come
 * from the bands, and are `undecided` where a share is not identified or the model is in doubt. In doubt the word of the
 * band is kept as a lead; with one turn nothing lies behind a turn, so that row is never in doubt.
 */
export function makeAttributionRows(
  budgets: readonly CellsAtBudget[],
  { level, margin, unitCount, isDoubted = false }: RowOptions,
): AttributionRow[] {
  const estimate = (quantity: (cells: ArrayLike<number>) => number): Estimate[] =>
    estimateWithBands(
      budgets.map(({ values }) => quantity(values)),
      budgets.map(({ replicates }) => Float64Array.from(replicates, quantity)),
      unitCount,
      level,
    );
  const judge = (one: Estimate, isIdentified: boolean, inDoubt: boolean): AttributedShare => {
    if (one.band === undefined || !isIdentified) return { estimate: one, verdict: "undecided" };
    const verdict = decideVerdict(one.band, margin, { standardError: one.standardError ?? 0 });
    return inDoubt ? { estimate: one, verdict: "undecided", lead: verdict } : { estimate: one, verdict };
  };
  const [gap, decision, recovery, persistence, interaction] = (
    ["gap", "decision", "recovery", "persistence", "interaction"] as const
  ).map((name) => estimate(quantities[name]));
  return budgets.map(({ maxTurns, values, thinShare, extra }, index) => {
    const isIdentified = thinShare < maxThinShare;
    const inDoubt = isDoubted && maxTurns > 1;
    return {
      maxTurns,
      valueA: values[0],
      valueB: values[7],
      gap: judge(gap[index], true, false),
      decision: judge(decision[index], isIdentified, inDoubt),
      recovery: judge(recovery[index], isIdentified, inDoubt),
      persistence: judge(persistence[index], isIdentified, inDoubt),
      cells: [...values],
      interaction: interaction[index],
      thinShare,
      isIdentified,
      isDoubted: inDoubt,
      ...extra,
    };
  });
}

/** Returns the three shares of eight cells. */
export function getGapShares(cells: ArrayLike<number>): GapShares {
  const { decision, recovery, persistence } = splitGap(cells);
  return { decision, recovery, persistence };
}
