import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { errorMessage, inputError, type EpisodeKey, type JsonValue, type Trajectory } from "../../core/index.js";
import { explainRecord, isTrajectory } from "../schema/validate.js";
import { findRunManifest, type RunManifest } from "./manifest.js";
import { restoreBlobs } from "./record-line.js";
import { getSegmentPath, readRunIndex, type RunIndex, type RunProblem } from "./run-index.js";
import type { EpisodeRow } from "./segment-index.js";

/** Returns the path of a blob. */
export function getBlobPath(folder: string, sha256: string): string {
  return join(folder, "blobs", sha256.slice(0, 2), sha256);
}

/** Reads single records by their place. Keeps a file descriptor for each segment. */
export class RecordReader {
  readonly #folder: string;
  readonly #descriptors = new Map<number, number>();
  #buffer = Buffer.alloc(64 * 1024);

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Returns the record of a row, values stored beside it put back.
   *
   * @throws {TurnwiseError} (input) when the record or a value beside it cannot be read any more.
   */
  read(row: EpisodeRow): Trajectory {
    const { segment, offset, length } = row;
    const where = `episode ${row.episodeId} in "${getSegmentPath(this.#folder, segment)}" at byte ${offset}`;
    let record: unknown;
    try {
      const line: unknown = JSON.parse(this.#readLine(segment, offset, length));
      record = restoreBlobs(line as JsonValue, (sha256) => readFileSync(getBlobPath(this.#folder, sha256))); // JSON.parse returns nothing else
    } catch (error) {
      throw inputError(`Cannot read ${where}: ${errorMessage(error)}`, "If a file of the run was deleted, restore it or play the episode again", error);
    }
    if (!isTrajectory(record)) throw inputError(`Cannot read ${where}: ${explainRecord(record) ?? "it is no record"}`);
    return record;
  }

  #readLine(segment: number, offset: number, length: number): string {
    let descriptor = this.#descriptors.get(segment);
    if (descriptor === undefined) {
      descriptor = openSync(getSegmentPath(this.#folder, segment), "r");
      this.#descriptors.set(segment, descriptor);
    }
    if (this.#buffer.length < length) this.#buffer = Buffer.alloc(length * 2);
    const byteCount = readSync(descriptor, this.#buffer, 0, length, offset);
    if (byteCount < length) throw new Error(`the file ends early: it has ${fstatSync(descriptor).size} bytes`);
    return this.#buffer.toString("utf8", 0, length);
  }

  /** Closes the files. */
  close(): void {
    for (const descriptor of this.#descriptors.values()) closeSync(descriptor);
    this.#descriptors.clear();
  }
}

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

/** Yields the newest record of each key. */
export async function* readNewest(folder: string, index: RunIndex): AsyncGenerator<Trajectory> {
  const records = new RecordReader(folder);
  try {
    for (const row of index.listRows()) yield records.read(row);
  } finally {
    records.close();
  }
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
    throw inputError(`Cannot read a run in "${folder}": there is no "run.json" in it`, "Name the folder that an eval or import wrote");
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
