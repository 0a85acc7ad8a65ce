import { basename, join } from "node:path";
import { type ImportOptions, importers, importRun, readRun, type RunSource } from "../records/index.js";
import type { FileSourceOptions } from "./file-source.js";
import { getPackageVersion } from "./package-version.js";

/** What `turnwise import` does. */
export interface ImportRunsOptions extends FileSourceOptions {
  /** Run folder; default `turnwise-runs/NAME` after the first file. */
  readonly output?: string;
  /** Called now and then with the number of episodes of the current file. Must not throw. */
  readonly onProgress?: (progress: { readonly path: string; readonly episodeCount: number }) => void;
}

/** One class of problems that an import met. */
export interface ImportProblem {
  readonly problemClass: string;
  /** `skipped`: the record was lost; `repaired`: it was kept. */
  readonly severity: "skipped" | "repaired";
  readonly count: number;
  /** The first few, with file and position. */
  readonly examples: readonly string[];
}

/** What an import did. */
export interface ImportRunsResult {
  readonly folder: string;
  readonly sources: readonly RunSource[];
  readonly problems: readonly ImportProblem[];
  /** Episodes in the run folder now. */
  readonly episodeCount: number;
  /** Episodes written by this call; the others were there already. */
  readonly importedCount: number;
  readonly taskCount: number;
  readonly policyIds: readonly string[];
  readonly solved: number;
  readonly failed: number;
  readonly unknown: number;
  readonly errored: number;
}

/** An importer as help lists it. */
export interface FormatDescription {
  readonly format: string;
  readonly description: string;
  readonly turnNote: string;
}

/** Examples kept of each class of problems. */
const maxExamples = 3;

/** Returns the formats that can be imported. */
export function listFormats(): FormatDescription[] {
  return importers.map(({ format, description, turnNote }) => ({ format, description, turnNote }));
}

function createProblemLog() {
  const problems = new Map<
    string,
    { severity: "skipped" | "repaired"; problemClass: string; count: number; examples: string[] }
  >();
  return {
    problems,
    add(
      path: string,
      problem: { severity: "skipped" | "repaired"; problemClass: string; message: string; position?: number },
    ): void {
      const key = `${problem.severity}:${problem.problemClass}`;
      const found = problems.get(key) ?? {
        severity: problem.severity,
        problemClass: problem.problemClass,
        count: 0,
        examples: [],
      };
      found.count += 1;
      const place = problem.position === undefined ? basename(path) : `${basename(path)}:${problem.position}`;
      if (found.examples.length < maxExamples) found.examples.push(`${place}: ${problem.message}`);
      problems.set(key, found);
    },
  };
}

/**
 * Reads files or folders of other tools into a run folder. The same call again adds only what is new.
 *
 * @throws {TurnwiseError} (usage) for an unknown format; (input) for files that cannot be used, or without an episode.
 */
export async function importRuns(paths: readonly string[], options: ImportRunsOptions = {}): Promise<ImportRunsResult> {
  const { format = "auto", importOptions = {} satisfies ImportOptions, onProgress } = options;
  const name = basename(paths[0])
    .replace(/\.gz$/, "")
    .replace(/\.[^.]+$/, "")
    .replace(/[^\p{L}\p{N}_.-]+/gu, "_");
  const folder = options.output ?? join("turnwise-runs", name);
  const log = createProblemLog();
  const context = { now: new Date(), turnwiseVersion: getPackageVersion() };
  const summary = await importRun(paths, folder, context, {
    ...importOptions,
    format,
    onProblem: (path, problem) => log.add(path, problem),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  const run = await readRun(folder);
  const tasks = new Set<string>();
  const policies = new Set<string>();
  const counts = { solved: 0, failed: 0, unknown: 0, errored: 0 };
  for (const row of run.listRows()) {
    tasks.add(row.task.hash);
    policies.add(row.setting.policyId);
    if (row.stopLabel === "error") counts.errored += 1;
    else if (row.success === undefined) counts.unknown += 1;
    else counts[row.success ? "solved" : "failed"] += 1;
  }
  run.close();
  return {
    folder,
    sources: summary.sources,
    problems: [...log.problems.values()],
    episodeCount: run.episodeCount,
    importedCount: summary.importedCount,
    taskCount: tasks.size,
    policyIds: [...policies].sort(),
    ...counts,
  };
}
