// internal
import { basename } from "node:path";
import type { RecoveryResult, StepEvaluation } from "../core/index.js";
import { getPackageVersion } from "./package-version.js";
import type { PlayedPoolRun } from "./play-pool.js";
import { writeReport, type WrittenReport } from "./write-report.js";

/** What a report on a pool's run says. */
export interface PoolReportText {
  readonly title: string;
  readonly question: string;
  readonly recovery?: RecoveryResult;
  readonly steps?: StepEvaluation;
  readonly warnings?: readonly string[];
}

/** Writes the report of a run that was played from a pool. */
export async function writePoolReport(
  folder: string,
  played: PlayedPoolRun,
  text: PoolReportText,
): Promise<WrittenReport> {
  const { buildReport } = await import("../report/index.js");
  const { pool, progress, configHash } = played;
  const report = buildReport({
    ...text,
    version: getPackageVersion(),
    runs: [
      {
        path: basename(played.folder),
        labels: played.policyIds,
        configHash,
        env: pool.card.env,
        taskCount: pool.card.taskCount,
        episodeCount: progress.kept + progress.played,
        source: `error pool ${pool.card.poolHash.slice(0, 12)}, from ${pool.card.sources.map((source) => source.run).join(", ")}`,
      },
    ],
    surfaces: [],
    notes: pool.card.notes.map((note) => `Pool: ${note}.`),
  });
  return writeReport(folder, report);
}
