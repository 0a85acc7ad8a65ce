/** A curve on an ascending grid, with a simultaneous band when there is one. */
export interface Curve {
  readonly xs: readonly number[];
  readonly values: ArrayLike<number>;
  readonly bandLower?: ArrayLike<number>;
  readonly bandUpper?: ArrayLike<number>;
}

/** Why an exchange rate has no value. */
export type ExchangeGap = "above_reference" | "below_reference" | "both_zero";

/** How much more x the reference curve needs to match the other at x. */
export interface ExchangeRate {
  readonly x: number;
  /** Extra x; negative when the reference needs less. `undefined` when it is outside the grid: see `gap`. */
  readonly value: number | undefined;
  /** Ends from inverting the bands: -Infinity or Infinity where a band leaves the grid. Absent without bands. */
  readonly lower?: number;
  readonly upper?: number;
  /** The other curve is above all, or below all, of what the reference reaches on the grid, or both are 0 at x. */
  readonly gap?: ExchangeGap;
}

/**
 * Returns by grid point of `other` the exchange rate x(T) = V_ref^-1(V_other(T)) - T: "the other policy is worth x
 * extra turns (or samples) of the reference". The reference is made monotone by its running maximum and inverted by
 * linear interpolation, taking the smallest x that reaches the value; nothing is extrapolated. The interval inverts the
 * bands, the other's lower end against the reference's upper band and the reverse, so it holds at all grid points together
 * if the bands do. Throws a `RangeError` for grids that are empty, not ascending, or not as long as their values.
 *
 * @example
 * exchangeRates({ xs: [1, 2, 4], values: [0.1, 0.2, 0.4] }, { xs: [2], values: [0.3] }); // [{ x: 2, value: 1 }]
 */
export function exchangeRates(reference: Curve, other: Curve): ExchangeRate[] {
  checkCurve(reference);
  checkCurve(other);
  const { bandLower, bandUpper } = reference;
  return other.xs.map((x, index) => {
    const found = invert(reference.xs, reference.values, other.values[index]);
    // Both at 0 says nothing about how much x either needs.
    const zero = other.values[index] === 0 && found === reference.xs[0] && reference.values[0] === 0;
    const gap: ExchangeGap | undefined = zero
      ? "both_zero"
      : found === Infinity
        ? "above_reference"
        : found === -Infinity
          ? "below_reference"
          : undefined;
    const rate: ExchangeRate = { x, value: gap === undefined ? found - x : undefined, ...(gap && { gap }) };
    if (!bandLower || !bandUpper || !other.bandLower || !other.bandUpper) return rate;
    const lower = invert(reference.xs, bandUpper, other.bandLower[index]) - x;
    const upper = invert(reference.xs, bandLower, other.bandUpper[index]) - x;
    return { ...rate, lower, upper };
  });
}

/** Returns the smallest x at which the running maximum reaches `target`; -Infinity below the curve, Infinity above it. */
function invert(xs: readonly number[], values: ArrayLike<number>, target: number): number {
  if (target < values[0]) return -Infinity;
  if (target === values[0]) return xs[0];
  let highest = values[0];
  for (let i = 1; i < xs.length; i += 1) {
    const next = Math.max(highest, values[i]);
    if (next >= target) return xs[i - 1] + ((xs[i] - xs[i - 1]) * (target - highest)) / (next - highest);
    highest = next;
  }
  return Infinity;
}

/**
 * Returns the trapezoid weights that turn a curve on an ascending grid into its mean height: the weighted sum of values
 * is the area divided by the width of the grid. One point has weight 1. Applied to each task's difference curve
 * they give an area between curves that can be resampled like any other cell.
 *
 * @example
 * trapezoidWeights([1, 2, 4]); // [1/6, 1/2, 1/3]
 */
export function trapezoidWeights(xs: readonly number[]): number[] {
  checkGrid(xs);
  if (xs.length === 1) return [1];
  const width = xs[xs.length - 1] - xs[0];
  return xs.map((x, i) => ((xs[i + 1] ?? x) - (xs[i - 1] ?? x)) / (2 * width));
}

/**
 * Returns the area between two curves on the same grid, second minus first, by the trapezoid rule in x and divided by the
 * width of the grid, so that it is a mean difference in the unit of the values.
 */
export function areaBetween(xs: readonly number[], a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== xs.length || b.length !== xs.length) {
    throw new RangeError(`Cannot compare curves of ${a.length} and ${b.length} values on a grid of ${xs.length}`);
  }
  return trapezoidWeights(xs).reduce((sum, weight, i) => sum + weight * (b[i] - a[i]), 0);
}

function checkCurve({ xs, values, bandLower = values, bandUpper = values }: Curve): void {
  checkGrid(xs);
  if ([values, bandLower, bandUpper].some((part) => part.length !== xs.length)) {
    throw new RangeError(`Cannot read a curve as it needs a value and a band for each of its ${xs.length} grid points`);
  }
}

function checkGrid(xs: readonly number[]): void {
  if (xs.length === 0 || xs.some((x, i) => i > 0 && !(x > xs[i - 1]))) {
    throw new RangeError(`Cannot use a grid that is empty or not ascending: current grid is ${xs.join(", ")}`);
  }
}
