import { basename } from "node:path";
import { inputError, type Trajectory } from "../core/index.js";
import { importFile, type ImportOptions } from "../records/index.js";
import type { EpisodeSource } from "./analyze.js";

/** How files of other tools are read. */
export interface FileSourceOptions {
  /** Importer name; default `auto`. */
  readonly format?: string;
  readonly importOptions?: ImportOptions;
}

/**
 * Returns a file of another tool as a source of episodes, imported into memory. What could not be kept is listed in
 * the source's warnings.
 *
 * @throws {TurnwiseError} (input) for a file that cannot be used or holds no episode.
 */
export async function createFileSource(
  path: string,
  { format = "auto", importOptions = {} }: FileSourceOptions,
  selection: Pick<EpisodeSource, "label" | "policyId"> = {},
): Promise<EpisodeSource> {
  const trajectories: Trajectory[] = [];
  const problems = new Map<string, number>();
  const file = await importFile(path, format, importOptions);
  for await (const item of file.items) {
    if (item.type === "trajectory") trajectories.push(item.trajectory);
    else problems.set(item.problemClass, (problems.get(item.problemClass) ?? 0) + 1);
  }
  if (trajectories.length === 0) throw inputError(`Cannot use "${path}": it holds no episode`);
  return {
    ...selection,
    path: basename(path),
    origin: `${basename(path)} (${file.format})`,
    warnings: [...problems].map(([problem, count]) => `${basename(path)}: ${count} × ${problem.replaceAll("_", " ")}`),
    read: () => trajectories,
  };
}
