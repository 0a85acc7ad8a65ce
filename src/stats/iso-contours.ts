import { exchangeRates } from "./exchange-rate.js";

/** Success over tries k and turns T; every row is by T, and lists ascend. */
export interface TriesTurnsSurface {
  /** k, at least 1. */
  readonly tries: readonly number[];
  /** T, at least 1. */
  readonly turns: readonly number[];
  /** [k][T]; not falling with k. */
  readonly values: readonly (readonly number[])[];
  /** [k][T] ends of a simultaneous band. */
  readonly lower: readonly (readonly number[])[];
  readonly upper: readonly (readonly number[])[];
}

/** Where a line of equal success crosses one T. */
export interface ContourPoint {
  readonly turns: number;
  /** Tries needed, between grid points on a logarithmic scale. */
  readonly tries: number;
  /** Ends from inverting the band; 0 or Infinity where it leaves the grid. */
  readonly lower: number;
  readonly upper: number;
}

/** A line of equal success. */
export interface Contour {
  readonly level: number;
  /** At least two, ascending in T; T at which the line is off the grid have none. */
  readonly points: readonly ContourPoint[];
  /** Slope from each point to the next: change of log2 tries for each doubling of the turns. */
  readonly slopes: readonly number[];
  /** The same from the first point to the last. */
  readonly slope: number;
}

/**
 * Returns the lines of equal success over a surface, at those levels that the grid crosses at two T or more. At each T the
 * tries that reach the level are found by linear interpolation over log2 k, and nothing is extrapolated. The slope is
 * the exchange rate between turns and tries: -1 says that a doubling of the turns saves half of the tries, so that both
 * cost as many turns in all; below -1 longer attempts are the better buy, above it more attempts.
 * Throws a `RangeError` for grids that do not ascend or begin below 1.
 *
 * @example
 * // V = 1 - (1 - p)^k: at T=1 p is .5, at T=2 .75, so 2 tries of one turn are worth 1 of two turns: slope -1
 * findContours({ tries: [1, 2], turns: [1, 2], values: [[.5, .75], [.75, .9375]], lower, upper }, [.75]);
 */
export function findContours(surface: TriesTurnsSurface, levels: readonly number[]): Contour[] {
  const { tries, turns, values, lower, upper } = surface;
  if (!(tries[0] >= 1) || !(turns[0] >= 1)) {
    throw new RangeError(`Cannot draw contours on a grid that begins at ${tries[0]} tries and ${turns[0]} turns`);
  }
  const xs = tries.map(Math.log2);
  const column = (of: readonly (readonly number[])[], t: number): number[] => of.map((row) => row[t]);
  return levels.flatMap((level): Contour[] => {
    const points = turns.flatMap((turn, t): ContourPoint[] => {
      const reference = {
        xs,
        values: column(values, t),
        bandLower: column(lower, t),
        bandUpper: column(upper, t),
      };
      const target = { xs: [0], values: [level], bandLower: [level], bandUpper: [level] };
      const [{ value, lower: least = -Infinity, upper: most = Infinity }] = exchangeRates(reference, target);
      return value === undefined ? [] : [{ turns: turn, tries: 2 ** value, lower: 2 ** least, upper: 2 ** most }];
    });
    if (points.length < 2) return [];
    return [
      {
        level,
        points,
        slopes: points.slice(1).map((point, index) => getSlope(points[index], point)),
        slope: getSlope(points[0], points[points.length - 1]),
      },
    ];
  });
}

function getSlope(from: ContourPoint, to: ContourPoint): number {
  return Math.log2(to.tries / from.tries) / Math.log2(to.turns / from.turns);
}
