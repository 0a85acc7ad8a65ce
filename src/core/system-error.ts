import { errorMessage } from "./errors.js";

/** What the codes of file errors mean, in words. */
const reasons: { readonly [code: string]: string | undefined } = {
  ENOENT: "there is no such file or folder",
  EEXIST: "a file stands there",
  ENOTDIR: "a part of the path is a file, not a folder",
  EISDIR: "it is a folder, not a file",
  ENOTEMPTY: "the folder is not empty",
  ENAMETOOLONG: "the path is too long",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the disk",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would become larger than the system allows",
  EMFILE: "too many files are open",
  ELOOP: "the path goes round in circles through links",
  EBUSY: "the file is in use",
  ERR_INVALID_ARG_VALUE: "the path holds a null character",
};

/** Returns the system's code of an error (`ENOSPC`, `ENOENT`, ...), if it has one. */
export function getSystemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/**
 * Returns in words why a file could not be read or written, with the system's code behind it; the error's own message
 * where the code says nothing to a user.
 *
 * @example
 * describeSystemError(Object.assign(new Error("ENOENT: ..."), { code: "ENOENT" })); // "there is no such file or folder (ENOENT)"
 */
export function describeSystemError(error: unknown): string {
  const code = getSystemCode(error);
  const reason = code === undefined ? undefined : reasons[code];
  return reason === undefined ? errorMessage(error) : `${reason} (${code})`;
}
