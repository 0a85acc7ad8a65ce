// internal
import { Worker, type WorkerOptions } from "node:worker_threads";
import type { SandboxOptions, SandboxResult } from "./sandbox-request.js";
import type { WorkerReply, WorkerRequest } from "./worker-protocol.js";

function startWorker(): Worker {
  // Its own output streams are not shown: all that can come there is the engine's report of a breakdown, which the
  // result carries too. The engine's own check of the stack must come before the host's, hence the large stack.
  const resourceLimits = { maxOldGenerationSizeMb: 256, stackSizeMb: 16 };
  const settings: WorkerOptions = { env: {}, stdout: true, stderr: true, resourceLimits };
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(writeEntry())}`), settings);
}

/** Returns the code a thread begins with. From the sources (tests, scripts) it needs a loader of TypeScript first. */
function writeEntry(): string {
  const isSource = import.meta.url.endsWith(".ts");
  const module = new URL(isSource ? "./worker.ts" : "./worker.js", import.meta.url).href;
  const load = `const { serveSandbox } = await import(${JSON.stringify(module)}); await serveSandbox();`;
  if (!isSource) return load;
  return `import { register } from ${JSON.stringify(import.meta.resolve("tsx/esm/api"))}; register(); ${load}`;
}

/** One thread with one engine. Runs one request at a time; ends itself when a run does not answer in time. */
export class SandboxThread {
  readonly #worker = startWorker();
  readonly #ready: Promise<void>;
  isUsable = true;

  constructor() {
    this.#ready = this.#receive().then(() => undefined);
    this.#ready.catch(() => undefined); // reported by the run that waits for it
  }

  /** Runs one request. Rejects when the thread cannot be started or broke down. */
  async run(code: string, options: SandboxOptions): Promise<SandboxResult> {
    const { maxSeconds = 10 } = options;
    this.#worker.ref();
    let timer: NodeJS.Timeout | undefined;
    try {
      await this.#ready;
      const late = new Promise<SandboxResult>((resolve) => {
        timer = setTimeout(() => {
          this.isUsable = false;
          const message = `Stopped after ${maxSeconds} seconds`;
          resolve({ outcome: "timeout", output: "", error: { name: "Timeout", message } });
        }, maxSeconds * 1000);
      });
      const answer = this.#receive();
      answer.catch(() => undefined); // may be rejected after the time is up, when nobody waits any more
      this.#worker.postMessage({ code, options } satisfies WorkerRequest);
      return await Promise.race([answer.then((reply) => readResult(reply)), late]);
    } catch (error) {
      this.isUsable = false;
      throw error;
    } finally {
      clearTimeout(timer);
      if (this.isUsable) this.#worker.unref();
      else await this.end();
    }
  }

  /** Stops the thread, whatever it does. */
  async end(): Promise<void> {
    this.isUsable = false;
    await this.#worker.terminate();
  }

  #receive(): Promise<WorkerReply> {
    return new Promise((resolve, reject) => {
      const worker = this.#worker;
      function settle(action: () => void): void {
        worker.off("message", onMessage).off("error", onError).off("exit", onExit);
        action();
      }
      const onMessage = (reply: WorkerReply): void => settle(() => resolve(reply));
      const onError = (cause: unknown): void =>
        settle(() => reject(new Error("Cannot run code: the sandbox thread failed", { cause })));
      const onExit = (): void => settle(() => reject(new Error("Cannot run code: the sandbox thread ended")));
      worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    });
  }
}

function readResult(reply: WorkerReply): SandboxResult {
  if (reply.type === "result") return reply.result;
  throw new TypeError("Cannot read the result of a run: the thread answered twice that it is ready");
}
