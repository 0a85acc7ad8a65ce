// internal
import { untagNumber, type CommonMetric, type Finding, type MetricLog, type MetricRow } from "../../core/index.js";

/** One value of a metric. */
export interface MetricPoint {
  readonly updateIndex: number;
  /** May be NaN or infinite. */
  readonly value: number;
  readonly row: MetricRow;
}

/** Values of one column in the order of updates; where an update was written twice, the later value. */
export interface MetricSeries {
  readonly name: string;
  readonly points: readonly MetricPoint[];
}

/**
 * Returns the values of one column: an update that was played again after a restart counts once, as the run went on
 * from its last value. Values that are not finite are kept: leaving them out is the reader's choice, see `keepFinite`.
 */
export function getColumnSeries(log: MetricLog, column: number): MetricSeries {
  const byUpdate = new Map<number, MetricPoint>();
  for (const row of log.rows) {
    const value = untagNumber(row.values[column]);
    if (value !== undefined) byUpdate.set(row.updateIndex, { updateIndex: row.updateIndex, value, row });
  }
  const points = [...byUpdate.values()].sort((a, b) => a.updateIndex - b.updateIndex);
  return { name: log.columns[column].name, points };
}

/** Returns the values of a common metric, from the first column that states it, or `undefined`. */
export function findSeries(log: MetricLog, ...metrics: readonly CommonMetric[]): MetricSeries | undefined {
  for (const metric of metrics) {
    const column = log.columns.findIndex((candidate) => candidate.metric === metric);
    if (column !== -1) return getColumnSeries(log, column);
  }
  return undefined;
}

/** Returns a series without its values that are not finite, so that one NaN does not wipe a window. */
export function keepFinite({ name, points }: MetricSeries): MetricSeries {
  return { name, points: points.filter(({ value }) => Number.isFinite(value)) };
}

/** Returns the finite values of a common metric, or `undefined` when no column states it. */
export function findFiniteSeries(log: MetricLog, ...metrics: readonly CommonMetric[]): MetricSeries | undefined {
  const series = findSeries(log, ...metrics);
  return series === undefined ? undefined : keepFinite(series);
}

/** Returns where a row stands: file, line, and in words what a line does not say. */
export function placeRow(log: MetricLog, row: MetricRow): NonNullable<Finding["place"]> {
  const words = [
    ...(log.run === undefined ? [] : [`run "${log.run}"`]),
    `update ${row.updateIndex}`,
    ...(row.record === undefined ? [] : [`record ${row.record}`]),
  ];
  return { file: log.file, ...(row.line === undefined ? {} : { line: row.line }), detail: words.join(", ") };
}

/** Returns a number with at most four significant digits, as messages show it. */
export function showNumber(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(4))) : String(value);
}

/** Returns a share as a percentage with at most four significant digits, as messages show it: `100 %`. */
export function showShare(value: number): string {
  return `${showNumber(value * 100)} %`;
}
