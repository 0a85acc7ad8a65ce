import type { AttributedShare, AttributionRow, Estimate, GapShares } from "../../core/index.js";
import { decideVerdict } from "../../stats/index.js";
import { estimateWithBands } from "./replicate-bands.js";
import { attributionParts, splitGap } from "./shapley.js";

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
  /** Errors can be told from the episodes of both; default true. Without that no share is identified. */
  readonly knowsModes?: boolean;
  /** The check of the model failed; default false. */
  readonly isDoubted?: boolean;
}

/** Hybrids that rest on thin cells by this share or more are not identified. */
const maxThinShare = 0.05;

const quantities = ["gap", ...attributionParts, "interaction"] as const;
type Quantity = (typeof quantities)[number];

/** Returns the quantities of eight cells. */
function measureCells(cells: ArrayLike<number>): { readonly [quantity in Quantity]: number } {
  return { gap: cells[7] - cells[0], ...splitGap(cells) };
}

/**
 * Returns estimates [quantity][budget]. One band holds for the three shares at all budgets together, since a reader looks
 * for any share that stands out: with a band for each share, identical policies get a cause three times as often.
 */
function estimateQuantities(
  budgets: readonly CellsAtBudget[],
  unitCount: number,
  level: number,
): { readonly [quantity in Quantity]: readonly Estimate[] } {
  const values = budgets.map((budget) => measureCells(budget.values));
  const drawn = budgets.map(({ replicates }) => replicates.map(measureCells));
  const estimate = (...names: readonly Quantity[]): Estimate[] =>
    estimateWithBands(
      names.flatMap((name) => values.map((one) => one[name])),
      names.flatMap((name) => drawn.map((draws) => Float64Array.from(draws, (one) => one[name]))),
      unitCount,
      level,
    );
  const shares = estimate(...attributionParts);
  const pick = (part: number): Estimate[] => shares.slice(part * budgets.length, (part + 1) * budgets.length);
  return {
    gap: estimate("gap"),
    decision: pick(0),
    recovery: pick(1),
    persistence: pick(2),
    interaction: estimate("interaction"),
  };
}

/**
 * Returns a row for each budget. The verdict words come from bands: one for the gap at all budgets, and one for the three
 * shares at all budgets together; they are `undecided` on fewer than ten tasks or families, and where a share is not
 * identified or the model is in doubt. In doubt the word of the band is kept as a lead; with one turn nothing lies behind
 * a turn, so that row is never in doubt.
 */
export function makeAttributionRows(
  budgets: readonly CellsAtBudget[],
  { level, margin, unitCount, knowsModes = true, isDoubted = false }: RowOptions,
): AttributionRow[] {
  const judge = (one: Estimate, isIdentified: boolean, inDoubt: boolean): AttributedShare => {
    if (one.band === undefined || !isIdentified) return { estimate: one, verdict: "undecided" };
    const verdict = decideVerdict(one.band, margin, { standardError: one.standardError ?? 0, unitCount });
    return inDoubt ? { estimate: one, verdict: "undecided", lead: verdict } : { estimate: one, verdict };
  };
  const { gap, decision, recovery, persistence, interaction } = estimateQuantities(budgets, unitCount, level);
  return budgets.map(({ maxTurns, values, thinShare, extra }, index) => {
    const isIdentified = knowsModes && thinShare < maxThinShare;
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
