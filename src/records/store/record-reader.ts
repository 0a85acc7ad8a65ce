// internal
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { describeSystemError, inputError, type JsonValue, type Trajectory } from "../../core/index.js";
import { explainRecord, isTrajectory } from "../schema/validate.js";
import type { EpisodeRow } from "./episode-row.js";
import { getBlobPath } from "./files.js";
import { restoreBlobs } from "./record-line.js";
import { getSegmentPath, type RunIndex } from "./run-index.js";

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
      throw inputError(
        `Cannot read ${where}: ${describeSystemError(error)}`,
        "If a file of the run was deleted or altered, restore it or play the episode again",
        error,
      );
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

/** Yields the newest record of each key. */
export async function* readNewest(folder: string, index: RunIndex): AsyncGenerator<Trajectory> {
  const records = new RecordReader(folder);
  try {
    for (const row of index.listRows()) yield records.read(row);
  } finally {
    records.close();
  }
}
