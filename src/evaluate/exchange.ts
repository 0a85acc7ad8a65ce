// internal
import type { ExchangeRow } from "../core/index.js";
import { exchangeRates, type Curve, type SurfaceIntervals } from "../stats/index.js";
import type { SeriesGrid } from "./grid.js";
import { getMean } from "./task-surface.js";

/** Returns one row (k = `kIndex`) of a surface as a curve with its band. */
export function getCurve(
  values: Float64Array,
  taskCount: number,
  grid: { readonly xs: readonly number[]; readonly cells: readonly number[]; readonly cellCount: number },
  intervals: SurfaceIntervals | undefined,
): Curve {
  const { xs, cells, cellCount } = grid;
  return {
    xs,
    values: cells.map((cell) => getMean(values, taskCount, cellCount, cell)),
    ...(intervals === undefined
      ? {}
      : {
          bandLower: cells.map((cell) => intervals.bandLower[cell]),
          bandUpper: cells.map((cell) => intervals.bandUpper[cell]),
        }),
  };
}

/**
 * Returns exchange rates as rows, "beyond" the reference where it never reaches the other on the grid, "below" it where it is
 * always above; an interval is shown only where both its ends are on the grid.
 */
export function toExchangeRows(
  reference: Curve,
  other: Curve,
  { xs, level, label }: { readonly xs: readonly number[]; readonly level: number; readonly label: string },
): ExchangeRow[] {
  return exchangeRates(reference, other).map(({ value, lower, upper, gap }, index) => ({
    maxTurns: xs[index],
    value,
    ...(gap === undefined
      ? {}
      : { note: gap === "both_zero" ? "both 0" : `${gap === "above_reference" ? "beyond" : "below"} ${label}` }),
    ...(lower === undefined || upper === undefined || !Number.isFinite(lower) || !Number.isFinite(upper)
      ? {}
      : { interval: { lower, upper, level, method: "task_bootstrap_percentile" as const } }),
  }));
}

/** Returns, by T, how many more samples of A at the same T would match one of B. */
export function measureExtraSamples(
  valuesA: Float64Array,
  curveB: Curve,
  intervalsA: SurfaceIntervals | undefined,
  grid: {
    readonly taskCount: number;
    readonly sampleCounts: readonly number[];
    readonly budgets: readonly number[];
    readonly level: number;
    readonly label: string;
  },
): ExchangeRow[] {
  const { taskCount, sampleCounts, budgets, level, label } = grid;
  if (sampleCounts.length < 2) return [];
  const cellCount = sampleCounts.length * budgets.length;
  return budgets.map((maxTurns, index) => {
    const cells = sampleCounts.map((_, kIndex) => kIndex * budgets.length + index);
    const reference = getCurve(valuesA, taskCount, { xs: sampleCounts, cells, cellCount }, intervalsA);
    const other: Curve = {
      xs: [1],
      values: [curveB.values[index]],
      ...(curveB.bandLower === undefined || curveB.bandUpper === undefined
        ? {}
        : { bandLower: [curveB.bandLower[index]], bandUpper: [curveB.bandUpper[index]] }),
    };
    return toExchangeRows(reference, other, { xs: [maxTurns], level, label })[0];
  });
}

/** Returns the mean tokens of a counted episode by T, or `undefined` unless every turn states them. */
function readTokens({ budgets, tallies, mark }: SeriesGrid): number[] | undefined {
  const means = budgets.map((maxTurns, index) => {
    const { tokens, tokensByTurn, counted } = tallies[index].totals;
    if (tokens === undefined || counted === 0) return undefined;
    const sum = mark === "run" ? tokens : tokensByTurn.slice(0, maxTurns).reduce((total, turn) => total + turn, 0);
    return sum / counted;
  });
  return means.every((mean) => mean !== undefined) && means.some((mean) => mean > 0) ? means : undefined;
}

/** Returns the value at `x` on the line between grid points; `x` lies on the grid. */
function interpolate(xs: readonly number[], values: readonly number[], x: number): number {
  const next = xs.findIndex((edge) => edge >= x);
  if (next <= 0) return values[next === 0 ? 0 : values.length - 1];
  const share = (x - xs[next - 1]) / (xs[next] - xs[next - 1]);
  return values[next - 1] + share * (values[next] - values[next - 1]);
}

/**
 * Returns, by T, the tokens that an episode of A spends at the turn budget that matches B's success at T, minus those that one
 * of B spends at T; a mean over episodes, without an interval. `undefined` unless every turn of both states its tokens.
 */
export function measureExtraTokens(
  a: SeriesGrid,
  b: SeriesGrid,
  extraTurns: readonly ExchangeRow[],
): ExchangeRow[] | undefined {
  const [tokensA, tokensB] = [readTokens(a), readTokens(b)];
  if (tokensA === undefined || tokensB === undefined) return undefined;
  return extraTurns.map(({ maxTurns, value, note }, index) =>
    value === undefined || Number.isNaN(value)
      ? { maxTurns, value: undefined, ...(note === undefined ? {} : { note }) }
      : { maxTurns, value: interpolate(a.budgets, tokensA, maxTurns + value) - tokensB[index] },
  );
}
