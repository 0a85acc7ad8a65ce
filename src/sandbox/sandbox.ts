import { availableParallelism } from "node:os";
import type { SandboxOptions, SandboxResult } from "./sandbox-request.js";
import { SandboxThread } from "./thread.js";

/** Runs untrusted JavaScript. */
export interface Sandbox {
  /**
   * Runs `code` as a script in a new realm of a JavaScript engine compiled to WebAssembly: without files, network,
   * modules, timers or the host's objects. What the code does wrong is in the result, never thrown.
   *
   * @throws {Error} when no thread can be started, or after {@linkcode Sandbox.close}.
   */
  run(code: string, options?: SandboxOptions): Promise<SandboxResult>;
  /** Ends the threads; runs still waiting are rejected. Needed only to free memory early: idle threads keep no process alive. */
  close(): Promise<void>;
}

interface Job {
  readonly code: string;
  readonly options: SandboxOptions;
  readonly resolve: (result: SandboxResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Returns a sandbox. Threads are started when first needed, at most `maxThreads` (default: the cores of the machine
 * less one, 1 to 4), and reused: a short run costs about a millisecond. Runs beyond that wait their turn. A thread
 * that does not answer in time is ended and replaced.
 *
 * Equal code, options and engine give equal results: `Math.random` is seeded, the clock stands still, local time is
 * UTC, and the limit of steps does not depend on the machine.
 *
 * @example
 * const sandbox = createSandbox();
 * await sandbox.run("[1, 2].map((x) => x * 2)"); // { outcome: "ok", value: [2, 4], output: "" }
 * await sandbox.run("for (;;);"); // { outcome: "timeout", ... }
 */
export function createSandbox(options: { readonly maxThreads?: number } = {}): Sandbox {
  const { maxThreads = Math.max(1, Math.min(4, availableParallelism() - 1)) } = options;
  if (!Number.isInteger(maxThreads) || maxThreads < 1) {
    throw new RangeError(
      `Cannot create a sandbox as maxThreads must be a whole number from 1: current value is ${maxThreads}`,
    );
  }
  const idle: SandboxThread[] = [];
  const busy = new Set<SandboxThread>();
  const queue: Job[] = [];
  let isClosed = false;

  async function play(thread: SandboxThread, job: Job): Promise<void> {
    busy.add(thread);
    try {
      job.resolve(await thread.run(job.code, job.options));
    } catch (error) {
      job.reject(error);
    }
    busy.delete(thread);
    if (thread.isUsable) idle.push(thread);
    proceed();
  }

  function proceed(): void {
    while (queue.length > 0 && busy.size < maxThreads) {
      const job = queue.shift();
      if (job === undefined) return;
      void play(idle.pop() ?? new SandboxThread(), job);
    }
  }

  return {
    run(code, runOptions = {}) {
      if (isClosed) return Promise.reject(new Error("Cannot run code: the sandbox is closed"));
      return new Promise((resolve, reject) => {
        queue.push({ code, options: runOptions, resolve, reject });
        proceed();
      });
    },
    async close() {
      isClosed = true;
      for (const job of queue.splice(0)) job.reject(new Error("Cannot run code: the sandbox was closed"));
      await Promise.all([...idle.splice(0), ...busy].map((thread) => thread.end()));
    },
  };
}
