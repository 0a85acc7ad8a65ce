// internal
import type { JsonObject, JsonValue } from "../../core/index.js";
import { errorMessage, inputError, isJsonObject } from "../../core/index.js";
import { parseTolerantJson } from "../reading/tolerant-json.js";
import { repaired, skipped } from "./episode.js";
import { getCount, getList, getObject } from "./fields.js";
import type { ImportItem, ImportSource } from "./importer.js";
import type { ZipArchive } from "./zip.js";
import { openZip } from "./zip.js";

/** One log: its header, and its samples read one at a time. */
export interface InspectLog {
  /** The log without samples; of an unfinished log, what its journal says. */
  readonly header: JsonObject;
  readonly isFinished: boolean;
  readonly problems: readonly ImportItem[];
  /** Yields each sample, or the problem that kept it from being read. */
  samples(): Iterable<JsonObject | ImportItem>;
}

/**
 * Opens a `.eval` archive, finished or still being written, with samples in one member each or in chunks.
 *
 * @throws {TurnwiseError} (input) when the archive holds no Inspect log.
 */
export async function openInspectArchive(source: ImportSource): Promise<InspectLog> {
  const archive = openZip(await source.readAll(), source.path);
  const problems: ImportItem[] = [];
  if (archive.isIncomplete) {
    problems.push(
      repaired(
        "torn_tail",
        "The archive ends early (still being written, or cut off); the members before that were read",
      ),
    );
  }
  const header = readHeader(archive, problems);
  if (header === undefined) {
    throw inputError(
      `Cannot import "${source.path}" as inspect: the archive has neither "header.json" nor "_journal/start.json"`,
    );
  }
  return { ...header, problems, samples: () => readSamples(archive) };
}

function readHeader(
  archive: ZipArchive,
  problems: ImportItem[],
): { header: JsonObject; isFinished: boolean } | undefined {
  for (const name of ["header.json", "_journal/start.json"]) {
    if (!archive.members.has(name)) continue;
    const value = readMember(archive, name);
    if (isJsonObject(value)) return { header: value, isFinished: name === "header.json" };
    problems.push(
      repaired(
        "damaged_member",
        `Went on without "${name}": ${value instanceof Error ? value.message : "it is not an object"}`,
      ),
    );
  }
  return undefined;
}

/** Returns a member's JSON, or the error that says why it cannot be read. */
function readMember(archive: ZipArchive, name: string): JsonValue | Error {
  try {
    const bytes = archive.members.get(name)?.read();
    if (bytes === undefined) return new Error(`Member "${name}" is missing`);
    const { values, problem } = parseTolerantJson(bytes);
    return values.length === 1 && problem === undefined
      ? values[0]
      : new Error(`Member "${name}" is not JSON: ${problem?.message ?? ""}`);
  } catch (error) {
    return new Error(errorMessage(error));
  }
}

function* readSamples(archive: ZipArchive): Generator<JsonObject | ImportItem> {
  let position = 0;
  for (const name of archive.members.keys()) {
    const isWhole = /^samples\/.*_epoch_\d+\.json$/.test(name);
    const isShell = /^samples\/.*_epoch_\d+\/sample\.json$/.test(name);
    if (!isWhole && !isShell) continue;
    const value = isWhole ? readMember(archive, name) : readChunked(archive, name.slice(0, -"sample.json".length));
    if (isJsonObject(value)) yield value as JsonObject; // an object of JSON, not an Error: those are told apart below
    else
      yield skipped(
        "damaged_member",
        value instanceof Error ? value.message : `Member "${name}" is not an object`,
        position,
      );
    position += 1;
  }
}

/** Puts a chunked sample together: its shell, the messages it refers to, its events, and its attachments by position. */
function readChunked(archive: ZipArchive, prefix: string): JsonObject | Error {
  const shell = readMember(archive, `${prefix}sample.json`);
  if (!isJsonObject(shell))
    return shell instanceof Error ? shell : new Error(`Member "${prefix}sample.json" is not an object`);
  const sequences: Record<string, readonly JsonValue[]> = {};
  for (const sequence of ["messages", "events", "calls", "attachments"]) {
    const items = readSequence(archive, `${prefix}${sequence}/`);
    if (items instanceof Error) return items;
    sequences[sequence] = items;
  }
  const { message_refs: refs, ...sample } = shell;
  const metadata = readMember(archive, `${prefix}metadata.json`);
  return {
    ...sample,
    messages: expandRefs(refs, sequences["messages"]),
    events: sequences["events"],
    events_data: { messages: sequences["messages"], calls: sequences["calls"] },
    attachments: Object.fromEntries(sequences["attachments"].map((text, index) => [String(index), text])),
    ...(isJsonObject(metadata) ? { metadata } : {}),
  };
}

/** Returns the items of a sequence; its chunks are named by the position of their first item. */
function readSequence(archive: ZipArchive, prefix: string): readonly JsonValue[] | Error {
  const starts = [...archive.members.keys()]
    .filter((name) => name.startsWith(prefix) && /^\d+\.json$/.test(name.slice(prefix.length)))
    .map((name) => Number.parseInt(name.slice(prefix.length), 10))
    .sort((a, b) => a - b);
  const items: JsonValue[] = [];
  for (const start of starts) {
    const chunk = readMember(archive, `${prefix}${start}.json`);
    if (chunk instanceof Error) return chunk;
    for (const item of getList(chunk)) items.push(item);
  }
  return items;
}

/** Returns the items that half-open ranges `[start, end)` name, in their order. */
export function expandRefs(refs: unknown, pool: readonly JsonValue[]): readonly JsonValue[] {
  return getList(refs).flatMap((ref) => {
    const start = getCount(getList(ref)[0]);
    const end = getCount(getList(ref)[1]);
    return start === undefined || end === undefined ? [] : pool.slice(start, end);
  });
}

/** Returns `value` with every text `attachment://<key>` replaced by the attachment it names, where there is one. */
export function resolveAttachments(value: JsonValue, attachments: JsonObject): JsonValue {
  if (typeof value === "string") {
    if (!value.startsWith("attachment://")) return value;
    const key = value.slice("attachment://".length);
    return (Object.hasOwn(attachments, key) ? attachments[key] : undefined) ?? value;
  }
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => resolveAttachments(item, attachments)); // JSON
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, resolveAttachments(item ?? null, attachments)]),
  );
}

/** Returns the sample's attachments; old logs keep them in the transcript. */
export function getAttachments(sample: JsonObject): JsonObject {
  const { attachments } = sample;
  return isJsonObject(attachments) ? attachments : getObject(getObject(sample["transcript"])["content"]);
}
