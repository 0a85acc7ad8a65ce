// internal
import { createReadStream } from "node:fs";
import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { EpisodeKey } from "../../core/index.js";
import { getSystemCode, canonicalJson, describeSystemError, inputError } from "../../core/index.js";
import { isBlank, readRawLines } from "../reading/lines.js";
import { replaceFile } from "./files.js";
import type { EpisodeRow, EpisodeSetting } from "./episode-row.js";
import { checkLine } from "./check-line.js";
import type { RunProblem } from "./run-problem.js";
import { getScalars, SegmentIndex, type EpisodeScalars } from "./segment-index.js";
import { makeFolder } from "./make-folder.js";

/** Returns a segment's path. */
export function getSegmentPath(folder: string, segment: number): string {
  return join(folder, "segments", `${String(segment).padStart(4, "0")}.jsonl`);
}

function getIndexPath(folder: string, segment: number): string {
  return join(folder, "index", `${String(segment).padStart(4, "0")}.json`);
}

/** Returns the numbers of a run's segments, ascending. */
export async function listSegments(folder: string): Promise<number[]> {
  let names: string[];
  try {
    names = await readdir(join(folder, "segments"));
  } catch (error) {
    if (getSystemCode(error) === "ENOENT") return [];
    throw inputError(`Cannot read "${join(folder, "segments")}": ${describeSystemError(error)}`, undefined, error);
  }
  const segments = names.flatMap((name) => (/^\d+\.jsonl$/.test(name) ? [Number.parseInt(name, 10)] : []));
  return segments.sort((a, b) => a - b);
}

/** Returns the checksum of the bytes before `end`: a segment in which any byte changed is noticed by it. */
async function computeChecksum(path: string, end: number): Promise<number> {
  let checksum = 0;
  if (end === 0) return checksum;
  for await (const chunk of createReadStream(path, { end: end - 1, highWaterMark: 1 << 20 })) {
    checksum = crc32(chunk as Buffer, checksum); // a binary stream's chunks are buffers
  }
  return checksum;
}

/** Returns a segment's stored index if it still fits the segment, else an empty one. */
async function readStoredIndex(folder: string, segment: number): Promise<SegmentIndex> {
  try {
    const parsed = SegmentIndex.parse(await readFile(getIndexPath(folder, segment), "utf8"));
    if (parsed !== undefined && parsed.index.segment === segment) {
      const path = getSegmentPath(folder, segment);
      const { indexedBytes } = parsed.index;
      const isFitting =
        indexedBytes <= (await stat(path)).size && (await computeChecksum(path, indexedBytes)) === parsed.checksum;
      if (isFitting) return parsed.index;
    }
  } catch {
    // An index is disposable: whatever is wrong with it, the segment itself is read instead.
  }
  return new SegmentIndex(segment);
}

/** Stores a segment's index beside it. A failure costs only time later, so it is not an error. */
export async function writeSegmentIndex(folder: string, index: SegmentIndex): Promise<void> {
  try {
    await makeFolder(join(folder, "index"));
    const checksum = await computeChecksum(getSegmentPath(folder, index.segment), index.indexedBytes);
    await replaceFile(getIndexPath(folder, index.segment), index.render(checksum));
  } catch {
    // See above.
  }
}

/** Adds the records behind what the index covers. Stops at a torn tail, which is returned as the last problem. */
async function scanSegment(folder: string, index: SegmentIndex): Promise<RunProblem[]> {
  const problems: RunProblem[] = [];
  const { segment, indexedBytes: start } = index;
  const path = getSegmentPath(folder, segment);
  if ((await stat(path)).size <= start) return problems;
  for await (const line of readRawLines(createReadStream(path, { start, highWaterMark: 1 << 20 }))) {
    const offset = start + line.offset;
    if (!line.isTerminated) {
      const message = `${line.bytes.length} bytes of an unfinished record at the end of segment ${segment}`;
      problems.push({ problemClass: "torn_tail", message, segment, offset });
      break;
    }
    if (isBlank(line.bytes)) continue;
    const { record, problemClass, reason } = checkLine(folder, line.bytes);
    if (record !== undefined) index.add(getScalars(record), offset, line.bytes.length);
    else {
      const message = `a record in segment ${segment} at byte ${offset} cannot be used and counts as not played: ${reason}`;
      problems.push({ problemClass, message, segment, offset });
    }
  }
  return problems;
}

/** What of a setting is part of an episode's key. */
type KeySetting = Pick<EpisodeKey, "policyId" | "budget" | "disclosure" | "terminalRule">;

