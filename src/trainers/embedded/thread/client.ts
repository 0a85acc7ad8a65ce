// internal
import { Worker } from "node:worker_threads";
import { inputError, usageError } from "../../../core/index.js";
import type { ThreadCalls, ThreadFault, ThreadReply } from "./protocol.js";

/** A call that waits for its answer. */
interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/** Returns the code a thread begins with. From the sources (tests, scripts) it needs a loader of TypeScript first. */
function writeEntry(): string {
  const isSource = import.meta.url.endsWith(".ts");
  const module = new URL(isSource ? "./serve.ts" : "./serve.js", import.meta.url).href;
  const load = `const { serveTrainer } = await import(${JSON.stringify(module)}); serveTrainer();`;
  if (!isSource) return load;
  return `import { register } from ${JSON.stringify(import.meta.resolve("tsx/esm/api"))}; register(); ${load}`;
}

/** The thread that holds an engine, as functions that return promises. */
export class TrainerThread {
  // Tensors lie outside the heap and are let go of when it is collected, so that a small one keeps few of them waiting.
  readonly #worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(writeEntry())}`), {
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 0;
  #end: Error | undefined;

  constructor() {
    this.#worker.on("message", (reply: ThreadReply) => this.#receive(reply));
    this.#worker.on("error", (cause) => {
      this.#fail(new Error("Cannot go on: the trainer's thread broke down", { cause }));
    });
    this.#worker.on("exit", (code) =>
      this.#fail(new Error(`Cannot go on: the trainer's thread ended with code ${code}`)),
    );
  }

  /** Sends a call and waits for its result. Memory in `transfer` is handed over. */
  call<Name extends keyof ThreadCalls>(
    name: Name,
    args: ThreadCalls[Name]["arguments"],
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<ThreadCalls[Name]["result"]> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#worker.postMessage({ name, id, arguments: args }, transfer); // throws, and so rejects, what cannot be sent
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(id, { resolve, reject });
    });
  }

  /** Releases the engine and ends the thread. Calls made afterwards are refused. */
  async close(): Promise<void> {
    if (this.#end !== undefined) return;
    const closed = this.call("close", []);
    this.#end = new Error("Cannot go on: the trainer is closed");
    await closed;
    await this.#worker.terminate();
  }

  #receive(reply: ThreadReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    // A thread that nobody waits for does not keep the process alive.
    if (this.#waiting.size === 0) this.#worker.unref();
    if (waiting === undefined) return;
    if ("fault" in reply) waiting.reject(createError(reply.fault));
    else waiting.resolve(reply.result as never); // the result belongs to the call of this id
  }

  #fail(error: Error): void {
    this.#end ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#end);
    this.#waiting.clear();
  }
}

function createError({ type, message, stack, remedy }: ThreadFault): Error {
  switch (type) {
    case "usage":
      return usageError(message, remedy);
    case "input":
      return inputError(message, remedy);
    case "range":
      return Object.assign(new RangeError(message), { stack });
    case "other":
      return Object.assign(new Error(message), { stack });
    default:
      return type satisfies never;
  }
}
