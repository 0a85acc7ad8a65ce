// A place to run a document's blocks in: looks like the root of a clone after the build, and is thrown away.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

/** The repository. */
export const repositoryRoot = resolve(import.meta.dirname, "../..");

/** What a program printed, both streams in the order of writing, and its exit code. */
export interface RunResult {
  readonly code: number;
  readonly output: string;
}

/** A temporary folder with `turnwise` installed; each document has its own folder in it. */
export interface Workspace {
  readonly root: string;
  /** Returns the folder of a document, made on first use. */
  folderOf(file: string): string;
  /** Runs a program there, with `turnwise` on the PATH and without input. */
  run(file: string, command: readonly [string, ...string[]], env: Readonly<Record<string, string>>): Promise<RunResult>;
  remove(): void;
}

/** Returns a new workspace. The package in it is the built repository itself, found as a user's import finds it. */
export function createWorkspace(): Workspace {
  const root = mkdtempSync(join(tmpdir(), "turnwise-docs-"));
  const bin = join(root, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(join(repositoryRoot, "dist/cli/main.js"), join(bin, "turnwise"));
  symlinkSync(repositoryRoot, join(root, "node_modules", "turnwise"));
  symlinkSync(join(repositoryRoot, "node_modules", "@types"), join(root, "node_modules", "@types"));
  const folderOf = (file: string): string => {
    const folder = join(root, file.replace(/\.md$/, "").replaceAll("/", "-"));
    if (!existsSync(folder)) {
      mkdirSync(folder);
      for (const name of ["data", "docs", "examples"]) {
        if (existsSync(join(repositoryRoot, name))) symlinkSync(join(repositoryRoot, name), join(folder, name));
      }
    }
    return folder;
  };
  return {
    root,
    folderOf,
    run: (file, command, env) =>
      runProgram(command, folderOf(file), {
        ...process.env,
        ...env,
        PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`,
      }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<RunResult> {
  return new Promise((settle, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => settle({ code: code ?? -1, output: Buffer.concat(chunks).toString("utf8") }));
  });
}
