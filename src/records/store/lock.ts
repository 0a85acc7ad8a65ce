import { randomBytes } from "node:crypto";
import { link, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { getSystemCode, inputError, isJsonObject } from "../../core/index.js";
import { explainWriteError } from "./files.js";

/** Who writes a run folder. */
interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** When the process began, in the system's ticks, so that a reused pid is not taken for the owner; "" if not known. */
  readonly processStart: string;
  readonly token: string;
}

/** A lock that is held. */
export interface FolderLock {
  release(): Promise<void>;
}

/** Returns the state and start time of a process from Linux' /proc, or "" elsewhere and for processes that are gone. */
function readProcess(pid: number): { readonly state: string; readonly start: string } {
  try {
    // The name in parentheses may hold spaces; state and start time are fields 1 and 20 after it (proc(5), 3 and 22).
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", start: fields[19] ?? "" };
  } catch {
    return { state: "", start: "" };
  }
}

function isProcessAlive(owner: LockOwner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return getSystemCode(error) === "EPERM"; // it exists but belongs to someone else
  }
  const { state, start } = readProcess(owner.pid);
  // It has ended, and its parent never asks how: in a container whose first process reaps nothing, it stays so for ever.
  if (state === "Z" || state === "X") return false;
  return owner.processStart === "" || start === "" || start === owner.processStart;
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) return undefined;
    const { pid, host, processStart, token } = value;
    if (typeof pid !== "number" || typeof host !== "string" || typeof token !== "string") return undefined;
    return { pid, host, processStart: typeof processStart === "string" ? processStart : "", token };
  } catch {
    return undefined;
  }
}

async function readOwner(path: string): Promise<LockOwner | "unreadable" | undefined> {
  try {
    return parseOwner(await readFile(path, "utf8")) ?? "unreadable";
  } catch (error) {
    if (getSystemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function refuse(folder: string, path: string, owner: LockOwner): never {
  const isOwn = owner.pid === process.pid && owner.host === hostname();
  const who = isOwn ? "this process itself" : `process ${owner.pid} on ${owner.host}`;
  throw inputError(
    `Cannot write "${folder}": ${who} is writing it`,
    owner.host === hostname() ? "Wait for it to end, or stop it" : `If that process is gone, delete "${path}"`,
  );
}

/**
 * Moves a dead owner's lock out of the way. Two processes may find the same dead owner: a rename is atomic, and who
 * moved another lock than the one found puts it back.
 */
async function removeStale(path: string, stale: LockOwner | "unreadable"): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString("hex")}.stale`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (getSystemCode(error) === "ENOENT") return; // someone else removed it
    throw error;
  }
  const moved = await readOwner(aside);
  const isSame =
    stale === "unreadable" ? moved === "unreadable" : typeof moved === "object" && moved.token === stale.token;
  if (!isSame) await link(aside, path).catch(() => undefined); // fails only if a third process has locked since
  await unlink(aside);
}

/**
 * Locks a run folder for writing. A lock whose process is gone (killed, or before a reboot) is taken over.
 *
 * @throws {TurnwiseError} (input) that names the process which holds it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, "lock");
  const token = randomBytes(8).toString("hex");
  const owner: LockOwner = { pid: process.pid, host: hostname(), processStart: readProcess(process.pid).start, token };
  const draft = `${path}.${token}.tmp`;
  try {
    await writeFile(draft, `${JSON.stringify(owner)}\n`, { flag: "wx" });
  } catch (error) {
    throw explainWriteError("lock the run", folder, error);
  }
  try {
    for (;;) {
      try {
        await link(draft, path); // appears with its content or not at all, and never replaces
        break;
      } catch (error) {
        if (getSystemCode(error) !== "EEXIST") throw explainWriteError("lock the run", folder, error);
      }
      const current = await readOwner(path);
      if (current === undefined) continue;
      if (current !== "unreadable" && (current.host !== owner.host || isProcessAlive(current)))
        refuse(folder, path, current);
      await removeStale(path, current);
    }
  } finally {
    await unlink(draft);
  }
  return {
    async release() {
      const current = await readOwner(path);
      if (typeof current === "object" && current.token === token) await unlink(path);
    },
  };
}
