// internal
import { randomBytes } from "node:crypto";
import { open, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inputError, type TurnwiseError } from "../../core/index.js";

/** Returns the path of a blob. */
export function getBlobPath(folder: string, sha256: string): string {
  return join(folder, "blobs", sha256.slice(0, 2), sha256);
}

/** Returns the system's code of an error (`ENOSPC`, `ENOENT`, ...), if it has one. */
export function getSystemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

const reasons: { readonly [code: string]: readonly [reason: string, remedy: string] | undefined } = {
  ENOSPC: ["no space is left on the disk", "Free some space and run the same command again"],
  EDQUOT: ["the disk quota is used up", "Free some space and run the same command again"],
  EFBIG: ["the file would become larger than the system allows", "Raise the file size limit (ulimit -f)"],
  EACCES: ["permission denied", "Give this user write access, or choose another folder"],
  EPERM: ["permission denied", "Give this user write access, or choose another folder"],
  EROFS: ["the file system is read-only", "Choose another folder"],
  ENOTDIR: ["a part of the path is a file, not a folder", "Choose another folder"],
  ENOENT: ["the folder does not exist any more", "Run the same command again"],
  EMFILE: ["too many files are open", "Raise the limit (ulimit -n)"],
};

/** Returns the error for a failed write that a user can mend. `what` reads like `write the episode`. */
export function explainWriteError(what: string, path: string, error: unknown): TurnwiseError {
  const code = getSystemCode(error) ?? "unknown error";
  const [reason, remedy] = reasons[code] ?? [error instanceof Error ? error.message : String(error), undefined];
  return inputError(`Cannot ${what} in "${path}": ${reason} (${code})`, remedy, error);
}

/** Makes the entries of a folder durable: a new or renamed file survives a power loss only after this. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems refuse to sync folders; they order renames by themselves.
    if (getSystemCode(error) !== "EINVAL" && getSystemCode(error) !== "EPERM") throw error;
  } finally {
    await handle.close();
  }
}

/** Replaces a file as a whole: readers see the old content or the new, also after a crash. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  const handle = await open(temporary, "wx");
  try {
    await handle.writeFile(content);
    await handle.sync();
    await handle.close();
    await rename(temporary, path);
  } catch (error) {
    await handle.close().catch(() => undefined); // already closed or broken; the first error counts
    await unlink(temporary).catch(() => undefined); // best effort
    throw error;
  }
  await syncFolder(dirname(path));
}
