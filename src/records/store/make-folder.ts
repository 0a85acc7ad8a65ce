import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { getSystemCode } from "../../core/index.js";

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
}

/**
 * Makes a folder and those above it that are missing; one that is there is left alone. The platform's own recursive mkdir
 * never ends where a folder exists and takes no new one but says that it does not exist, as /proc does.
 *
 * @throws {Error} with a system code when the folder cannot be made.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      await mkdir(at);
      break;
    } catch (error) {
      if (await isFolder(at)) break;
      if (getSystemCode(error) !== "ENOENT" || dirname(at) === at) throw error;
      missing.push(at);
    }
  }
  for (const folder of missing.reverse()) {
    try {
      await mkdir(folder);
    } catch (error) {
      if (!(await isFolder(folder))) throw error; // another process may have made it meanwhile
    }
  }
}
