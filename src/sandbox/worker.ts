// internal
import { parentPort } from "node:worker_threads";
import { createEngine, isFitEngine, runInEngine } from "./engine.js";
import type { WorkerReply, WorkerRequest } from "./worker-protocol.js";

/** Makes local time UTC in this thread, where the engine asks for it, so that results do not depend on the machine. */
function useUtc(): void {
  const { prototype } = Date;
  for (const part of ["FullYear", "Month", "Date", "Day", "Hours", "Minutes", "Seconds", "Milliseconds"] as const) {
    Object.defineProperty(prototype, `get${part}`, { value: prototype[`getUTC${part}`] });
  }
  prototype.getTimezoneOffset = () => 0;
}

/** Answers the sandbox's requests one after another; called once, in a thread of its own. */
export async function serveSandbox(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new TypeError("Cannot serve the sandbox outside a worker thread");
  useUtc();
  let engine = await createEngine();
  async function answer({ code, options }: WorkerRequest): Promise<WorkerReply> {
    if (!isFitEngine(engine, options)) engine = await createEngine(options);
    try {
      return { type: "result", result: runInEngine(engine, code, options) };
    } catch (error) {
      // The host's stack or the engine's memory gave way (for example in the parser): this engine is not used again.
      engine = await createEngine(options);
      const message = `The engine gave up: ${error instanceof Error ? error.message : String(error)}`;
      return { type: "result", result: { outcome: "error", output: "", error: { name: "InternalError", message } } };
    }
  }
  port.on("message", (request: WorkerRequest) => {
    void answer(request).then((reply) => port.postMessage(reply));
  });
  port.postMessage({ type: "ready" } satisfies WorkerReply);
}
