import { basename, join } from "node:path";
import { existsSync } from "node:fs";
import { usageError } from "../core/index.js";
import { analyze, type Analysis, type AnalysisOptions, type EpisodeSource } from "./analyze.js";
import { createFileSource, type FileSourceOptions } from "./file-source.js";
import { splitLabel } from "./resolve-policy.js";
import { createRunSource, isFolder, splitSelector } from "./run-source.js";
import { createReport, writeReport, type WrittenReport } from "./write-report.js";

/** What `turnwise compare` does. */
export interface CompareRunsOptions extends AnalysisOptions, FileSourceOptions {
  /** Folder of the report; default `turnwise-runs/compare-A-B` or `report-A`. */
  readonly output?: string;
  readonly title?: string;
  readonly question?: string;
}

/** Returns what `[LABEL=]PATH[#POLICY]` names: a run folder, or a file of another tool that is imported on the fly. */
export async function openSource(text: string, options: FileSourceOptions = {}): Promise<EpisodeSource> {
  const { label, specification } = existsSync(text) ? { label: undefined, specification: text } : splitLabel(text);
  const { path, policyId } = splitSelector(specification);
  const selection = { ...(label === undefined ? {} : { label }), ...(policyId === undefined ? {} : { policyId }) };
  const isRun = isFolder(path) && existsSync(join(path, "run.json"));
  return isRun ? createRunSource(path, selection) : createFileSource(path, options, selection);
}

function chooseFolder(sources: readonly EpisodeSource[]): string {
  const names = sources.map(({ label, path, policyId }) => label ?? policyId ?? basename(path));
  return join(
    "turnwise-runs",
    `${names.length > 1 ? "compare" : "report"}-${names
      .join("-")
      .replace(/[^\p{L}\p{N}_.-]+/gu, "_")
      .slice(0, 80)}`,
  );
}

/**
 * Compares runs paired by task and writes the report. The first series is the reference; each other one that was
 * played the same way is compared with it. A single run is compared within itself when it holds several policies.
 *
 * @throws {TurnwiseError} (usage) when the sides differ in more than the policy and that was not allowed; (input) for
 * runs and files that cannot be read, or that share no task.
 */
export async function compareRuns(inputs: readonly string[], options: CompareRunsOptions = {}): Promise<WrittenReport> {
  return writeReportOf(inputs, { ...options, mustCompare: true }, ({ surfaces, comparisons }) => {
    if (inputs.length > 1 || comparisons.length > 0) return;
    throw usageError(
      `Cannot compare "${inputs[0]}" with itself: it holds one policy under one setting, "${surfaces[0].label}"`,
      `Name a second run or file, or see it alone: turnwise report ${inputs[0]}`,
    );
  });
}

/**
 * Writes the report of runs or files as they are: every policy's figures, and comparisons where there is something to
 * compare.
 *
 * @throws {TurnwiseError} as {@linkcode compareRuns}, but a single policy is no error.
 */
export async function reportRuns(inputs: readonly string[], options: CompareRunsOptions = {}): Promise<WrittenReport> {
  return writeReportOf(inputs, options, () => {});
}

async function writeReportOf(
  inputs: readonly string[],
  options: CompareRunsOptions,
  check: (analysis: Analysis) => void,
): Promise<WrittenReport> {
  if (inputs.length === 0) throw usageError("Cannot report on nothing", "Name run folders or files");
  const sources: EpisodeSource[] = [];
  for (const input of inputs) sources.push(await openSource(input, options));
  const analysis = await analyze(sources, options);
  check(analysis);
  const [first] = analysis.comparisons;
  const title =
    first === undefined
      ? analysis.surfaces.map((surface) => surface.label).join(", ")
      : `${first.b} against ${first.a}`;
  const report = await createReport(sources, analysis, {
    title: options.title ?? title,
    ...(options.question === undefined ? {} : { question: options.question }),
  });
  return writeReport(options.output ?? chooseFolder(sources), report);
}