function renderKeySetting({ policyId, budget, disclosure, terminalRule }: KeySetting): string {
  return canonicalJson([policyId, budget, disclosure, terminalRule]);
}

// A row's place as one number: rows of one segment stay far below this.
const rowsPerSegment = 2 ** 30;

/** Which record is the newest of each key, over all segments. */
export class RunIndex {
  readonly segments = new Map<number, SegmentIndex>();
  readonly problems: RunProblem[] = [];
  /** Segments whose stored index is missing or behind. */
  readonly staleSegments = new Set<number>();
  // Key text (setting, sample and task by their numbers) to place. One flat map: about 100 bytes an episode.
  readonly #newest = new Map<string, number>();
  readonly #settingIndexes = new Map<string, number>();
  readonly #knownSettings = new Map<EpisodeSetting, number>();
  readonly #taskIndexes = new Map<string, number>();

  /** Number of different keys. */
  get episodeCount(): number {
    return this.#newest.size;
  }

  #getSettingIndex(setting: KeySetting): number {
    const text = renderKeySetting(setting);
    const known = this.#settingIndexes.get(text);
    if (known !== undefined) return known;
    this.#settingIndexes.set(text, this.#settingIndexes.size);
    return this.#settingIndexes.size - 1;
  }

  /** Adds a segment whose rows are known. */
  addSegment(index: SegmentIndex): void {
    this.segments.set(index.segment, index);
    for (let rowIndex = 0; rowIndex < index.rowCount; rowIndex += 1) this.#note(index, rowIndex);
  }

  #note(index: SegmentIndex, rowIndex: number): void {
    const { setting, task, sampleIndex } = index.getKeyParts(rowIndex);
    let settingIndex = this.#knownSettings.get(setting); // a segment's rows share the object
    if (settingIndex === undefined) {
      settingIndex = this.#getSettingIndex(setting);
      this.#knownSettings.set(setting, settingIndex);
    }
    let taskIndex = this.#taskIndexes.get(task.hash);
    if (taskIndex === undefined) this.#taskIndexes.set(task.hash, (taskIndex = this.#taskIndexes.size));
    this.#newest.set(`${settingIndex}:${sampleIndex}:${taskIndex}`, index.segment * rowsPerSegment + rowIndex);
  }

  /** Adds a record that was just written to `segment`. */
  add(segment: number, scalars: EpisodeScalars, offset: number, length: number): void {
    let index = this.segments.get(segment);
    if (index === undefined) this.segments.set(segment, (index = new SegmentIndex(segment)));
    this.#note(index, index.add(scalars, offset, length));
    this.staleSegments.add(segment);
  }

  #getRow(place: number): EpisodeRow | undefined {
    return this.segments.get(Math.floor(place / rowsPerSegment))?.getRow(place % rowsPerSegment);
  }

  /** Returns the newest row of a key, or `undefined`. */
  find(key: EpisodeKey): EpisodeRow | undefined {
    const taskIndex = this.#taskIndexes.get(key.taskHash);
    if (taskIndex === undefined) return undefined;
    const place = this.#newest.get(`${this.#getSettingIndex(key)}:${key.sampleIndex}:${taskIndex}`);
    return place === undefined ? undefined : this.#getRow(place);
  }

  /** Returns the newest row of each key, ordered by setting, task hash and sample: the same whatever the timing was. */
  listRows(): EpisodeRow[] {
    const texts = [...this.#settingIndexes.keys()];
    const sorted = texts.toSorted();
    const ranks = new Map(texts.map((text) => [this.#settingIndexes.get(text), sorted.indexOf(text)] as const));
    const rows = [...this.#newest.values()].map((place) => this.#getRow(place)).filter((row) => row !== undefined);
    const getRank = (row: EpisodeRow): number => ranks.get(this.#knownSettings.get(row.setting)) ?? 0;
    return rows.sort(
      (a, b) => getRank(a) - getRank(b) || compareText(a.task.hash, b.task.hash) || a.sampleIndex - b.sampleIndex,
    );
  }
}

/** Orders by UTF-16 unit, the same on every machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Reads a run's index: stored parts where they fit, the segments themselves for the rest. Writes nothing. */
export async function readRunIndex(folder: string): Promise<RunIndex> {
  const runIndex = new RunIndex();
  for (const segment of await listSegments(folder)) {
    const index = await readStoredIndex(folder, segment);
    const storedBytes = index.indexedBytes;
    runIndex.problems.push(...(await scanSegment(folder, index)));
    if (index.indexedBytes > storedBytes) runIndex.staleSegments.add(segment);
    runIndex.addSegment(index);
  }
  return runIndex;
}
