// internal
import { open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { explainWriteError, syncFolder } from "./files.js";
import { getSegmentPath } from "./run-index.js";
import { makeFolder } from "./make-folder.js";

/** Where a durable line lies. */
export interface LinePlace {
  readonly segment: number;
  readonly offset: number;
  readonly length: number;
}

/** What becomes of a line. It must not refer to the line's text, which would keep it in memory. */
interface LineOutcome {
  readonly length: number;
  readonly onDurable: (place: LinePlace) => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Lines that wait, already as bytes: text that waits would be copied around by the garbage collector. */
interface Batch {
  readonly bytes: Buffer;
  byteCount: number;
  readonly lines: LineOutcome[];
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

/** Bytes of a batch; a longer line has a batch of its own. */
const batchCapacity = 1024 * 1024;
const lineFeed = 0x0a;
/** UTF-8 needs at most this many bytes for one UTF-16 unit. */
const bytesPerUnit = 3;

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
  #queue: Batch[] = [];
  /** A buffer that is free again. */
  #spare: Buffer | undefined;
  #writing: Promise<void> | undefined;
  /** Set when the state of the file is not known any more; nothing is written after that. */
  #fatal: Error | undefined;

  constructor(
    folder: string,
    start: SegmentStart,
    limits: SegmentLimits,
    onSealed: (segment: number) => Promise<void>,
  ) {
    this.#folder = folder;
    this.#limits = limits;
    this.#onSealed = onSealed;
    this.#segment = start.segment;
    this.#byteCount = start.byteCount;
    this.#episodeCount = start.episodeCount;
  }

  /** Writes a line, given without its line feed; resolves once it is durable, after `onDurable` was told its place. */
  push(text: string, onDurable: (place: LinePlace) => void): Promise<void> {
    const needed = text.length * bytesPerUnit + 1;
    let batch = this.#queue.at(-1);
    if (batch === undefined || batch.byteCount + needed > batch.bytes.length) {
      batch = { bytes: this.#takeBuffer(needed), byteCount: 0, lines: [] };
      this.#queue.push(batch);
    }
    const length = batch.bytes.write(text, batch.byteCount, "utf8");
    batch.bytes[batch.byteCount + length] = lineFeed;
    batch.byteCount += length + 1;
    this.#writing ??= this.#writeQueue();
    const { lines } = batch;
    return new Promise((resolve, reject) => lines.push({ length, onDurable, resolve, reject }));
  }

  #takeBuffer(needed: number): Buffer {
    if (needed > batchCapacity) return Buffer.allocUnsafeSlow(needed);
    const buffer = this.#spare ?? Buffer.allocUnsafeSlow(batchCapacity);
    this.#spare = undefined;
    return buffer;
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
    for (let batch = this.#queue.shift(); batch !== undefined; batch = this.#queue.shift()) {
      let lineIndex = 0;
      let start = 0;
      // A batch that does not fit into the segment any more is written in parts.
      while (lineIndex < batch.lines.length) {
        const { end, nextIndex } = this.#findPart(batch, lineIndex, start);
        const part = batch.lines.slice(lineIndex, nextIndex);
        try {
          if (this.#fatal !== undefined) throw this.#fatal;
          await this.#writePart(batch.bytes.subarray(start, end), part);
        } catch (error) {
          for (const { reject } of part) reject(error);
        }
        [lineIndex, start] = [nextIndex, end];
      }
      if (batch.bytes.length === batchCapacity) this.#spare = batch.bytes;
    }
    this.#writing = undefined;
  }

  /** Returns how far into the batch the segment has room. */
  #findPart(batch: Batch, lineIndex: number, start: number): { readonly end: number; readonly nextIndex: number } {
    const room = this.#limits.maxSegmentEpisodes - this.#episodeCount;
    const nextIndex = lineIndex + (room > 0 ? room : this.#limits.maxSegmentEpisodes);
    if (nextIndex >= batch.lines.length) return { end: batch.byteCount, nextIndex: batch.lines.length };
    const end = batch.lines.slice(lineIndex, nextIndex).reduce((at, { length }) => at + length + 1, start);
    return { end, nextIndex };
  }

  async #openSegment(): Promise<FileHandle> {
    const isFull =
      this.#byteCount >= this.#limits.maxSegmentBytes || this.#episodeCount >= this.#limits.maxSegmentEpisodes;
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
    await makeFolder(dirname(path));
    this.#handle = await open(path, "a");
    await syncFolder(dirname(path));
    return this.#handle;
  }

  async #writePart(bytes: Buffer, lines: Batch["lines"]): Promise<void> {
    let handle: FileHandle;
    try {
      handle = await this.#openSegment();
    } catch (error) {
      throw explainWriteError("write episodes", getSegmentPath(this.#folder, this.#segment), error);
    }
    const path = getSegmentPath(this.#folder, this.#segment);
    try {
      for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten;
      await handle.datasync();
    } catch (error) {
      await this.#undo(handle, path, error);
      throw explainWriteError("write episodes", path, error);
    }
    let offset = this.#byteCount;
    this.#byteCount += bytes.length;
    this.#episodeCount += lines.length;
    for (const { length, onDurable, resolve } of lines) {
      onDurable({ segment: this.#segment, offset, length });
      resolve();
      offset += length + 1;
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
