import type { AuditedFile, AuditResult, MetricLog } from "../../core/index.js";
import { startRuleRun, type AuditOptions } from "../audit/run-rules.js";
import { logRules } from "./log-rules.js";

/** Returns what was read from a log, for its readers: which metric stands for what, and which updates it covers. */
function describeLog(log: MetricLog): AuditedFile {
  const metrics: { [metric: string]: string } = {};
  for (const { name, metric } of log.columns)
    if (metric !== undefined && !Object.hasOwn(metrics, metric)) metrics[metric] = name;
  const updates = log.rows.map(({ updateIndex }) => updateIndex);
  return {
    file: log.file,
    format: log.format,
    ...(log.run === undefined ? {} : { run: log.run }),
    rowCount: log.rows.length,
    facts: {
      columnCount: log.columns.length,
      orderedBy: log.indexName ?? "position in the file",
      ...(updates.length === 0 ? {} : { firstUpdate: updates.reduce((a, b) => Math.min(a, b)) }),
      ...(updates.length === 0 ? {} : { lastUpdate: updates.reduce((a, b) => Math.max(a, b)) }),
      ...(log.plannedUpdates === undefined ? {} : { plannedUpdates: log.plannedUpdates }),
    },
    metrics,
    problems: log.problems.map(({ message, line }) => (line === undefined ? message : `line ${line}: ${message}`)),
  };
}

/**
 * Judges training logs by every rule of `logRules`, each run on its own; logs are not kept. A rule that lacks its metric
 * is listed with the reason; it did not pass.
 *
 * @throws {TurnwiseError} (usage) for a rule or threshold that does not exist, before any log is read; whatever reading
 * the logs throws.
 */
export async function auditLogs(
  logs: AsyncIterable<MetricLog> | Iterable<MetricLog>,
  options: AuditOptions = {},
): Promise<AuditResult> {
  const run = startRuleRun(logRules, options);
  const files: AuditedFile[] = [];
  for await (const log of logs) {
    run.add(log);
    files.push(describeLog(log));
  }
  return { kind: "log", files, ...run.finish() };
}
