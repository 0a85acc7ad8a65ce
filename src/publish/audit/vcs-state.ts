import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { sha256 } from "../../core/index.js";

/** What a version control folder looks like, read and never written. */
export interface VcsState {
  /** Commit id of HEAD, or the branch's name when it has no commit that can be read. */
  readonly head?: string;
  /** Hash of the index, which any staging or commit changes. */
  readonly index?: string;
}

async function findGitFolder(folder: string): Promise<string | undefined> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = join(at, ".git");
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() === true) return path;
    if (found?.isFile() === true) {
      const text = await readFile(path, "utf8");
      return resolve(at, /^gitdir:\s*(.+)$/m.exec(text)?.[1].trim() ?? ".git");
    }
    if (dirname(at) === at) return undefined;
  }
}

/** Returns the state of the git folder around `folder`; empty where there is none. */
export async function readVcsState(folder: string): Promise<VcsState> {
  const git = await findGitFolder(folder);
  if (git === undefined) return {};
  const read = (name: string): Promise<string | undefined> => readFile(join(git, name), "utf8").catch(() => undefined);
  const head = (await read("HEAD"))?.trim();
  const branch = head === undefined ? undefined : /^ref:\s*(\S+)/.exec(head)?.[1];
  const commit = branch === undefined ? head : ((await read(branch))?.trim() ?? branch);
  const index = await readFile(join(git, "index")).catch(() => undefined);
  return {
    ...(commit === undefined ? {} : { head: commit }),
    ...(index === undefined ? {} : { index: `sha256:${sha256(index)}` }),
  };
}
