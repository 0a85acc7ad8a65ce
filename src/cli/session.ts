import { describeSystemError, errorMessage, getSystemCode, TurnwiseError } from "../core/index.js";
import { createProgressDisplay, type ProgressDisplay } from "./progress.js";

/** What the command line reads and writes; an argument so that tests can stand in for the process. */
export interface CliStreams {
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
}

/** What Ctrl-C is answered with. */
export interface StopWords {
  readonly drain: string;
  readonly abort: string;
}

const episodeWords: StopWords = {
  drain: "Stopping: episodes in flight are played to their end (press Ctrl-C again to give them up)",
  abort: "Giving up episodes in flight; what is finished is kept",
};

/** What the commands of one invocation share. */
export interface CliSession {
  /** Set by a command whose check failed. */
  exitCode: number;
  /** Prints to standard output, with a line break. */
  print(text: string): void;
  /** Prints one JSON document. */
  printJson(value: unknown): void;
  /** Whether standard output may be coloured. */
  readonly hasColour: boolean;
  /** Columns of the terminal; 80 when there is none. */
  readonly width: number;
  /** Where progress goes: standard error. */
  readonly progressStream: CliStreams["stderr"];
  /** Returns a display on standard error; it is finished by the session at the latest. */
  createProgress(): ProgressDisplay;
  /**
   * Returns signals for Ctrl-C: the first press lets what runs come to its end, the second gives it up. In both
   * cases everything finished is kept. `words` says what runs, where that is not episodes.
   */
  listenForStop(
    display: Pick<ProgressDisplay, "onMessage">,
    words?: StopWords,
  ): { readonly drain: AbortSignal; readonly abort: AbortSignal };
  /** Prints an error for its reader and returns the exit code. */
  reportFailure(error: unknown): number;
  close(): void;
}

/** What a user's files and disk can be the cause of; a file that is not there may also be one of turnwise's own. */
const fileFaults = new Set("EACCES EPERM EISDIR ENOTDIR EROFS ENOSPC EDQUOT EFBIG ENAMETOOLONG ELOOP EBUSY".split(" "));

/** Returns what a failed use of a file means, where no command said it better. */
function describeFileFault(error: unknown): string | undefined {
  if (!fileFaults.has(getSystemCode(error) ?? "")) return undefined;
  const { path, syscall = "" } = error as { readonly path?: string; readonly syscall?: string }; // as node's errors have
  if (path === undefined && syscall !== "read" && syscall !== "write") return undefined;
  return `Cannot ${syscall === "read" || syscall === "write" ? syscall : "use"} ${path === undefined ? "a file" : `"${path}"`}: ${describeSystemError(error)}`;
}

/** Returns the session of one invocation. */
export function createSession({ stdout, stderr }: CliStreams): CliSession {
  const closers: (() => void)[] = [];
  return {
    exitCode: 0,
    print: (text) => void stdout.write(`${text}\n`),
    printJson: (value) => void stdout.write(`${JSON.stringify(value, null, 2)}\n`),
    hasColour: stdout.isTTY === true && process.env["NO_COLOR"] === undefined,
    width: Math.max(40, Math.min(stdout.columns ?? 80, 120)),
    progressStream: stderr,
    createProgress() {
      const display = createProgressDisplay({ stream: stderr, now: () => performance.now() / 1000 });
      let isFinished = false;
      const finish = (): void => {
        if (!isFinished) display.finish();
        isFinished = true;
      };
      closers.push(finish);
      return { ...display, finish };
    },
    listenForStop(display, words = episodeWords) {
      const drain = new AbortController();
      const abort = new AbortController();
      const onInterrupt = (): void => {
        if (!drain.signal.aborted) {
          drain.abort();
          display.onMessage?.(words.drain);
        } else {
          abort.abort();
          display.onMessage?.(words.abort);
        }
      };
      // A scheduler that ends a job, or a terminal that is closed, does not wait for episodes in flight; what is finished is kept.
      const onTerminate = (): void => {
        drain.abort();
        abort.abort();
        display.onMessage?.(words.abort);
      };
      process.on("SIGINT", onInterrupt);
      process.on("SIGTERM", onTerminate);
      process.on("SIGHUP", onTerminate);
      closers.push(() => {
        process.off("SIGINT", onInterrupt);
        process.off("SIGTERM", onTerminate);
        process.off("SIGHUP", onTerminate);
      });
      return { drain: drain.signal, abort: abort.signal };
    },
    reportFailure(error) {
      for (const close of closers.splice(0)) close();
      if (error instanceof TurnwiseError) {
        stderr.write(`error: ${error.message}\n`);
        if (error.remedy !== undefined) stderr.write(`       ${error.remedy}\n`);
        return error.kind === "usage" ? 2 : 3;
      }
      const fileFault = describeFileFault(error);
      if (fileFault !== undefined) {
        stderr.write(`error: ${fileFault}\n`);
        return 3;
      }
      stderr.write(
        `internal error: ${error instanceof Error ? (error.stack ?? errorMessage(error)) : errorMessage(error)}\n`,
      );
      stderr.write("This is a fault of turnwise: please report it with the command and the lines above.\n");
      return 4;
    },
    close() {
      for (const close of closers.splice(0)) close();
    },
  };
}
