// internal
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { errorMessage } from "../../../core/index.js";
import { ReviewerFault } from "../backend.js";

/** How a program is run. */
export interface ProgramLimits {
  /** Program and arguments; no shell. */
  readonly command: readonly [string, ...string[]];
  /** Variables of the program; `TURNWISE_REVIEW_SESSION` is added. */
  readonly environment: { readonly [name: string]: string | undefined };
  /** Longest time of one run. Default 900. */
  readonly timeoutSeconds?: number;
  /** Most bytes the program may print. Default 8 MiB. */
  readonly maxOutputBytes?: number;
  readonly signal?: AbortSignal;
  /** What the program is called in messages. Default `reviewer`. */
  readonly who?: string;
}

/** Bytes of the program's complaints that go into a message. */
const maxComplaint = 600;

/** Ends a program and what it started. */
function endProgram(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return;
  try {
    // The program leads a group of its own, so that what it started ends with it. Windows has no such groups.
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL"); // The group has ended already.
  }
}

/**
 * Runs a program with `input` on standard input and returns what it prints.
 *
 * @throws {ReviewerFault} `unavailable` when it cannot be started; `failed` when it exits with another code than 0, gives
 * no answer in time, or prints too much.
 */
export function runProgram(input: string, folder: string, sessionId: string, options: ProgramLimits): Promise<string> {
  const {
    command,
    environment,
    timeoutSeconds = 900,
    maxOutputBytes = 8 * 2 ** 20,
    signal,
    who = "reviewer",
  } = options;
  const [program, ...parameters] = command;
  return new Promise((resolve, reject) => {
    let child: ChildProcessWithoutNullStreams;
    try {
      child = spawn(program, parameters, {
        cwd: folder,
        env: { ...environment, TURNWISE_REVIEW_SESSION: sessionId },
        detached: process.platform !== "win32",
        windowsHide: true,
      });
    } catch (error) {
      reject(new ReviewerFault("unavailable", "reviewer-not-started", describeStart(who, program, error), error));
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    let complaint = "";
    let fault: ReviewerFault | undefined;
    const stop = (reasonCode: string, message: string): void => {
      fault ??= new ReviewerFault("failed", reasonCode, message);
      endProgram(child);
    };
    const timer = setTimeout(
      () => stop("reviewer-timeout", `The ${who} "${program}" gave no answer within ${timeoutSeconds} s and was ended`),
      timeoutSeconds * 1000,
    );
    const onAbort = (): void => stop("reviewer-aborted", `The ${who} "${program}" was stopped`);
    signal?.addEventListener("abort", onAbort);
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxOutputBytes)
        stop("reviewer-output", `The ${who} "${program}" printed more than ${maxOutputBytes} bytes and was ended`);
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      complaint = `${complaint}${chunk.toString("utf8")}`.slice(-maxComplaint);
    });
    // A program that answers without reading its input closes the pipe early; that is its right.
    child.stdin.on("error", () => undefined);
    child.on("error", (error) => {
      fault ??= new ReviewerFault("unavailable", "reviewer-not-started", describeStart(who, program, error), error);
      finish();
    });
    child.on("close", (code, killer) => {
      if (code !== 0 && fault === undefined) {
        const how = code === null ? `was ended by ${killer ?? "a signal"}` : `exited with ${code}`;
        const words = complaint.trim() === "" ? "" : `: ${complaint.trim()}`;
        fault = new ReviewerFault("failed", "reviewer-exit", `The ${who} "${program}" ${how}${words}`);
      }
      finish();
    });
    function finish(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      if (fault === undefined) resolve(Buffer.concat(chunks).toString("utf8"));
      else reject(fault);
    }
    child.stdin.end(input);
  });
}

function describeStart(who: string, program: string, error: unknown): string {
  return `The ${who} "${program}" could not be started: ${errorMessage(error)}`;
}
