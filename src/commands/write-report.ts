import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  describeSystemError,
  inputError,
  type AttributionResult,
  type DynamicsResult,
  type LikelihoodResult,
  type SignalsResult,
} from "../core/index.js";
import { getSeriesKey } from "../evaluate/index.js";
import { makeFolder } from "../records/index.js";
import type { Report } from "../report/index.js";
import { readSource, type Analysis, type EpisodeSource } from "./analyze.js";
import { getPackageVersion } from "./package-version.js";

/** A report and where it was written. */
export interface WrittenReport {
  readonly report: Report;
  readonly jsonPath: string;
  readonly pagePath: string;
}

/** What a report says beside its figures. */
export interface ReportText {
  readonly title: string;
  /** Default: made from what is compared. */
  readonly question?: string;
  readonly warnings?: readonly string[];
  readonly notes?: readonly string[];
  /** Why one policy succeeds more often than another. */
  readonly attribution?: AttributionResult;
  /** Which signals of a turn can be trusted, a result for each policy. */
  readonly signals?: readonly SignalsResult[];
  /** How likely what was written is under models. */
  readonly likelihood?: LikelihoodResult;
  /** How success and behaviour changed over training. */
  readonly dynamics?: DynamicsResult;
}

/** Returns the report of an analysis, with transcripts chosen in a second pass over the sources. */
export async function createReport(
  sources: readonly EpisodeSource[],
  analysis: Analysis,
  text: ReportText,
): Promise<Report> {
  const { buildReport, createEpisodePicker } = await import("../report/index.js");
  const picker = createEpisodePicker({ comparisons: analysis.comparisons });
  const runs = [];
  const invalidWarnings: string[] = [];
  for (const [index, source] of sources.entries()) {
    const labelByKey = analysis.labels[index];
    const labels = [...labelByKey.values()];
    const turnCounts = new Map(labels.map((label) => [label, { all: 0, invalid: 0 }]));
    const [surface] = analysis.surfaces.filter(({ label }) => labels.includes(label));
    const tasks = new Set<string>();
    let episodeCount = 0;
    for await (const trajectory of readSource(source)) {
      episodeCount += 1;
      tasks.add(trajectory.task.hash);
      const label = labelByKey.get(getSeriesKey(trajectory));
      if (label === undefined) continue;
      picker.add(label, trajectory);
      const count = turnCounts.get(label);
      if (count === undefined) continue;
      count.all += trajectory.turns.length;
      count.invalid += trajectory.turns.filter((turn) => turn.flags?.invalid === true).length;
    }
    invalidWarnings.push(...warnInvalid(turnCounts));
    runs.push({
      path: source.path,
      labels,
      ...(source.configHash === undefined ? {} : { configHash: source.configHash }),
      env: surface.env,
      taskCount: tasks.size,
      episodeCount,
      ...(source.origin === undefined ? {} : { source: source.origin }),
    });
  }
  const { surfaces, comparisons, adaptation } = analysis;
  const warnings = [
    ...new Set(sources.flatMap((source) => source.warnings ?? [])), // one run may be several sources
    ...(text.warnings ?? []),
    ...invalidWarnings,
  ];
  return buildReport({
    ...text,
    version: getPackageVersion(),
    runs,
    surfaces,
    comparisons,
    adaptation,
    episodes: picker.finish(),
    warnings,
  });
}

/** Share of invalid turns from which a reader must know: such turns look like a weak policy, and may be a wrong grammar. */
const manyInvalid = 0.2;

function warnInvalid(turnCounts: ReadonlyMap<string, { readonly all: number; readonly invalid: number }>): string[] {
  return [...turnCounts].flatMap(([label, { all, invalid }]) =>
    all === 0 || invalid / all < manyInvalid
      ? []
      : [
          `${label}: ${Math.round((100 * invalid) / all)} % of turns held no action that could be read or carried out. See the transcripts; the surface or the grammar may not fit the model`,
        ],
  );
}

/**
 * Writes `report.json` and `report.html` into a folder, each as a whole: a reader never sees half a file.
 *
 * @throws {TurnwiseError} (input) when the folder cannot be written.
 */
export async function writeReport(folder: string, report: Report): Promise<WrittenReport> {
  const { renderReportJson, renderReportPage } = await import("../report/index.js");
  const jsonPath = join(folder, "report.json");
  const pagePath = join(folder, "report.html");
  await writeWhole(folder, jsonPath, renderReportJson(report));
  await writeWhole(folder, pagePath, renderReportPage(report));
  return { report, jsonPath, pagePath };
}

/**
 * Writes a text file as a whole, making its folder.
 *
 * @throws {TurnwiseError} (input) when it cannot be written.
 */
export async function writeWhole(folder: string, path: string, text: string): Promise<void> {
  try {
    await makeFolder(folder);
    await writeFile(`${path}.part`, text);
    await rename(`${path}.part`, path);
  } catch (error) {
    throw inputError(
      `Cannot write "${path}": ${describeSystemError(error)}`,
      "Choose another folder with --output",
      error,
    );
  }
}
