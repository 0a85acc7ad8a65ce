import { existsSync } from "node:fs";
import { crc32, deflateRawSync } from "node:zlib";
import type { Trajectory } from "../../src/core/index.js";
import type { ImportItem, ImportOptions, ImportSource, Importer } from "../../src/records/index.js";
import { openImportSource } from "../../src/records/index.js";

/** What a made-up file holds: bytes, text, or a value written as JSON. */
export type FileContent = Uint8Array | string | object;

function toBytes(content: FileContent): Uint8Array {
  if (content instanceof Uint8Array) return content;
  return new TextEncoder().encode(typeof content === "string" ? content : JSON.stringify(content));
}

/** Returns a file that is only in memory; `files` are those of its folder tree, by path from the tree's root. */
export function createSource(
  path: string,
  content: FileContent,
  files: Readonly<Record<string, FileContent>> = {},
): ImportSource {
  const bytes = toBytes(content);
  const folder = path.split("/").slice(0, -1);
  return {
    name: path.split("/").at(-1) ?? path,
    path,
    size: bytes.length,
    head: bytes.subarray(0, 64 * 1024),
    async *bytes() {
      yield bytes;
    },
    readAll: () => Promise.resolve(bytes),
    sibling(relativePath) {
      const parts = [...folder];
      for (const part of relativePath.split("/")) {
        if (part === "..") parts.pop();
        else parts.push(part);
      }
      const target = parts.join("/");
      return Promise.resolve(Object.hasOwn(files, target) ? createSource(target, files[target], files) : undefined);
    },
  };
}

/** Everything an importer yields. */
export interface Imported {
  readonly trajectories: readonly Trajectory[];
  readonly problems: readonly Extract<ImportItem, { readonly type: "problem" }>[];
}

/** Reads a whole file with an importer. */
export async function importAll(
  importer: Importer,
  source: ImportSource,
  options: ImportOptions = {},
): Promise<Imported> {
  const trajectories: Trajectory[] = [];
  const problems: Extract<ImportItem, { readonly type: "problem" }>[] = [];
  for await (const item of importer.read(source, options)) {
    if (item.type === "problem") problems.push(item);
    else trajectories.push(item.trajectory);
  }
  return { trajectories, problems };
}

const realData = "../shared/real-data";

/** Whether the public raw data is there; where it is not, tests that need it are skipped and this says so once. */
export const hasRealData = existsSync(realData);
if (!hasRealData) process.stdout.write(`Tests on raw data are skipped: there is no folder "${realData}"\n`);

/** Reads files of the raw data with an importer, one after the other. */
export async function importReal(importer: Importer, ...paths: readonly string[]): Promise<Imported> {
  const all: Imported[] = [];
  for (const path of paths) all.push(await importAll(importer, await openImportSource(`${realData}/${path}`)));
  return { trajectories: all.flatMap((read) => read.trajectories), problems: all.flatMap((read) => read.problems) };
}

/** Returns one Zstandard frame that holds `bytes` in raw blocks (RFC 8878, 3.1.1): stored, but a valid frame. */
export function createZstdFrame(bytes: Uint8Array): Uint8Array {
  const largestBlock = 128 * 1024;
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  const parts: Uint8Array[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), size]; // single segment, 4-byte content size
  for (let start = 0; start === 0 || start < bytes.length; start += largestBlock) {
    const block = bytes.subarray(start, start + largestBlock);
    const isLast = start + largestBlock >= bytes.length ? 1 : 0;
    const header = Buffer.alloc(3);
    header.writeUIntLE((block.length << 3) | isLast, 0, 3);
    parts.push(header, block);
  }
  return Buffer.concat(parts);
}

/** How a member of a made-up archive is packed. */
export type Packing = "stored" | "deflate" | "zstd" | "zstd_frames";

function pack(bytes: Uint8Array, packing: Packing): { readonly method: number; readonly packed: Uint8Array } {
  switch (packing) {
    case "stored":
      return { method: 0, packed: bytes };
    case "deflate":
      return { method: 8, packed: deflateRawSync(bytes) };
    case "zstd":
      return { method: 93, packed: createZstdFrame(bytes) };
    case "zstd_frames": {
      const middle = Math.floor(bytes.length / 2);
      return {
        method: 93,
        packed: Buffer.concat([createZstdFrame(bytes.subarray(0, middle)), createZstdFrame(bytes.subarray(middle))]),
      };
    }
  }
}

/** Returns a ZIP archive with these members in order; `isOpen` leaves the central directory out, as a crash does. */
export function createZip(
  members: readonly {
    readonly name: string;
    readonly content: FileContent;
    readonly packing?: Packing;
    readonly checksum?: number;
  }[],
  isOpen = false,
): Uint8Array {
  const local: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let offset = 0;
  for (const { name, content, packing = "deflate", checksum } of members) {
    const bytes = toBytes(content);
    const { method, packed } = pack(bytes, packing);
    const shared = Buffer.alloc(26); // version, flags, method, time, date, checksum, sizes, name and extra length
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(0x800, 2);
    shared.writeUInt16LE(method, 4);
    shared.writeUInt32LE(checksum ?? crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(bytes.length, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14); // comment length, disk, attributes, offset
    place.writeUInt32LE(offset, 10);
    central.push(Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"), shared, place, Buffer.from(name));
    const entry = [Buffer.from("PK\u0003\u0004", "latin1"), shared, Buffer.from(name), packed];
    local.push(...entry);
    offset += entry.reduce((sum, part) => sum + part.length, 0);
  }
  if (isOpen) return Buffer.concat(local);
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}
