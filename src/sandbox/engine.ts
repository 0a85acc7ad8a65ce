// internal
import { newQuickJSWASMModuleFromVariant, newVariant, Scope } from "quickjs-emscripten-core";
import type {
  QuickJSContext,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSSyncVariant,
  QuickJSWASMModule,
} from "quickjs-emscripten-core";
import type { JsonValue } from "../core/index.js";
import { preludeCode } from "./prelude.js";
import type { SandboxError, SandboxOptions, SandboxOutcome, SandboxResult } from "./sandbox-request.js";

/** QuickJS asks its interrupt handler once in so many steps. */
const stepsPerPoll = 10_000;
/** The WebAssembly stack holds 1 MiB; the engine's own frames need the rest. */
const largestStackBytes = 524_288;

/** Promise reactions that count as one poll: each costs about as much as a hundred steps. */
const jobsPerPoll = 100;
const pageBytes = 65_536;
/** What the engine's module asks for at the start: its own data, its stack and room for small programs. */
const initialPages = 256;
/** Used unless a run asks for another limit. */
const defaultMemoryBytes = 32 * 1024 * 1024;

/** One instance of the engine with memory of its own. */
export interface Engine {
  readonly module: QuickJSWASMModule;
  readonly memory: WebAssembly.Memory;
  readonly maxPages: number;
}

function getMaxPages(options: SandboxOptions): number {
  return Math.max(initialPages, Math.ceil((options.maxMemoryBytes ?? defaultMemoryBytes) / pageBytes));
}

/**
 * Returns an engine whose memory cannot grow beyond the limit: the engine's own accounting does not see what its
 * allocator hands out in WebAssembly, the memory's maximum holds for everything.
 */
export async function createEngine(options: SandboxOptions = {}): Promise<Engine> {
  const maxPages = getMaxPages(options);
  const memory = new WebAssembly.Memory({ initial: initialPages, maximum: maxPages });
  const { default: loaded } = await import("@jitl/quickjs-wasmfile-release-sync");
  const variant = loaded as unknown as QuickJSSyncVariant; // its declarations describe the CommonJS form, one default deeper
  const module = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory: memory }));
  return { module, memory, maxPages };
}

/** Says whether an engine can serve a run: its limit is the one asked for, and no run before made it grow. */
export function isFitEngine(engine: Engine, options: SandboxOptions): boolean {
  return engine.maxPages === getMaxPages(options) && engine.memory.buffer.byteLength === initialPages * pageBytes;
}

/** Ends a run from inside: it carries the outcome. */
class RunFailure extends Error {
  readonly outcome: Exclude<SandboxOutcome, "ok">;
  readonly fault: SandboxError;
  constructor(outcome: Exclude<SandboxOutcome, "ok">, fault: SandboxError) {
    super(fault.message);
    this.outcome = outcome;
    this.fault = fault;
  }
}

/** What the engine returns: a handle to the value or to what was thrown. */
type EngineResult = { readonly value: QuickJSHandle; readonly error?: undefined } | { readonly error: QuickJSHandle };

function readProperty(context: QuickJSContext, handle: QuickJSHandle, key: string): string | undefined {
  // The property may be a getter of the user's code: it runs under the same limits, and what it throws is dropped.
  return context
    .getProp(handle, key)
    .consume((property) => (context.typeof(property) === "string" ? context.getString(property) : undefined));
}

