import type { AuditedFile, AuditResult, JsonValue, MetricLog } from "../../core/index.js";
import { startRuleRun, type AuditOptions } from "../audit/run-rules.js";
import { logRules } from "./log-rules.js";

/** Returns what was read from a log, for its readers: which metric stands for what, and which updates it covers. */
function describeLog(log: MetricLog): AuditedFile {
  const metrics: { [metric: string]: JsonValue } = {};
  for (const { name, metric } of log.columns) if (metric !== undefined && metrics[metric] === undefined) metrics[metric] = name;
  const updates = log.rows.map(({ updateIndex }) => updateIndex);
  return {
    file: log.file,
    format: log.format,
    ...(log.run === undefined ? {} : { run: log.run }),
    rowCount: log.rows.length,
    facts: {
      columnCount: log.columns.length,
      metrics,
      orderedBy: log.indexName ?? "position in the file",
      firstUpdate: updates.reduce((a, b) => Math.min(a, b)),
      lastUpdate: updates.reduce((a, b) => Math.max(a, b)),
      ...(log.plannedUpdates === undefined ? {} : { plannedUpdates: log.plannedUpdates }),
    },
    problems: log.problems.map(({ message, line }) => (line === undefined ? message : `line ${line}: ${message}`)),
  };
}

/**
 * Judges training logs by every rule of `logRules`, each run on its own. A rule that lacks its metric is listed with
 * the reason; it did not pass.
 *
 * @throws {TurnwiseError} (usage) for a rule or threshold that does not exist.
 */
export function auditLogs(logs: readonly MetricLog[], options: AuditOptions = {}): AuditResult {
  const run = startRuleRun(logRules, options);
  for (const log of logs) run.add(log);
  return { kind: "log", files: logs.map(describeLog), ...run.finish() };
}
