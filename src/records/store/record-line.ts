// internal
import { createHash } from "node:crypto";
import {
  isDeeperThan,
  isJsonObject,
  maxRecordDepth,
  tagNumber,
  type JsonObject,
  type JsonValue,
  type Trajectory,
} from "../../core/index.js";

/** The field of a stored line that lists what lies beside it. */
const blobField = "$blobs";

/** A value that is stored beside a record by its hash. */
export interface Blob {
  readonly sha256: string;
  readonly bytes: Buffer;
}

/** A record as it is stored. */
export interface EncodedRecord {
  /** One line of JSON without the line feed. */
  readonly line: string;
  readonly blobs: readonly Blob[];
}

/** Where a blob belongs and what it is. */
interface BlobReference {
  readonly at: readonly (string | number)[];
  readonly sha256: string;
  readonly type: "text" | "json";
}

/** Says whether a value holds a number that JSON cannot write. */
function hasNonFinite(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasNonFinite);
  for (const key in value) if (hasNonFinite((value as Readonly<Record<string, unknown>>)[key])) return true; // an object, so keyed
  return false;
}

/** Returns a copy in which `replace` stands for each leaf; containers are copied, never changed. */
function mapLeaves(
  value: unknown,
  path: readonly (string | number)[],
  replace: (leaf: unknown, path: readonly (string | number)[]) => unknown,
): unknown {
  if (typeof value !== "object" || value === null) return replace(value, path);
  if (Array.isArray(value)) return value.map((item, itemIndex) => mapLeaves(item, [...path, itemIndex], replace));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapLeaves(item, [...path, key], replace)]),
  );
}

/**
 * Returns the line of a record. Strings longer than `blobLength` UTF-16 units are stored beside by hash. Numbers that
 * JSON cannot write become tags, wherever they are.
 *
 * @throws {TypeError} when values are nested deeper than a record may be, or contain themselves.
 */
export function encodeRecord(trajectory: Trajectory, blobLength: number): EncodedRecord {
  if (isDeeperThan(trajectory)) {
    throw new TypeError(
      `Cannot store episode "${trajectory.episodeId}" of task "${trajectory.task.id}": its values are nested deeper than ${maxRecordDepth} levels`,
    );
  }
  let record: unknown = trajectory;
  if (hasNonFinite(record))
    record = mapLeaves(record, [], (leaf) => (typeof leaf === "number" ? tagNumber(leaf) : leaf));
  const isReserved = Object.hasOwn(trajectory, blobField);
  if (!isReserved) {
    const line = JSON.stringify(record);
    if (line.length <= blobLength) return { line, blobs: [] };
  }
  const blobs: Blob[] = [];
  const references: BlobReference[] = [];
  const store = (text: string, type: "text" | "json", at: readonly (string | number)[]): void => {
    const bytes = Buffer.from(text, "utf8");
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    blobs.push({ sha256, bytes });
    references.push({ at, sha256, type });
  };
  const { [blobField]: reserved, ...rest } = record as JsonObject; // a record is a JSON object
  // A field that happens to have the reserved name is itself stored beside.
  if (reserved !== undefined) store(JSON.stringify(reserved), "json", [blobField]);
  const slim = mapLeaves(rest, [], (leaf, at) => {
    if (typeof leaf !== "string" || leaf.length <= blobLength) return leaf;
    const isWellFormed = Buffer.from(leaf, "utf8").toString("utf8") === leaf;
    store(isWellFormed ? leaf : JSON.stringify(leaf), isWellFormed ? "text" : "json", at);
    return "";
  });
  if (references.length === 0) return { line: JSON.stringify(slim), blobs };
  return { line: JSON.stringify({ ...(slim as JsonObject), [blobField]: references }), blobs }; // a record maps to a record
}

/** Writes `value` into a freshly parsed record. */
function setAt(record: Record<string, unknown>, at: readonly (string | number)[], value: unknown): void {
  let place: Record<string | number, unknown> = record;
  for (const key of at.slice(0, -1)) place = place[key] as Record<string | number, unknown>; // the path was made on this shape
  place[at[at.length - 1]] = value;
}

/** Returns the hashes of what lies beside a parsed line; empty for most. */
export function listBlobs(record: JsonValue): readonly string[] {
  if (!isJsonObject(record) || !Array.isArray(record[blobField])) return [];
  const references = record[blobField] as readonly JsonValue[]; // Array.isArray loses the element type
  return references.flatMap((item) => (isJsonObject(item) && typeof item.sha256 === "string" ? [item.sha256] : []));
}

/** A value beside a record is not the one that was stored: its content has another hash than its name. */
export class AlteredBlob extends Error {
  override readonly name = "AlteredBlob";
  constructor(sha256: string) {
    super(`a large value beside it was altered: blob ${sha256} has another hash`);
  }
}

/**
 * Returns the record of a parsed line, what lies beside it put back. What `readBlob` throws passes through.
 *
 * @throws {AlteredBlob} when a value is not the one that was stored.
 */
export function restoreBlobs(record: JsonValue, readBlob: (sha256: string) => Buffer): JsonValue {
  if (!isJsonObject(record) || listBlobs(record).length === 0) return record;
  const { [blobField]: listed, ...rest } = record;
  const references = listed as unknown as readonly BlobReference[]; // only encodeRecord writes this field
  for (const { at, sha256, type } of references) {
    const bytes = readBlob(sha256);
    if (createHash("sha256").update(bytes).digest("hex") !== sha256) throw new AlteredBlob(sha256);
    const text = bytes.toString("utf8");
    setAt(rest, at, type === "json" ? JSON.parse(text) : text);
  }
  return rest;
}