function findPlace(stack: string | undefined): SandboxError["place"] {
  const match = /at (?:.*\()?([^\s()]+\.m?js):(\d+)/.exec(stack ?? "");
  return match === null || match[1] === "prelude.js" ? undefined : { script: match[1] ?? "", line: Number(match[2]) };
}

function describeThrown(context: QuickJSContext, handle: QuickJSHandle): SandboxError {
  if (context.typeof(handle) !== "object" || context.eq(handle, context.null)) {
    return { name: "Thrown value", message: context.getString(handle).slice(0, 1000) };
  }
  const name = readProperty(context, handle, "name");
  const message = readProperty(context, handle, "message");
  if (name === undefined || message === undefined)
    return { name: "Thrown value", message: "an object that is no error" };
  const place = findPlace(readProperty(context, handle, "stack"));
  return { name: name.slice(0, 100), message: message.slice(0, 1000), ...(place === undefined ? {} : { place }) };
}

/** One run: a realm of its own in a runtime of its own; nothing is left over for the next one. */
class Run {
  readonly #scope: Scope;
  readonly #options: SandboxOptions;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #maxPolls: number;
  #polls = 0;
  output = "";
  isOutputCut = false;

  constructor(engine: QuickJSWASMModule, scope: Scope, options: SandboxOptions) {
    const { maxSteps = 30_000_000, maxMemoryBytes = defaultMemoryBytes, maxStackBytes = 262_144 } = options;
    this.#scope = scope;
    this.#options = { ...options, maxSteps, maxMemoryBytes };
    this.#maxPolls = Math.max(1, Math.ceil(maxSteps / stepsPerPoll));
    this.#runtime = scope.manage(engine.newRuntime());
    this.#runtime.setMaxStackSize(Math.min(maxStackBytes, largestStackBytes));
    this.#runtime.setInterruptHandler(() => {
      this.#polls += 1;
      return this.#isOutOfSteps;
    });
    this.#context = scope.manage(this.#runtime.newContext());
  }

  /** Returns the value of the code as JSON, or `undefined` when JSON cannot carry it. Throws a `RunFailure`. */
  evaluate(code: string): JsonValue | undefined {
    const { scripts = [], name = "main.js", seed = 0, nowMilliseconds = 0 } = this.#options;
    const context = this.#context;
    const prelude = this.#unwrap(context.evalCode(preludeCode, "prelude.js"));
    const print = this.#scope.manage(context.newFunction("print", (line) => this.#print(line)));
    const settings = [context.newNumber(seed), context.newNumber(nowMilliseconds)];
    const toJson = this.#unwrap(context.callFunction(prelude, context.undefined, print, ...settings));
    for (const script of scripts) this.#unwrap(context.evalCode(script.code, script.name));
    const value = this.#settle(this.#unwrap(context.evalCode(code, name)));
    const json = this.#unwrap(context.callFunction(toJson, context.undefined, value));
    if (context.typeof(json) !== "string") return undefined;
    const text = context.getString(json);
    if (text.length > this.#maxOutputLength) {
      const message = `The value has more than ${this.#maxOutputLength} units of JSON`;
      throw new RunFailure("error", { name: "RangeError", message });
    }
    return JSON.parse(text) as JsonValue; // written by JSON.stringify
  }

  get #isOutOfSteps(): boolean {
    return this.#polls > this.#maxPolls;
  }

  get #maxOutputLength(): number {
    return this.#options.maxOutputLength ?? 65_536;
  }

  #unwrap(result: EngineResult): QuickJSHandle {
    if (result.error === undefined) return this.#scope.manage(result.value);
    const thrown = this.#scope.manage(result.error);
    const { maxSteps, maxMemoryBytes } = this.#options;
    const fault = describeThrown(this.#context, thrown); // may run the code's getters, so steps are counted after it
    if (this.#isOutOfSteps) {
      throw new RunFailure("timeout", { name: "Timeout", message: `Stopped after ${maxSteps} steps` });
    }
    if (fault.name === "InternalError" && fault.message === "out of memory") {
      throw new RunFailure("out_of_memory", {
        name: fault.name,
        message: `More than ${maxMemoryBytes} bytes are needed`,
      });
    }
    throw new RunFailure("error", fault);
  }

  #settle(handle: QuickJSHandle): QuickJSHandle {
    while (this.#runtime.hasPendingJob()) {
      const jobs = this.#runtime.executePendingJobs(jobsPerPoll);
      this.#polls += 1;
      if (jobs.error !== undefined) this.#unwrap({ error: jobs.error });
      if (this.#isOutOfSteps) this.#unwrap({ error: this.#context.newError("out of steps") });
    }
    const state = this.#context.getPromiseState(handle);
    switch (state.type) {
      case "fulfilled":
        return this.#scope.manage(state.value);
      case "rejected":
        return this.#unwrap({ error: state.error });
      case "pending":
        throw new RunFailure("error", { name: "Error", message: "The promise never settles: no work is left" });
      default:
        return state satisfies never;
    }
  }

  #print(line: QuickJSHandle): void {
    const room = this.#maxOutputLength - this.output.length;
    if (this.isOutputCut) return;
    const text = `${this.#context.getString(line)}\n`;
    if (text.length > room) this.isOutputCut = true;
    this.output += text.slice(0, room);
  }
}

/** Runs code in a realm of its own. Throws only when the engine itself broke and must be replaced. */
export function runInEngine(engine: Engine, code: string, options: SandboxOptions): SandboxResult {
  return Scope.withScope((scope) => {
    const run = new Run(engine.module, scope, options);
    let outcome: SandboxOutcome = "ok";
    let parts: Partial<SandboxResult>;
    try {
      const value = run.evaluate(code);
      parts = value === undefined ? {} : { value };
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      outcome = error.outcome;
      parts = { error: error.fault };
    }
    return { outcome, output: run.output, ...(run.isOutputCut ? { isOutputCut: true } : {}), ...parts };
  });
}
