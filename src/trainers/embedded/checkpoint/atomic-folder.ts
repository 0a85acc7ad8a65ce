// internal
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { errorMessage, inputError } from "../../../core/index.js";

/** A file to write: its name in the folder and its bytes. */
export interface FolderFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Puts bytes into an open file; returns how many. Handed in so that a full disk can be tried. */
export type WriteBytes = (descriptor: number, bytes: Uint8Array) => number;

/** Where a folder's former content stands between the two renames that replace it. */
export function getFormerFolder(folder: string): string {
  return `${resolve(folder)}.former`;
}

/**
 * Writes a folder as a whole: its files go to a folder beside it, are forced to the disk, and take the place of what was
 * there. When anything fails before that, what was there stays as it was.
 *
 * @throws {TurnwiseError} (input) with the reason, e.g. that the disk is full.
 */
export function writeFolder(folder: string, files: readonly FolderFile[], write: WriteBytes = writeSync): void {
  const target = resolve(folder);
  const draft = join(dirname(target), `.${basename(target)}.draft`); // one that was left by a crash is written anew
  try {
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    for (const { name, bytes } of files) writeFileDurably(join(draft, name), bytes, write);
    syncFolder(draft);
    replaceFolder(target, draft);
  } catch (error) {
    discard(draft);
    throw inputError(
      `Cannot write the checkpoint "${folder}": ${errorMessage(error)}`,
      "The checkpoint that was there before is unchanged; make room or name another folder",
      error,
    );
  }
}

/** Removes what was begun, where that is possible: the reason why writing failed is what counts. */
function discard(draft: string): void {
  try {
    rmSync(draft, { recursive: true, force: true });
  } catch {
    // It stays; the next attempt writes over it or says why it cannot.
  }
}

function writeFileDurably(path: string, bytes: Uint8Array, write: WriteBytes): void {
  const descriptor = openSync(path, "wx");
  try {
    for (let offset = 0; offset < bytes.length;) offset += write(descriptor, bytes.subarray(offset));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A folder cannot be replaced in one step where it is not empty: the former one steps aside, and is read if we end here. */
function replaceFolder(target: string, draft: string): void {
  const former = getFormerFolder(target);
  if (existsSync(target)) {
    rmSync(former, { recursive: true, force: true });
    renameSync(target, former);
  }
  renameSync(draft, target);
  syncFolder(dirname(target));
  rmSync(former, { recursive: true, force: true });
}

function syncFolder(folder: string): void {
  if (process.platform === "win32") return; // folders cannot be opened there
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
