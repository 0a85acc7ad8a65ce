import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { inputError } from "../../core/index.js";
import type { ImportSource } from "../importers/importer.js";
import { findFileKind } from "./file-kind.js";

/** Bytes of a file that are looked at to recognise its format. */
const headLength = 64 * 1024;
const chunkLength = 1024 * 1024;

/** Says whether an error means that there is no such file. */
function isMissing(error: unknown): boolean {
  const code = getErrorCode(error);
  return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG" || code === "ERR_INVALID_ARG_VALUE";
}

function getErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

function explain(path: string, error: unknown): Error {
  const code = getErrorCode(error);
  if (isMissing(error)) return inputError(`Cannot read "${path}": there is no such file`, undefined, error);
  if (code === "EISDIR") return inputError(`Cannot read "${path}" as a file: it is a folder`, undefined, error);
  if (code === "EACCES" || code === "EPERM") {
    return inputError(`Cannot read "${path}": permission denied`, "Give this user read access", error);
  }
  if (code === "Z_BUF_ERROR") {
    return inputError(`Cannot read "${path}" to its end: the compressed data stops in the middle`, undefined, error);
  }
  if (code?.startsWith("Z_") === true) {
    return inputError(`Cannot read "${path}": its compressed data is damaged: ${code}`, undefined, error);
  }
  return error instanceof Error ? error : new Error(String(error));
}

/** Says whether reading stopped because compressed data ends early, as in a file that is still being written. */
export function isCutShort(error: unknown): boolean {
  return error instanceof Error && getErrorCode(error.cause) === "Z_BUF_ERROR";
}

async function* streamBytes(path: string, isCompressed: boolean): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: chunkLength });
  // The callback only keeps a failure from being unhandled; it reaches the reader through the iterator.
  const stream = isCompressed ? pipeline(file, createGunzip({ chunkSize: chunkLength }), () => undefined) : file;
  try {
    for await (const chunk of stream) yield chunk as Uint8Array; // a binary stream's chunks are bytes
  } catch (error) {
    throw explain(path, error);
  }
}

async function readStart(path: string, length: number): Promise<Uint8Array> {
  const file = await open(path, "r");
  try {
    const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function readCompressedHead(path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of streamBytes(path, true)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= headLength) break;
    }
  } catch (error) {
    if (!isCutShort(error)) throw error; // a short file that is still being written: what there is will do
  }
  return Buffer.concat(chunks).subarray(0, headLength);
}

/**
 * Opens one file for import. Files compressed with gzip (known by their first bytes, whatever the name) are opened
 * transparently. Only the first 64 KiB are read until more is asked for.
 *
 * @throws {TurnwiseError} (input) when there is no such file, it is a folder, a pipe or a device, or it may not be read.
 */
export async function openImportSource(path: string): Promise<ImportSource> {
  let head: Uint8Array;
  let size: number | undefined;
  let isCompressed = false;
  try {
    const status = await stat(path);
    if (status.isDirectory()) throw inputError(`Cannot read "${path}" as a file: it is a folder`);
    if (!status.isFile()) {
      throw inputError(
        `Cannot read "${path}": it is a pipe or a device, and its bytes are needed more than once`,
        "Write it to a file and name that",
      );
    }
    head = await readStart(path, headLength);
    isCompressed = head[0] === 0x1f && head[1] === 0x8b;
    if (isCompressed) head = await readCompressedHead(path);
    else size = status.size;
  } catch (error) {
    throw explain(path, error);
  }
  return {
    name: basename(path).replace(/\.gz$/, ""),
    path,
    size,
    head,
    bytes: () => streamBytes(path, isCompressed),
    async readAll() {
      const chunks: Uint8Array[] = [];
      for await (const chunk of streamBytes(path, isCompressed)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    sibling: (relativePath) => openSibling(join(dirname(path), relativePath)),
  };
}

async function openSibling(path: string): Promise<ImportSource | undefined> {
  for (const candidate of [path, `${path}.gz`]) {
    try {
      if ((await stat(candidate)).isFile()) return await openImportSource(candidate);
    } catch (error) {
      if (!isMissing(error)) throw explain(candidate, error);
    }
  }
  return undefined;
}

/**
 * Refuses a file that cannot hold records whatever the format: an empty file, a Git LFS pointer, a web page, text in
 * UTF-16, or a binary format by its first bytes; zip archives pass with `allowsZip` (default false).
 *
 * @throws {TurnwiseError} (input) that says which of these it is and what to do.
 */
export function refuseUnusable(
  source: ImportSource,
  { allowsZip = false }: { readonly allowsZip?: boolean } = {},
): void {
  const { head, path } = source;
  if (head.length === 0) throw inputError(`Cannot read "${path}": the file is empty`);
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
    throw inputError(`Cannot read "${path}": its text is UTF-16`, "Convert it to UTF-8");
  }
  const kind = findFileKind(head);
  if (kind !== undefined && !(allowsZip && kind.isZip === true))
    throw inputError(`Cannot read "${path}": it is ${kind.name}, not text`, kind.remedy);
  const start = Buffer.from(head.subarray(0, 512))
    .toString("latin1")
    .replace(/^\u00ef\u00bb\u00bf/, "")
    .trimStart();
  if (start.startsWith("version https://git-lfs.github.com/spec/")) {
    throw inputError(`Cannot read "${path}": it is a Git LFS pointer, not the data`, "Run: git lfs pull");
  }
  if (/^<(!doctype html|html|head|body)\b/i.test(start)) {
    throw inputError(
      `Cannot read "${path}": it is a web page, not data`,
      "Download the raw file; a page often means that a login or another address is needed",
    );
  }
  if (start === "" && head.length < headLength && Buffer.from(head).toString("latin1").trim() === "") {
    throw inputError(`Cannot read "${path}": the file holds nothing but blank space`);
  }
}
