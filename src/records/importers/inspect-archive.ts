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
    const { value, fault } = readMember(archive, name);
    if (isJsonObject(value)) return { header: value, isFinished: name === "header.json" };
    problems.push(repaired("damaged_member", `Went on without "${name}": ${fault ?? "it is not an object"}`));
  }
  return undefined;
}

/** What a member holds, or why it cannot be read. */
interface MemberContent<T = JsonValue> {
  readonly value?: T;
  readonly fault?: string;
}

function readMember(archive: ZipArchive, name: string): MemberContent {
  const member = archive.members.get(name);
  if (member === undefined) return { fault: `member "${name}" is missing` };
  try {
    const { values, problem } = parseTolerantJson(member.read());
    if (values.length === 1 && problem === undefined) return { value: values[0] };
    return { fault: `member "${name}" is not one JSON document: ${problem?.message ?? `${values.length} found`}` };
  } catch (error) {
    return { fault: errorMessage(error) };
  }
}

function* readSamples(archive: ZipArchive): Generator<JsonObject | ImportItem> {
  let position = 0;
  for (const name of archive.members.keys()) {
    const isWhole = /^samples\/.*_epoch_\d+\.json$/.test(name);
    const isShell = /^samples\/.*_epoch_\d+\/sample\.json$/.test(name);
    if (!isWhole && !isShell) continue;
    const { value, fault } = isWhole
      ? readMember(archive, name)
      : readChunked(archive, name.slice(0, -"sample.json".length));
    if (isJsonObject(value)) yield value;
    else yield skipped("damaged_member", fault ?? `Member "${name}" is not an object`, position);
    position += 1;
  }
}

/** Puts a chunked sample together: its shell, the messages it refers to, its events, and its attachments by position. */
function readChunked(archive: ZipArchive, prefix: string): MemberContent {
  const { value: shell, fault } = readMember(archive, `${prefix}sample.json`);
  if (!isJsonObject(shell)) return { fault };
  const sequences: Record<string, readonly JsonValue[]> = {};
  for (const sequence of ["messages", "events", "calls", "attachments"]) {
    const items = readSequence(archive, `${prefix}${sequence}/`);
    if (items.value === undefined) return { fault: items.fault };
    sequences[sequence] = items.value;
  }
  const { message_refs: refs, ...sample } = shell;
  const metadata = archive.members.has(`${prefix}metadata.json`)
    ? readMember(archive, `${prefix}metadata.json`).value
    : undefined;
  const value = {
    ...sample,
    messages: expandRefs(refs, sequences["messages"]),
    events: sequences["events"],
    events_data: { messages: sequences["messages"], calls: sequences["calls"] },
    attachments: Object.fromEntries(sequences["attachments"].map((text, index) => [String(index), text])),
    ...(metadata === undefined ? {} : { metadata }),
  };
  return { value };
}

/** Returns the items of a sequence; its chunks are named by the position of their first item. */
function readSequence(archive: ZipArchive, prefix: string): MemberContent<readonly JsonValue[]> {
  const starts = [...archive.members.keys()]
    .filter((name) => name.startsWith(prefix) && /^\d+\.json$/.test(name.slice(prefix.length)))
    .map((name) => Number.parseInt(name.slice(prefix.length), 10))
    .sort((a, b) => a - b);
  const items: JsonValue[] = [];
  for (const start of starts) {
    const { value, fault } = readMember(archive, `${prefix}${start}.json`);
    if (fault !== undefined) return { fault };
    for (const item of getList(value)) items.push(item);
  }
  return { value: items };
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
