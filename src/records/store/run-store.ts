import { existsSync } from "node:fs";
import { readFile, stat, truncate } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inputError, type EpisodeKey, type EpisodeStore, type Trajectory } from "../../core/index.js";
import { isTrajectory } from "../schema/validate.js";
import { explainWriteError, getBlobPath, replaceFile } from "./files.js";
import { lockFolder, type FolderLock } from "./lock.js";
import {
  diffConfigs,
  findRunManifest,
  getRunIdentity,
  renderConfigDifferences,
  writeRunManifest,
  type RunManifest,
} from "./manifest.js";
import { encodeRecord, type Blob } from "./record-line.js";
import { getSegmentPath, listSegments, readRunIndex, writeSegmentIndex, type RunIndex } from "./run-index.js";
import { readNewest } from "./record-reader.js";
import type { RunProblem } from "./run-problem.js";
import { getScalars, type EpisodeScalars } from "./segment-index.js";
import { SegmentWriter, type LinePlace, type SegmentLimits, type SegmentStart } from "./segment-writer.js";
import { makeFolder } from "./make-folder.js";

/** Optional arguments of {@linkcode createRunStore} and {@linkcode openRunStore}. */
export interface RunStoreOptions {
  /** A segment is full at this many bytes. Default 256 MiB. */
  readonly maxSegmentBytes?: number;
  /** A segment is full at this many episodes. Default 100,000. */
  readonly maxSegmentEpisodes?: number;
  /** Strings longer than this many UTF-16 units are stored beside the record by hash. Default 262,144. */
  readonly maxInlineLength?: number;
}

/** A run folder opened for writing. */
export interface RunStore extends EpisodeStore {
  readonly folder: string;
  readonly manifest: RunManifest;
  /** What was found wrong when the folder was opened and is redone: a torn last record, damaged lines. */
  readonly problems: readonly RunProblem[];
  /** Different episodes recorded, those that ended in an error included. */
  readonly episodeCount: number;
  /** Replaces facts of the manifest that are known only later; what decides the episodes must stay the same. */
  updateManifest(changes: Partial<Pick<RunManifest, "sources" | "plannedEpisodes">>): Promise<void>;
}

/** Cuts what a killed writer left of a last record, so that the next one starts on a line of its own. */
async function cutTornTail(folder: string, problems: readonly RunProblem[]): Promise<void> {
  for (const { problemClass, segment, offset } of problems) {
    if (problemClass === "torn_tail") await truncate(getSegmentPath(folder, segment), offset);
  }
}

async function findStart(folder: string, index: RunIndex): Promise<SegmentStart> {
  const segment = (await listSegments(folder)).at(-1);
  if (segment === undefined) return { segment: 1, byteCount: 0, episodeCount: 0 };
  const { size } = await stat(getSegmentPath(folder, segment));
  return { segment, byteCount: size, episodeCount: index.segments.get(segment)?.rowCount ?? 0 };
}

/** Says whether a file is there and holds these bytes; one that was altered or cut short does not. */
async function holds(path: string, bytes: Buffer): Promise<boolean> {
  try {
    return (await stat(path)).size === bytes.length && (await readFile(path)).equals(bytes);
  } catch {
    return false;
  }
}

/** Stores values beside the records, before any record that names them. A value that is there already is kept, unless it was altered. */
async function writeBlobs(folder: string, blobs: readonly Blob[]): Promise<void> {
  for (const { sha256, bytes } of blobs) {
    const path = getBlobPath(folder, sha256);
    if (await holds(path, bytes)) continue;
    try {
      await makeFolder(dirname(path));
      await replaceFile(path, bytes);
    } catch (error) {
      throw explainWriteError("store a large value", path, error);
    }
  }
}

class FolderStore implements RunStore {
  readonly folder: string;
  readonly problems: readonly RunProblem[];
  #manifest: RunManifest;
  readonly #index: RunIndex;
  readonly #lock: FolderLock;
  readonly #writer: SegmentWriter;
  readonly #maxInlineLength: number;
  /** Large values on their way to the disk, whose records are not queued yet. */
  readonly #blobWrites = new Set<Promise<void>>();
  /** Segments to which this writer added a line that is no record. */
  readonly #unusableSegments = new Set<number>();
  #isClosed = false;

  constructor(
    folder: string,
    manifest: RunManifest,
    index: RunIndex,
    lock: FolderLock,
    start: SegmentStart,
    options: RunStoreOptions,
  ) {
    const { maxSegmentBytes = 256 * 1024 * 1024, maxSegmentEpisodes = 100_000, maxInlineLength = 256 * 1024 } = options;
    const limits: SegmentLimits = { maxSegmentBytes, maxSegmentEpisodes };
    this.folder = folder;
    this.problems = index.problems;
    this.#manifest = manifest;
    this.#index = index;
    this.#lock = lock;
    this.#maxInlineLength = maxInlineLength;
    this.#writer = new SegmentWriter(folder, start, limits, (segment) => this.#writeIndex(segment));
  }

  get manifest(): RunManifest {
    return this.#manifest;
  }

  get episodeCount(): number {
    return this.#index.episodeCount;
  }

