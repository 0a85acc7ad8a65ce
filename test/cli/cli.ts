import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** What one process of the command did. */
export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const main = resolve("dist/cli/main.js");

/** Starts the built command as a process of its own. `started` gets the process. */
export function runTurnwise(
  args: readonly string[],
  options: {
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly started?: (child: ChildProcess) => void;
  } = {},
): Promise<CliRun> {
  const { cwd, env = {}, started } = options;
  const clean = { PATH: process.env["PATH"], HOME: process.env["HOME"], NO_COLOR: "1", ...env };
  const child = spawn(process.execPath, [main, ...args], { cwd, env: clean, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  started?.(child);
  return new Promise((resolveRun, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolveRun({ code, stdout, stderr }));
  });
}

/** Returns an empty folder and a way to remove it. */
export function createFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "turnwise-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
