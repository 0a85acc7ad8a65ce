import { spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { RunResult } from "./run-result.js";

/** Runs Python by an interpreter of this machine. */
export interface PythonRunner {
  /** Runs sources one after another in one namespace; the output is that of the last. */
  run(sources: readonly string[], maxSeconds: number): Promise<RunResult>;
}

/** Exit code of the driver for a module that is not installed. */
const missingModule = 77;
const maxOutput = 65_536;

/**
 * What runs inside the interpreter. The hook refuses network, processes and writing outside the empty folder that the
 * code is started in; it keeps honest code honest and is no wall against code that attacks the interpreter.
 */
const driver = `
import sys, os, io, json
job = json.loads(sys.stdin.read())
root = os.path.realpath(os.getcwd())
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, (job["seconds"] + 1, job["seconds"] + 2))
    resource.setrlimit(resource.RLIMIT_AS, (job["bytes"], job["bytes"]))
except Exception:
    pass
def guard(event, args):
    if event.startswith(("socket.", "subprocess.", "ftplib.", "smtplib.", "http.", "urllib.")) or event in ("os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.kill"):
        raise PermissionError("the block may not use " + event)
    if event == "open":
        path, mode, flags = args[0], args[1], args[2]
        writes = (isinstance(mode, str) and any(c in mode for c in "wax+")) or (isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        if writes and isinstance(path, (str, bytes)) and os.fsdecode(path) != os.devnull and not os.path.realpath(os.fsdecode(path)).startswith(root):
            raise PermissionError("the block may write only in its own folder")
    if event in ("os.remove", "os.rmdir", "os.rename", "shutil.rmtree") and not os.path.realpath(os.fsdecode(args[0])).startswith(root):
        raise PermissionError("the block may remove only what it wrote")
sys.addaudithook(guard)
scope = {"__name__": "__main__"}
out = sys.stdout
try:
    for i, source in enumerate(job["sources"]):
        is_last = i == len(job["sources"]) - 1
        sys.stdout = out if is_last else io.StringIO()
        exec(compile(source, "block", "exec"), scope)
    out.flush()
except ModuleNotFoundError as error:
    out.flush()
    sys.stderr.write(str(error))
    sys.stderr.flush()
    os._exit(${missingModule})
except SystemExit as error:
    out.flush()
    code = error.code
    os._exit(0 if code is None else code if isinstance(code, int) else 1)
except BaseException as error:
    out.flush()
    sys.stderr.write(type(error).__name__ + ": " + str(error))
    sys.stderr.flush()
    os._exit(1)
`;

/** Returns the first Python 3 on a search path (default: that of the process), or `undefined`. */
export function findPython(path = process.env["PATH"] ?? ""): string | undefined {
  for (const folder of path.split(delimiter)) {
    for (const name of process.platform === "win32" ? ["python.exe"] : ["python3", "python"]) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        continue; // not there, or not for us
      }
    }
  }
  return undefined;
}

interface Ended {
  readonly code: number | undefined;
  readonly output: string;
  readonly errors: string;
  readonly isLate: boolean;
}

function runProcess(
  file: string,
  args: readonly string[],
  options: {
    readonly input: string;
    readonly seconds: number;
    readonly cwd?: string;
    readonly env?: NodeJS.ProcessEnv;
  },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: options.cwd, env: options.env ?? process.env, stdio: "pipe" });
    let [output, errors, isLate] = ["", "", false];
    const timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, options.seconds * 1000);
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output = (output + text).slice(0, maxOutput)));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors = (errors + text).slice(0, maxOutput)));
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? undefined, output, errors, isLate });
    });
    // A process that ended early does not read its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input);
  });
}

function toResult({ code, output, errors, isLate }: Ended, maxSeconds: number): RunResult {
  if (isLate) return { outcome: "failed", output, message: `The block does not end in ${maxSeconds} s` };
  if (code === 0) return { outcome: "passed", output };
  if (code === missingModule) return { outcome: "blocked", output, message: `Python: ${errors.trim()}` };
  const last = errors.trim().split("\n").at(-1) ?? "";
  return { outcome: "failed", output, message: last === "" ? `Python ended with exit code ${code ?? "none"}` : last };
}

/**
 * Returns the runner of an interpreter, or `undefined` where it does not start. Code runs in an empty folder that is
 * removed afterwards, with an empty environment, limits of time and memory, and without network or processes.
 */
export async function openPythonRunner(file: string): Promise<PythonRunner | undefined> {
  // Launchers of version managers need the user's environment, the interpreter behind them does not.
  const found = await runProcess(file, ["-c", "import sys; print(sys.executable)"], { input: "", seconds: 20 }).catch(
    () => undefined,
  );
  const executable = found?.code === 0 ? found.output.trim() : "";
  if (executable === "") return undefined;
  return {
    async run(sources, maxSeconds) {
      const folder = mkdtempSync(join(tmpdir(), "turnwise-code-"));
      try {
        const input = JSON.stringify({ sources, seconds: Math.ceil(maxSeconds), bytes: 2 ** 32 });
        const env = {
          PATH: "",
          HOME: folder,
          PYTHONHASHSEED: "0",
          PYTHONIOENCODING: "utf-8",
          PYTHONDONTWRITEBYTECODE: "1",
        };
        return toResult(
          await runProcess(executable, ["-c", driver], { input, seconds: maxSeconds, cwd: folder, env }),
          maxSeconds,
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
