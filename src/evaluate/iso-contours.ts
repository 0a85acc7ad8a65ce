// internal
import type { IsoContour, SurfaceCell } from "../core/index.js";
import { findContours } from "../stats/index.js";

/** Levels at which lines of equal success are drawn. */
const levels = [0.1, 0.25, 0.5, 0.75, 0.9];

/**
 * Returns the lines of equal Pass@(k,T) that the grid crosses, with bands from inverting the surface's own. Cells of T=0
 * are left out, as they have no logarithm; empty without two tries and two turns.
 */
export function measureContours(cells: readonly SurfaceCell[], level = 0.95): IsoContour[] {
  const distinct = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);
  const tries = distinct(cells.map(({ k }) => k));
  const turns = distinct(cells.map(({ maxTurns }) => maxTurns)).filter((maxTurns) => maxTurns >= 1);
  if (tries.length < 2 || turns.length < 2) return [];
  const byPlace = new Map(cells.map((cell) => [`${cell.k} ${cell.maxTurns}`, cell.estimate]));
  const read = (get: (estimate: SurfaceCell["estimate"]) => number): number[][] =>
    tries.map((k) =>
      turns.map((maxTurns) => {
        const estimate = byPlace.get(`${k} ${maxTurns}`);
        return estimate === undefined ? NaN : get(estimate);
      }),
    );
  const values = read(({ value }) => value);
  if (values.some((row) => row.some(Number.isNaN))) return [];
  const lower = read(({ value, band, interval }) => (band ?? interval)?.lower ?? value);
  const upper = read(({ value, band, interval }) => (band ?? interval)?.upper ?? value);
  return findContours({ tries, turns, values, lower, upper }, levels).map((contour) => ({
    level: contour.level,
    points: contour.points.map((point) => ({
      maxTurns: point.turns,
      tries: point.tries,
      // An end off the grid is not known; the point then stands without an interval.
      ...(point.lower > 0 && point.upper < Infinity
        ? { interval: { lower: point.lower, upper: point.upper, level, method: "task_bootstrap_percentile" as const } }
        : {}),
    })),
    slopes: contour.slopes,
    slope: contour.slope,
  }));
}
