import { commonMetrics, inputError, usageError, type CommonMetric, type MetricLog } from "../../core/index.js";

/**
 * Returns logs in which the named columns state the given common metrics, ahead of what was recognised: for tools whose
 * names are not known. `names` maps common metric to column, e.g. `{ reward: "my/score" }`.
 *
 * @throws {TurnwiseError} (usage) for a metric that does not exist; (input) for a column that no log has.
 */
export function assignMetrics(logs: readonly MetricLog[], names: { readonly [metric: string]: string }): MetricLog[] {
  for (const [metric, column] of Object.entries(names)) {
    if (!Object.hasOwn(commonMetrics, metric)) {
      throw usageError(
        `Cannot take "${column}" as metric "${metric}": metrics are ${Object.keys(commonMetrics).join(", ")}`,
      );
    }
    if (!logs.some(({ columns }) => columns.some(({ name }) => name === column))) {
      const known = [...new Set(logs.flatMap(({ columns }) => columns.map(({ name }) => name)))];
      throw inputError(
        `Cannot take "${column}" as ${metric}: no column has that name, columns are ${known.slice(0, 30).join(", ")}${known.length > 30 ? ", …" : ""}`,
      );
    }
  }
  const byColumn = new Map(Object.entries(names).map(([metric, column]) => [column, metric as CommonMetric])); // just checked
  return logs.map((log) => {
    const columns = log.columns.map(({ name, metric }) => {
      const assigned = byColumn.get(name);
      if (assigned !== undefined) return { name, metric: assigned };
      const isReplaced = metric !== undefined && log.columns.some((other) => other.name === names[metric]);
      return metric === undefined || isReplaced ? { name } : { name, metric };
    });
    return { ...log, columns };
  });
}
