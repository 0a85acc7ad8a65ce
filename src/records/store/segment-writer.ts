// internal
import { mkdir, open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { explainWriteError, syncFolder } from "./files.js";
import { getSegmentPath } from "./run-index.js";

/** One line that waits to be written. */
export interface PendingLine {
  /** Without the line feed. */
  readonly text: string;
  /** Called once the line is durable. */
  readonly onDurable: (place: { readonly segment: number; readonly offset: number; readonly length: number }) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Limits of one segment; whichever is reached first. */
export interface SegmentLimits {
  readonly maxSegmentBytes: number;
  readonly maxSegmentEpisodes: number;
}

/** Where writing goes on. */
export interface SegmentStart {
  readonly segment: number;
  /** Durable bytes and episodes that are there already. */
  readonly byteCount: number;
  readonly episodeCount: number;
}

const maxBatchLength = 16 * 1024 * 1024;

/**
 * Appends lines to segments by group commit: lines that wait while one write is made durable share the next one, so
 * many concurrent episodes cost few syncs. A line is acknowledged only after `fdatasync`.
 */
export class SegmentWriter {
  readonly #folder: string;
  readonly #limits: SegmentLimits;
  readonly #onSealed: (segment: number) => Promise<void>;
  #handle: FileHandle | undefined;
  #segment: number;
  #byteCount: number;
  #episodeCount: number;
  #queue: PendingLine[] = [];
  #writing: Promise<void> | undefined;
  /** Set when the state of the file is not known any more; nothing is written after that. */
  #fatal: Error | undefined;

  constructor(folder: string, start: SegmentStart, limits: SegmentLimits, onSealed: (segment: number) => Promise<void>) {
    this.#folder = folder;
    this.#limits = limits;
    this.#onSealed = onSealed;
    this.#segment = start.segment;
    this.#byteCount = start.byteCount;
    this.#episodeCount = start.episodeCount;
  }

  /** Queues a line. */
  push(line: PendingLine): void {
    this.#queue.push(line);
    this.#writing ??= this.#writeQueue();
  }

  /** Resolves when everything queued is durable or has failed, and the file is closed. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #writeQueue(): Promise<void> {
    // Lets everything that finishes in this turn of the event loop join the first batch.
    await new Promise(setImmediate);
    while (this.#queue.length > 0) {
      const batch = this.#takeBatch();
      try {
        if (this.#fatal !== undefined) throw this.#fatal;
        await this.#writeBatch(batch);
      } catch (error) {
        for (const line of batch) line.onFailed(error);
      }
    }
    this.#writing = undefined;
  }

  #takeBatch(): PendingLine[] {
    const room = this.#limits.maxSegmentEpisodes - this.#episodeCount;
    const maxCount = Math.max(1, room > 0 ? room : this.#limits.maxSegmentEpisodes);
    let length = 0;
    let count = 0;
    while (count < this.#queue.length && count < maxCount && length < maxBatchLength) {
      length += this.#queue[count].text.length;
      count += 1;
    }
    if (count === this.#queue.length) {
      const all = this.#queue;
      this.#queue = [];
      return all;
    }
    return this.#queue.splice(0, count);
  }

  async #openSegment(): Promise<FileHandle> {
    const isFull = this.#byteCount >= this.#limits.maxSegmentBytes || this.#episodeCount >= this.#limits.maxSegmentEpisodes;
    if (isFull) {
      await this.#handle?.close();
      this.#handle = undefined;
      await this.#onSealed(this.#segment);
      this.#segment += 1;
      this.#byteCount = 0;
      this.#episodeCount = 0;
    }
    if (this.#handle !== undefined) return this.#handle;
    const path = getSegmentPath(this.#folder, this.#segment);
    await mkdir(dirname(path), { recursive: true });
    this.#handle = await open(path, "a");
    await syncFolder(dirname(path));
    return this.#handle;
  }

  async #writeBatch(batch: readonly PendingLine[]): Promise<void> {
    let handle: FileHandle;
    try {
      handle = await this.#openSegment();
    } catch (error) {
      throw explainWriteError("write episodes", getSegmentPath(this.#folder, this.#segment), error);
    }
    const path = getSegmentPath(this.#folder, this.#segment);
    const lengths = batch.map(({ text }) => Buffer.byteLength(text));
    const bytes = Buffer.from(`${batch.map(({ text }) => text).join("\n")}\n`, "utf8");
    try {
      for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
      await handle.datasync();
    } catch (error) {
      await this.#undo(handle, path, error);
      throw explainWriteError("write episodes", path, error);
    }
    let offset = this.#byteCount;
    this.#byteCount += bytes.length;
    this.#episodeCount += batch.length;
    for (const [lineIndex, line] of batch.entries()) {
      line.onDurable({ segment: this.#segment, offset, length: lengths[lineIndex] });
      offset += lengths[lineIndex] + 1;
    }
  }

  /** Takes back what a failed write left, so that the next one starts on a whole line. */
  async #undo(handle: FileHandle, path: string, error: unknown): Promise<void> {
    try {
      await handle.truncate(this.#byteCount);
      // After a failed sync the system may have dropped the bytes, so only a sync that works shows the disk is sound.
      await handle.datasync();
    } catch {
      this.#fatal = explainWriteError("write episodes", path, error);
    }
  }
}
