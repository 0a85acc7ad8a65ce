// internal
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { openImportSource } from "../reading/source.js";

/** What a file's bytes are, as they lie on disk and after decompression. */
export interface FileDigest {
  /** SHA-256 of the bytes as they lie on disk. */
  readonly sha256: string;
  readonly byteCount: number;
  /** SHA-256 of the bytes after decompression: equal for a file and its `.gz`. */
  readonly contentSha256: string;
}

async function hashBytes(chunks: AsyncIterable<Uint8Array>): Promise<Pick<FileDigest, "sha256" | "byteCount">> {
  const hash = createHash("sha256");
  let byteCount = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    byteCount += chunk.length;
  }
  return { sha256: hash.digest("hex"), byteCount };
}

/**
 * Returns the digests of a file; reads it as a stream. Of compressed data that cannot be read to its end (a file that
 * is still being written) the content is told by the bytes on disk.
 *
 * @throws {TurnwiseError} (input) when the file cannot be opened.
 */
export async function digestFile(path: string): Promise<FileDigest> {
  const source = await openImportSource(path);
  const stored = await hashBytes(createReadStream(path, { highWaterMark: 1 << 20 }));
  if (source.size !== undefined) return { ...stored, contentSha256: stored.sha256 }; // it is not compressed
  try {
    return { ...stored, contentSha256: (await hashBytes(source.bytes())).sha256 };
  } catch {
    return { ...stored, contentSha256: stored.sha256 };
  }
}
