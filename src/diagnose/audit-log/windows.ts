// internal
import type { CommonMetric, MetricLog } from "../../core/index.js";
import { findFiniteSeries, type MetricPoint, type MetricSeries } from "./series.js";

/** Mean and spread of some values. */
export interface WindowSummary {
  readonly mean: number;
  /** Standard deviation, divisor n - 1; 0 for one value. */
  readonly deviation: number;
  readonly points: readonly MetricPoint[];
}

/** The beginning and the end of a series. */
export interface Trend {
  readonly early: WindowSummary;
  readonly late: WindowSummary;
}

/** Returns mean and standard deviation of points whose values are finite; at least one. */
export function summarize(points: readonly MetricPoint[]): WindowSummary {
  const mean = points.reduce((sum, { value }) => sum + value, 0) / points.length;
  const squares = points.reduce((sum, { value }) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: points.length < 2 ? 0 : Math.sqrt(squares / (points.length - 1)), points };
}

/** Returns the last `window` values of a series; all of them where there are fewer. */
export function getLate({ points }: MetricSeries, window: number): WindowSummary {
  return summarize(points.slice(-window));
}

/** Returns the first and the last `window` values, or `undefined` when they would overlap. */
export function findTrend({ points }: MetricSeries, window: number): Trend | undefined {
  if (points.length < 2 * window) return undefined;
  return { early: summarize(points.slice(0, window)), late: summarize(points.slice(-window)) };
}

/** Returns how far the mean moved in units of the spread inside the windows; infinite for a move without spread. */
export function getEffect({ early, late }: Trend): number {
  const change = late.mean - early.mean;
  const spread = Math.sqrt((early.deviation ** 2 + late.deviation ** 2) / 2);
  return change === 0 ? 0 : change / spread;
}

/** Returns the middle of values, which a few wild ones do not move. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** Returns why a metric cannot be judged: no column states it, or it has fewer finite values than needed. */
export function findMetricGap(
  log: MetricLog,
  least: number,
  metrics: readonly CommonMetric[],
  words: string,
): string | undefined {
  const series = findFiniteSeries(log, ...metrics);
  if (series === undefined) return `the log states no ${words}`;
  if (series.points.length >= least) return undefined;
  return `"${series.name}" has too few finite values: ${series.points.length}, at least ${least} are needed`;
}

/** Returns the longest stretches of neighbouring points that `test` holds for, at least `least` long. */
export function findStretches(
  points: readonly MetricPoint[],
  least: number,
  test: (point: MetricPoint) => boolean,
): MetricPoint[][] {
  const stretches: MetricPoint[][] = [];
  let open: MetricPoint[] = [];
  for (const point of points) {
    if (test(point)) open.push(point);
    else {
      if (open.length >= least) stretches.push(open);
      open = [];
    }
  }
  if (open.length >= least) stretches.push(open);
  return stretches;
}
