// internal
import { randomBytes } from "node:crypto";
import { open, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describeSystemError, getSystemCode, inputError, isJsonObject, type TurnwiseError } from "../../core/index.js";

/** Returns the path of a blob. */
export function getBlobPath(folder: string, sha256: string): string {
  return join(folder, "blobs", sha256.slice(0, 2), sha256);
}

const remedies: { readonly [code: string]: string | undefined } = {
  ENOSPC: "Free some space and run the same command again",
  EDQUOT: "Free some space and run the same command again",
  EFBIG: "Raise the file size limit (ulimit -f)",
  EACCES: "Give this user write access, or choose another folder",
  EPERM: "Give this user write access, or choose another folder",
  EROFS: "Choose another folder",
  EEXIST: "Choose another folder",
  ENOTDIR: "Choose another folder",
  ENAMETOOLONG: "Choose another folder",
  ENOENT: "Run the same command again",
  EMFILE: "Raise the limit (ulimit -n)",
};

/** Returns the error for a failed write that a user can mend. `what` reads like `write the episode`. */
export function explainWriteError(what: string, path: string, error: unknown): TurnwiseError {
  const code = getSystemCode(error);
  // A folder that was there when writing began is gone.
  const reason = code === "ENOENT" ? `the folder does not exist any more (${code})` : describeSystemError(error);
  return inputError(`Cannot ${what} in "${path}": ${reason}`, code === undefined ? undefined : remedies[code], error);
}

/** Returns in words which schema a document states, for messages. */
export function describeSchema(value: unknown): string {
  if (!isJsonObject(value))
    return `it is ${Array.isArray(value) ? "a list" : value === null ? "null" : `a ${typeof value}`}, not an object`;
  const { schema } = value;
  return schema === undefined ? 'it has no "schema"' : `its schema is ${JSON.stringify(schema)}`;
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