  async append(trajectory: Trajectory): Promise<void> {
    if (this.#isClosed) throw new TypeError("Cannot append to a run that was closed");
    const { line, blobs } = encodeRecord(trajectory, this.#maxInlineLength);
    if (blobs.length > 0) await this.#storeBlobs(blobs);
    // What was played is kept as it is, but a record that no reader can use does not count as played.
    const isUsable = isTrajectory(trajectory) || isTrajectory(JSON.parse(line));
    return this.#writer.push(line, isUsable ? this.#createRow(getScalars(trajectory)) : this.#noteUnusable);
  }

  /** A segment's stored index would hide a line that it does not list; without one, each reader names the line. */
  readonly #noteUnusable = ({ segment }: LinePlace): void => {
    this.#unusableSegments.add(segment);
  };

  async #storeBlobs(blobs: readonly Blob[]): Promise<void> {
    const writing = writeBlobs(this.folder, blobs);
    this.#blobWrites.add(writing);
    try {
      await writing;
    } finally {
      this.#blobWrites.delete(writing);
    }
  }

  /** Returns what enters a durable record into the index. Holds its scalars only, so that the record can be freed. */
  #createRow(scalars: EpisodeScalars): (place: LinePlace) => void {
    return ({ segment, offset, length }) => this.#index.add(segment, scalars, offset, length);
  }

  hasFinished(key: EpisodeKey): boolean {
    const row = this.#index.find(key);
    return row !== undefined && row.stopLabel !== "error";
  }

  read(): AsyncIterable<Trajectory> {
    return readNewest(this.folder, this.#index);
  }

  async updateManifest(changes: Partial<Pick<RunManifest, "sources" | "plannedEpisodes">>): Promise<void> {
    this.#manifest = { ...this.#manifest, ...changes };
    await writeRunManifest(this.folder, this.#manifest);
  }

  async #writeIndex(segment: number): Promise<void> {
    const index = this.#index.segments.get(segment);
    if (index !== undefined && !this.#unusableSegments.has(segment)) await writeSegmentIndex(this.folder, index);
    this.#index.staleSegments.delete(segment);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      await Promise.allSettled(this.#blobWrites);
      await new Promise(setImmediate); // lets their appends queue the records
      await this.#writer.close();
      for (const segment of this.#index.staleSegments) await this.#writeIndex(segment);
    } finally {
      await this.#lock.release();
    }
  }
}

async function openLocked(
  folder: string,
  options: RunStoreOptions,
  settle: (found: RunManifest | undefined) => Promise<RunManifest>,
): Promise<RunStore> {
  const lock = await lockFolder(folder);
  try {
    const manifest = await settle(await findRunManifest(folder));
    const index = await readRunIndex(folder);
    await cutTornTail(folder, index.problems);
    return new FolderStore(folder, manifest, index, lock, await findStart(folder, index), options);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function refuseChange(folder: string, found: RunManifest, manifest: RunManifest): void {
  if (found.configHash === manifest.configHash) return;
  const differences = diffConfigs(getRunIdentity(found), getRunIdentity(manifest));
  throw inputError(
    `Cannot continue the run in "${folder}": its configuration differs in ${differences.length} ${differences.length === 1 ? "field" : "fields"} (found -> asked)\n${renderConfigDifferences(differences)}`,
    "Use another output folder, or the settings the run was begun with",
  );
}

function isSameShard(a: RunManifest["shard"], b: RunManifest["shard"]): boolean {
  return a?.number === b?.number && a?.count === b?.count;
}

/**
 * Begins a run in `folder`, or continues the one that is there: finished episodes are kept, a torn last record is cut
 * off and named in `problems`. Only one process can write a folder at a time.
 *
 * @throws {TurnwiseError} (input) when the folder holds a run of another configuration (the message lists each field
 * that differs), another process writes it, or it cannot be written.
 */
export async function createRunStore(
  folder: string,
  manifest: RunManifest,
  options: RunStoreOptions = {},
): Promise<RunStore> {
  try {
    await makeFolder(folder);
  } catch (error) {
    throw explainWriteError("create the run", folder, error);
  }
  return openLocked(folder, options, async (found) => {
    if (found === undefined) {
      if (existsSync(join(folder, "pool.json"))) {
        throw inputError(
          `Cannot begin a run in "${folder}": it holds an error pool`,
          "A pool is frozen once it is written; choose another folder with --output",
        );
      }
      if ((await listSegments(folder)).length > 0) {
        throw inputError(
          `Cannot begin a run in "${folder}": it holds segments but no "run.json"`,
          "Use another folder, or restore the file",
        );
      }
      try {
        await writeRunManifest(folder, manifest);
      } catch (error) {
        throw explainWriteError("begin the run", folder, error);
      }
      return manifest;
    }
    refuseChange(folder, found, manifest);
    if (!isSameShard(found.shard, manifest.shard)) {
      const show = (shard: RunManifest["shard"]): string =>
        shard === undefined ? "all episodes" : `shard ${shard.number}/${shard.count}`;
      throw inputError(
        `Cannot continue the run in "${folder}": it holds ${show(found.shard)}, asked for ${show(manifest.shard)}`,
        "Give each shard its own folder and merge them",
      );
    }
    return found;
  });
}

/**
 * Opens the run in `folder` to append to it as it is.
 *
 * @throws {TurnwiseError} (input) when there is no run, or another process writes it.
 */
export function openRunStore(folder: string, options: RunStoreOptions = {}): Promise<RunStore> {
  return openLocked(folder, options, (found) => {
    if (found !== undefined) return Promise.resolve(found);
    throw inputError(`Cannot open a run in "${folder}": there is no "run.json" in it`);
  });
}
