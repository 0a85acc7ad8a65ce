import { inputError, type EpisodeKey, type Trajectory } from "../../core/index.js";
import type { EpisodeRow } from "./episode-row.js";
import { findRunManifest, type RunManifest } from "./manifest.js";
import { readNewest, RecordReader } from "./record-reader.js";
import { readRunIndex } from "./run-index.js";
import type { RunProblem } from "./run-problem.js";

/** A run folder as it was when it was opened. */
export interface RunReader {
  readonly folder: string;
  readonly manifest: RunManifest;
  /** Different episodes recorded, those that ended in an error included. */
  readonly episodeCount: number;
  /** What was passed over: an unfinished record at the end, damaged lines. */
  readonly problems: readonly RunProblem[];
  /** Returns the scalars of the newest record of each key, in the order of `read`. */
  listRows(): readonly EpisodeRow[];
  /** Returns the newest row of a key, or `undefined`. */
  findRow(key: EpisodeKey): EpisodeRow | undefined;
  /** Returns one record: one positioned read, about 20 microseconds for 2 KB. */
  readEpisode(row: EpisodeRow): Trajectory;
  /** Yields the newest record of each key, ordered by setting, task hash and sample index. */
  read(): AsyncIterable<Trajectory>;
  /** Closes the files it read from; needed after `readEpisode`, harmless otherwise. */
  close(): void;
}

/**
 * Opens a run for reading. Never changes the folder, and works while another process writes it: what is durable at
 * this moment is seen, an unfinished last record is named in `problems`.
 *
 * @throws {TurnwiseError} (input) when the folder is no run.
 */
export async function readRun(folder: string): Promise<RunReader> {
  const manifest = await findRunManifest(folder);
  if (manifest === undefined) {
    throw inputError(
      `Cannot read a run in "${folder}": there is no "run.json" in it`,
      "Name the folder that an eval or import wrote",
    );
  }
  const index = await readRunIndex(folder);
  const records = new RecordReader(folder);
  return {
    folder,
    manifest,
    episodeCount: index.episodeCount,
    problems: index.problems,
    listRows: () => index.listRows(),
    findRow: (key) => index.find(key),
    readEpisode: (row) => records.read(row),
    read: () => readNewest(folder, index),
    close: () => records.close(),
  };
}
