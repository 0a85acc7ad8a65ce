import { join } from "node:path";
import { mergeRuns, readRun } from "../records/index.js";
import { analyze } from "./analyze.js";
import { createRunSource } from "./run-source.js";
import { createReport, writeReport, type WrittenReport } from "./write-report.js";

/** What a merge did. */
export interface MergeResult {
  readonly folder: string;
  readonly episodeCount: number;
  /** Absent while no episode can be counted. */
  readonly written?: WrittenReport;
}

/**
 * Joins run folders with the same settings into one and writes its report.
 *
 * @throws {TurnwiseError} (input) for folders that hold no run, or runs with other settings.
 */
export async function mergeShards(folders: readonly string[], output: string): Promise<MergeResult> {
  await mergeRuns(folders, output);
  const source = await createRunSource(output);
  let episodeCount = 0;
  let isCounted = false;
  for await (const { stopReason, success } of source.read()) {
    episodeCount += 1;
    isCounted ||= stopReason.type !== "error" && success !== undefined;
  }
  if (!isCounted) return { folder: output, episodeCount };
  const run = await readRun(output);
  const policies = run.manifest.policies.map((policy) => policy.id);
  const analysis = await analyze([source]);
  const report = await createReport([source], analysis, {
    title: `${run.manifest.suite?.envId ?? "Merged run"}: ${policies.join(" and ")}`,
  });
  return { folder: output, episodeCount, written: await writeReport(join(output, "report"), report) };
}
