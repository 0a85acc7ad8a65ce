import {
  canonicalJson,
  getEpisodeKey,
  inputError,
  usageError,
  type EpisodeStore,
  type Trajectory,
} from "../../core/index.js";
import { diffConfigs, getRunIdentity, renderConfigDifferences, type RunManifest } from "./manifest.js";
import { readRun, type RunReader } from "./run-reader.js";
import { createRunStore } from "./run-store.js";
import type { EpisodeRow } from "./episode-row.js";

/** An episode that two runs recorded differently. */
export interface MergeConflict {
  readonly episodeId: string;
  readonly taskId: string;
  readonly sampleIndex: number;
  /** Folder whose record was kept, and the one whose record was not. */
  readonly kept: string;
  readonly dropped: string;
}

/** What a merge did. */
export interface MergeSummary {
  readonly manifest: RunManifest;
  readonly episodeCount: number;
  /** Episodes that several runs hold with the same content. */
  readonly duplicateCount: number;
  readonly conflicts: readonly MergeConflict[];
  /** Problems of the folders read, in words. */
  readonly problems: readonly string[];
}

function mergeManifests(runs: readonly RunReader[]): RunManifest {
  const [first, ...others] = runs.map(({ manifest }) => manifest);
  for (const [otherIndex, other] of others.entries()) {
    if (other.configHash === first.configHash) continue;
    const differences = diffConfigs(getRunIdentity(first), getRunIdentity(other));
    throw inputError(
      `Cannot merge "${runs[otherIndex + 1].folder}" into "${runs[0].folder}": their configurations differ (first -> other)\n${renderConfigDifferences(differences)}`,
      "Compare the runs instead of merging them",
    );
  }
  const { shard: _shard, plannedEpisodes: _planned, sources: _sources, ...rest } = first;
  return { ...rest, plannedEpisodes: sumPlans(runs), sources: mergeSources(runs) };
}

/** Planned episodes of different shards add up; the same shard (or the whole plan) twice counts once. */
function sumPlans(runs: readonly RunReader[]): number | undefined {
  const plans = new Map<string, number>();
  for (const { manifest } of runs) {
    const { shard, plannedEpisodes } = manifest;
    if (plannedEpisodes === undefined) return undefined;
    if (shard === undefined) return plannedEpisodes;
    plans.set(`${shard.number}/${shard.count}`, plannedEpisodes);
  }
  return [...plans.values()].reduce((sum, count) => sum + count, 0);
}

function mergeSources(runs: readonly RunReader[]): RunManifest["sources"] {
  const sources = runs.flatMap(({ manifest }) => manifest.sources ?? []);
  const bySha256 = new Map(sources.map((source) => [`${source.name} ${source.sha256}`, source]));
  return bySha256.size === 0 ? undefined : [...bySha256.values()];
}

function isBetter(candidate: EpisodeRow, current: EpisodeRow): boolean {
  return current.stopLabel === "error" && candidate.stopLabel !== "error";
}

/** Says whether two records say the same of the episode; where they were read from does not matter. */
function isSameEpisode(a: Trajectory, b: Trajectory): boolean {
  const strip = ({ provenance: _provenance, ...rest }: Trajectory): string => JSON.stringify(rest);
  return strip(a) === strip(b);
}

/**
 * Unites runs of one configuration (shards, or parts played on several machines) in a new folder. Each key is kept
 * once: a finished episode before one that ended in an error, else the record of the folder named first; different
 * records of one key are reported as conflicts.
 *
 * @throws {TurnwiseError} (input) when the configurations differ (each field is named) or a folder is no run; (usage)
 * when no folder is given.
 */
export async function mergeRuns(folders: readonly string[], output: string): Promise<MergeSummary> {
  if (folders.length === 0) throw usageError("Cannot merge runs: no folder was given");
  const runs: RunReader[] = [];
  for (const folder of folders) runs.push(await readRun(folder));
  const store = await createRunStore(output, mergeManifests(runs));
  const conflicts: MergeConflict[] = [];
  let duplicateCount = 0;
  try {
    const kept = new Map<string, { readonly run: RunReader; readonly row: EpisodeRow }>();
    for (const run of runs) {
      for (const row of run.listRows()) {
        const key = getRowKey(row);
        const current = kept.get(key);
        if (current === undefined || isBetter(row, current.row)) kept.set(key, { run, row });
        else if (!isBetter(current.row, row)) {
          if (isSameEpisode(run.readEpisode(row), current.run.readEpisode(current.row))) duplicateCount += 1;
          else conflicts.push(describeConflict(row, current.run, run));
        }
      }
    }
    await copyEpisodes([...kept.values()], store);
    return {
      manifest: store.manifest,
      episodeCount: store.episodeCount,
      duplicateCount,
      conflicts,
      problems: runs.flatMap(({ folder, problems }) => problems.map(({ message }) => `${folder}: ${message}`)),
    };
  } finally {
    for (const run of runs) run.close();
    await store.close();
  }
}

function getRowKey({ setting, task, sampleIndex }: EpisodeRow): string {
  const { policyId, budget, disclosure, terminalRule } = setting;
  return canonicalJson([policyId, task.hash, sampleIndex, budget, disclosure, terminalRule]);
}

function describeConflict(row: EpisodeRow, kept: RunReader, dropped: RunReader): MergeConflict {
  const { episodeId, task, sampleIndex } = row;
  return { episodeId, taskId: task.id, sampleIndex, kept: kept.folder, dropped: dropped.folder };
}

/** Copies in batches: each batch shares one sync, and memory stays bounded by it. */
async function copyEpisodes(
  entries: readonly { readonly run: RunReader; readonly row: EpisodeRow }[],
  store: EpisodeStore,
): Promise<void> {
  const batchLength = 512;
  for (let start = 0; start < entries.length; start += batchLength) {
    const batch = entries.slice(start, start + batchLength).map(({ run, row }) => run.readEpisode(row));
    await Promise.all(
      batch
        .filter((trajectory) => !store.hasFinished(getEpisodeKey(trajectory)))
        .map((trajectory) => store.append(trajectory)),
    );
  }
}
