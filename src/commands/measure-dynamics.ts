import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { inputError, usageError, type Disclosure, type Trajectory } from "../core/index.js";
import { collectCheckpoint, measureDynamics, type CheckpointEpisodes } from "../diagnose/index.js";
import { getSeriesKey } from "../evaluate/index.js";
import { analyze, readSource, type AnalysisOptions, type EpisodeSource } from "./analyze.js";
import { openSource } from "./compare.js";
import type { FileSourceOptions } from "./file-source.js";
import { nameReportFolder } from "./report-folder.js";
import { createReport, writeReport, type WrittenReport } from "./write-report.js";

/** What `turnwise dynamics` does. */
export interface DynamicsRunsOptions extends AnalysisOptions, FileSourceOptions {
  /** Folder of the report; default `turnwise-runs/dynamics-NAMES`. */
  readonly output?: string;
  readonly title?: string;
  /** Follow only episodes whose budget was told in this way; needed where the runs hold several ways. */
  readonly disclosure?: Disclosure;
}

/**
 * Returns the update that a checkpoint's name tells: a name that is a number, or one that ends in `step`, `update`,
 * `checkpoint`, `ckpt`, `iter` or `epoch` and a number. Other numbers, such as a model's size, are none.
 *
 * @example
 * findUpdateIndex("global_step_200"); // 200
 */
export function findUpdateIndex(name: string): number | undefined {
  const match =
    /^(\d+)$/.exec(name) ??
    /(?:^|[^a-z])(?:global[-_]?step|step|update|checkpoint|ckpt|iter|iteration|epoch|u)[-_ ]?(\d+)$/i.exec(name);
  return match === null ? undefined : Number(match[1]);
}

/** Episodes compared to tell whether two checkpoints are one. */
const comparedEpisodes = 50;

/** Says by its content whether a run is named twice, also under another path or name. */
class EpisodePrint {
  readonly #hash = createHash("sha256");
  #count = 0;

  add(trajectory: Trajectory): void {
    this.#count += 1;
    if (this.#count <= comparedEpisodes) this.#hash.update(JSON.stringify(trajectory));
  }

  read(): string {
    return `${this.#count} ${this.#hash.digest("hex")}`;
  }
}

function refuseSame(prints: Map<string, string>, print: string, label: string): void {
  const other = prints.get(print);
  if (other !== undefined)
    throw inputError(
      `Cannot follow training: "${other}" and "${label}" are the same episodes`,
      "Name each checkpoint's run once",
    );
  prints.set(print, label);
}

/** Returns the source under the name of its folder, where that tells the update and it has no other name. */
function nameByUpdate(source: EpisodeSource): EpisodeSource {
  const { label, policyId, path } = source;
  const name = basename(path);
  return label === undefined && policyId === undefined && findUpdateIndex(name) !== undefined
    ? { ...source, label: name }
    : source;
}

/** Returns the sources in the order of training where all names tell it; a shell lists `update-100` before `update-50`. */
function sortByUpdate(sources: readonly EpisodeSource[]): readonly EpisodeSource[] {
  const updates = new Map(sources.map((source) => [source, findUpdateIndex(source.label ?? "")]));
  if ([...updates.values()].includes(undefined)) return sources;
  return [...sources].sort((a, b) => (updates.get(a) ?? 0) - (updates.get(b) ?? 0));
}

/**
 * Follows checkpoints of a training run over turn budgets and writes a report. A checkpoint is a run folder or file
 * (`100=runs/step-100` names its update), or one policy or `policy.checkpoint` of a run that holds several.
 *
 * @throws {TurnwiseError} (usage) for fewer than two checkpoints or two of one update; (input) for runs that cannot be read,
 * are named twice, differ in more than the policy, or share no task.
 */
export async function dynamicsRuns(
  inputs: readonly string[],
  options: DynamicsRunsOptions = {},
): Promise<WrittenReport> {
  if (inputs.length === 0)
    throw usageError("Cannot follow training of nothing", "Name the run folders of its checkpoints");
  const { disclosure } = options;
  const opened = await Promise.all(inputs.map((input) => openSource(input, options)));
  const sources = sortByUpdate(
    opened.map((source) => nameByUpdate(disclosure === undefined ? source : { ...source, disclosure })),
  );
  const analysis = await analyze(sources, { ...options, allow: [], mustCompare: true });
  const checkpoints: CheckpointEpisodes[] = [];
  const prints = new Map<string, string>();
  for (const [index, source] of sources.entries()) {
    for (const [key, label] of analysis.labels[index]) {
      let checkpoint: string | undefined;
      const print = new EpisodePrint();
      async function* read(): AsyncGenerator<Trajectory> {
        for await (const trajectory of readSource(source)) {
          if (getSeriesKey(trajectory) !== key) continue;
          checkpoint ??= trajectory.policy.checkpoint;
          print.add(trajectory);
          yield trajectory;
        }
      }
      const found = await collectCheckpoint(read(), { label });
      refuseSame(prints, print.read(), label);
      const updateIndex =
        findUpdateIndex(source.label ?? "") ?? findUpdateIndex(checkpoint ?? "") ?? findUpdateIndex(label);
      checkpoints.push(updateIndex === undefined ? found : { ...found, updateIndex });
    }
  }
  const { budgets, level, margin, replicates, bootstrapSeed: seed } = options;
  const dynamics = measureDynamics(checkpoints, { budgets, level, margin, replicates, seed });
  const report = await createReport(sources, analysis, {
    title:
      options.title ??
      `Training from ${dynamics.checkpoints[0].label} to ${dynamics.checkpoints[dynamics.checkpoints.length - 1].label}`,
    question: "How did training go, at which turn budgets?",
    dynamics,
  });
  return writeReport(options.output ?? join("turnwise-runs", nameReportFolder("dynamics", sources)), report);
}
