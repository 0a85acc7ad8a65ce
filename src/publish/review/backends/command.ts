import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorMessage } from "../../../core/index.js";
import { renderRepairRequest, ReviewerFault, type ReviewBackend, type ReviewSession } from "../backend.js";
import type { ReviewIdentity } from "../identity.js";

/** How a program is run as a reviewer. */
export interface CommandBackendOptions {
  /** Program and arguments; no shell. */
  readonly command: readonly [string, ...string[]];
  readonly reviewer: ReviewIdentity;
  readonly createSessionId: () => string;
  /** Variables of the program; `TURNWISE_REVIEW_SESSION` is added. */
  readonly environment: { readonly [name: string]: string | undefined };
  /** Longest time of one run. Default 900. */
  readonly timeoutSeconds?: number;
  /** Most bytes the program may print. Default 8 MiB. */
  readonly maxOutputBytes?: number;
  readonly signal?: AbortSignal;
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

function runProgram(input: string, folder: string, sessionId: string, options: CommandBackendOptions): Promise<string> {
  const { command, environment, timeoutSeconds = 900, maxOutputBytes = 8 * 2 ** 20, signal } = options;
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
      reject(new ReviewerFault("unavailable", "reviewer-not-started", describeStart(program, error), error));
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
      () =>
        stop("reviewer-timeout", `The reviewer "${program}" gave no answer within ${timeoutSeconds} s and was ended`),
      timeoutSeconds * 1000,
    );
    const onAbort = (): void => stop("reviewer-aborted", `The reviewer "${program}" was stopped`);
    signal?.addEventListener("abort", onAbort);
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxOutputBytes)
        stop("reviewer-output", `The reviewer "${program}" printed more than ${maxOutputBytes} bytes and was ended`);
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      complaint = `${complaint}${chunk.toString("utf8")}`.slice(-maxComplaint);
    });
    // A program that answers without reading its input closes the pipe early; that is its right.
    child.stdin.on("error", () => undefined);
    child.on("error", (error) => {
      fault ??= new ReviewerFault("unavailable", "reviewer-not-started", describeStart(program, error), error);
      finish();
    });
    child.on("close", (code, killer) => {
      if (code !== 0 && fault === undefined) {
        const how = code === null ? `was ended by ${killer ?? "a signal"}` : `exited with ${code}`;
        const words = complaint.trim() === "" ? "" : `: ${complaint.trim()}`;
        fault = new ReviewerFault("failed", "reviewer-exit", `The reviewer "${program}" ${how}${words}`);
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

function describeStart(program: string, error: unknown): string {
  return `The reviewer "${program}" could not be started: ${errorMessage(error)}`;
}

/**
 * Returns the backend that runs a program for each session. It gets the packet as JSON on standard input and prints a
 * response. When the form is wrong it is run once more with the conversation so far as JSON
 * (`{ schema: "review-conversation/1", session_id, messages: [{ role, content }] }`), whose last message carries the
 * validator's words. Each session has an empty working folder of its own, kept for the repair and then removed.
 */
export function createCommandBackend(options: CommandBackendOptions): ReviewBackend {
  const { command, reviewer, createSessionId, timeoutSeconds = 900 } = options;
  return {
    kind: "command",
    settings: { program: command[0].split(/[\\/]/).at(-1), parameters: command.length - 1, timeoutSeconds },
    canRepair: true,
    async openSession(): Promise<ReviewSession> {
      const id = createSessionId();
      const folder = await mkdtemp(join(tmpdir(), "turnwise-review-"));
      const messages: { role: "user" | "assistant"; content: string }[] = [];
      return {
        id,
        getIdentity: () => reviewer,
        async review(_packet, packetText) {
          const text = await runProgram(packetText, folder, id, options);
          messages.push({ role: "user", content: packetText }, { role: "assistant", content: text });
          return { text };
        },
        async repair(problems) {
          messages.push({ role: "user", content: renderRepairRequest(problems) });
          const conversation = JSON.stringify({ schema: "review-conversation/1", session_id: id, messages });
          return { text: await runProgram(conversation, folder, id, options) };
        },
        close: () => rm(folder, { recursive: true, force: true }),
      };
    },
  };
}
