// internal
import type { ImportItem, ImportSource } from "./importer.js";
import { readSiblingJson } from "./episode.js";
import { getFlag, getList, getObject } from "./fields.js";

/** Where SWE-bench harnesses and agents put their reports, seen from a trajectory file. */
const reportPaths = [
  "report.json",
  "results.json",
  "../results.json",
  "../report.json",
  "results/results.json",
  "../results/results.json",
];

/** What a report says about one instance. */
export interface ReportedSuccess {
  /** Absent when there is no report or it does not name the instance. */
  readonly success?: boolean;
  readonly note?: string;
  readonly problems: readonly ImportItem[];
}

/**
 * Looks for a SWE-bench report beside the trajectory. Known forms: `resolved_ids` with `unresolved_ids`, the older
 * `resolved` list, and one object for each instance with `resolved`.
 */
export async function findReportedSuccess(source: ImportSource, instanceId: string): Promise<ReportedSuccess> {
  const problems: ImportItem[] = [];
  for (const reportPath of reportPaths) {
    const document = await readSiblingJson(source, [reportPath]);
    problems.push(...document.problems);
    const success = readReport(document.value, instanceId);
    if (success !== undefined) return { success, note: `Success is taken from "${reportPath}"`, problems };
  }
  return { problems };
}

/** Reads the verdict on one instance; an instance whose evaluation itself failed has none. */
function readReport(value: unknown, instanceId: string): boolean | undefined {
  const report = getObject(value);
  const own = getFlag(getObject(report[instanceId])["resolved"]);
  if (own !== undefined) return own;
  const isIn = (keys: readonly string[]): boolean => keys.some((key) => getList(report[key]).includes(instanceId));
  if (isIn(["resolved_ids", "resolved"])) return true;
  return isIn(["unresolved_ids", "completed_ids", "empty_patch_ids", "applied", "no_generation"]) ? false : undefined;
}
