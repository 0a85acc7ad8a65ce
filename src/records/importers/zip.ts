// internal
import { crc32, inflateRawSync } from "node:zlib";
import { decompress as decompressZstd } from "fzstd";
import { inputError } from "../../core/index.js";

/** One member of an archive. */
export interface ZipMember {
  readonly name: string;
  /** Unpacked length that the archive states. */
  readonly size: number;
  /** Returns the unpacked bytes. Throws when they are damaged or packed in a way that is not supported. */
  read(): Uint8Array;
}

/** An archive's members by name; of members with the same name the last one, as rewritten archives have it. */
export interface ZipArchive {
  readonly members: ReadonlyMap<string, ZipMember>;
  /** Whether the central directory was missing, as in a file still being written, and members were found by scanning. */
  readonly isIncomplete: boolean;
}

interface Entry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  readonly packedSize: number;
  readonly size: number;
  /** Offset of the local header. */
  readonly offset: number;
}

const localSignature = 0x04034b50;
const centralSignature = 0x02014b50;
const endSignature = 0x06054b50;
const end64Signature = 0x06064b50;
const end64LocatorSignature = 0x07064b50;
const stored = 0;
const deflated = 8;
const zstandard = 93;
const maxSize = 0xffffffff;

/**
 * Returns the members of a ZIP archive (APPNOTE 6.3: stored, deflate and Zstandard members, ZIP64), packed until
 * read. Without a central directory, as after a crash, the members before the damage are found by their local headers.
 *
 * @throws {TurnwiseError} (input) when the bytes hold no archive.
 */
export function openZip(bytes: Uint8Array, path: string): ZipArchive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const listed = readCentralDirectory(view, bytes);
  const entries = listed ?? scanLocalHeaders(view, bytes);
  if (entries.length === 0 && listed === undefined)
    throw inputError(`Cannot read "${path}" as a ZIP archive: no members found`);
  const members = new Map<string, ZipMember>();
  for (const entry of entries) {
    members.delete(entry.name); // so that a rewritten member also takes the later place in the order
    members.set(entry.name, { name: entry.name, size: entry.size, read: () => unpack(view, bytes, entry) });
  }
  return { members, isIncomplete: listed === undefined };
}

function findEnd(view: DataView): number | undefined {
  const longestComment = 0xffff;
  const first = Math.max(0, view.byteLength - 22 - longestComment);
  for (let offset = view.byteLength - 22; offset >= first; offset -= 1) {
    if (view.getUint32(offset, true) === endSignature) return offset;
  }
  return undefined;
}

/** Returns the central directory's entry count and offset, from the ZIP64 record when there is one. */
function readEnd(view: DataView, end: number): { count: number; offset: number } {
  const locator = end - 20;
  if (locator >= 0 && view.getUint32(locator, true) === end64LocatorSignature) {
    const end64 = Number(view.getBigUint64(locator + 8, true));
    if (end64 + 56 <= view.byteLength && view.getUint32(end64, true) === end64Signature) {
      return {
        count: Number(view.getBigUint64(end64 + 32, true)),
        offset: Number(view.getBigUint64(end64 + 48, true)),
      };
    }
  }
  return { count: view.getUint16(end + 10, true), offset: view.getUint32(end + 16, true) };
}

function readCentralDirectory(view: DataView, bytes: Uint8Array): Entry[] | undefined {
  const end = findEnd(view);
  if (end === undefined) return undefined;
  const { count, offset } = readEnd(view, end);
  const entries: Entry[] = [];
  let at = offset;
  for (let i = 0; i < count; i += 1) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== centralSignature) return undefined;
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const commentLength = view.getUint16(at + 32, true);
    if (at + 46 + nameLength + extraLength > view.byteLength) return undefined;
    const sizes = readSizes(view, at + 46 + nameLength, extraLength, [
      view.getUint32(at + 24, true),
      view.getUint32(at + 20, true),
      view.getUint32(at + 42, true),
    ]);
    entries.push({
      name: decodeName(bytes, at + 46, nameLength),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      checksum: view.getUint32(at + 16, true),
      size: sizes[0],
      packedSize: sizes[1],
      offset: sizes[2],
    });
    at += 46 + nameLength + extraLength + commentLength;
  }
  return entries;
}

/** Returns unpacked size, packed size and offset, the saturated ones taken from the ZIP64 extra field (id 1). */
function readSizes(view: DataView, extra: number, length: number, sizes: number[]): number[] {
  let at = extra;
  const end = extra + length;
  while (at + 4 <= end) {
    const id = view.getUint16(at, true);
    const size = view.getUint16(at + 2, true);
    if (id === 1) {
      let field = at + 4;
      return sizes.map((value) => {
        if (value !== maxSize || field + 8 > Math.min(end, at + 4 + size)) return value;
        field += 8;
        return Number(view.getBigUint64(field - 8, true));
      });
    }
    at += 4 + size;
  }
  return sizes;
}

/** Finds members by their local headers, up to the first place that is none or whose length is not stated. */
function scanLocalHeaders(view: DataView, bytes: Uint8Array): Entry[] {
  const entries: Entry[] = [];
  let at = 0;
  while (at + 30 <= view.byteLength && view.getUint32(at, true) === localSignature) {
    const nameLength = view.getUint16(at + 26, true);
    const extraLength = view.getUint16(at + 28, true);
    const data = at + 30 + nameLength + extraLength;
    if (data > view.byteLength) break;
    const [size, packedSize] = readSizes(view, at + 30 + nameLength, extraLength, [
      view.getUint32(at + 22, true),
      view.getUint32(at + 18, true),
    ]);
    const flags = view.getUint16(at + 6, true);
    const hasSizeBehind = (flags & 8) !== 0 && packedSize === 0;
    if (hasSizeBehind || data + packedSize > view.byteLength) break;
    entries.push({
      name: decodeName(bytes, at + 30, nameLength),
      flags,
      method: view.getUint16(at + 8, true),
      checksum: view.getUint32(at + 14, true),
      size,
      packedSize,
      offset: at,
    });
    at = data + packedSize;
  }
  return entries;
}

function decodeName(bytes: Uint8Array, offset: number, length: number): string {
  return new TextDecoder().decode(bytes.subarray(offset, offset + length));
}

function unpack(view: DataView, bytes: Uint8Array, entry: Entry): Uint8Array {
  const { name, offset, method, packedSize, checksum } = entry;
  const fail = (reason: string): Error => new Error(`Cannot unpack member "${name}": ${reason}`);
  if (offset + 30 > view.byteLength || view.getUint32(offset, true) !== localSignature)
    throw fail("its header is missing");
  if ((entry.flags & 1) !== 0) throw fail("it is encrypted");
  // The local header's own name and extra lengths count: they can differ from the central directory's.
  const data = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const packed = bytes.subarray(data, data + packedSize);
  if (packed.length < packedSize) throw fail("the archive ends inside it");
  const unpacked = decode(packed, method, fail);
  if (crc32(unpacked) !== checksum) throw fail("its checksum differs");
  return unpacked;
}

function decode(packed: Uint8Array, method: number, fail: (reason: string) => Error): Uint8Array {
  if (method === stored) return packed;
  try {
    if (method === deflated) return inflateRawSync(packed);
    if (method === zstandard) return packed.length === 0 ? packed : decompressZstd(packed);
  } catch (cause) {
    throw fail(cause instanceof Error ? cause.message : String(cause));
  }
  throw fail(`compression method ${method} is not supported`);
}
