import type { JsonValue } from "../core/index.js";

/** A piece of code with the name that errors call it by, e.g. `fee.js`. */
export interface SandboxScript {
  readonly name: string;
  readonly code: string;
}

/** What one run may use. */
export interface SandboxLimits {
  /**
   * Engine steps (calls and backward jumps; a promise reaction counts as a hundred), counted in ten thousands. The same code stops at the same step on every
   * machine. Default 30,000,000: about a second.
   */
  readonly maxSteps?: number;
  /**
   * Wall-clock seconds after which the thread is ended. Only for what does not count as steps, such as one built-in
   * function that works forever; its outcome depends on the machine. Default 10.
   */
  readonly maxSeconds?: number;
  /** Bytes of the engine's memory, its own part of about 3 MiB included; at least 16 MiB. Default 32 MiB. */
  readonly maxMemoryBytes?: number;
  /** Bytes of stack, at most 524,288. Default 262,144: some thousand nested calls. */
  readonly maxStackBytes?: number;
  /** UTF-16 units of captured output; the rest is dropped. Also the limit of the value's JSON text. Default 65,536. */
  readonly maxOutputLength?: number;
}

/** Settings of one run. */
export interface SandboxOptions extends SandboxLimits {
  /** Run before the code in the same realm, in order. Default none. */
  readonly scripts?: readonly SandboxScript[];
  /** What errors call the code. Default `main.js`. */
  readonly name?: string;
  /** Seeds `Math.random`. Default 0. */
  readonly seed?: number;
  /** What the clock shows, in milliseconds since 1970 (UTC). It stands still. Default 0. */
  readonly nowMilliseconds?: number;
}

/** What went wrong in the code. */
export interface SandboxError {
  /** The error's class, such as `TypeError`; `"Thrown value"` for what is no error. */
  readonly name: string;
  readonly message: string;
  /** The script and 1-based line where it was thrown, when known. */
  readonly place?: { readonly script: string; readonly line: number };
}

/**
 * How a run ended: `ok`, an error that the code did not catch (`error`), or a limit: `timeout` for steps and seconds,
 * `out_of_memory` for memory. Too deep a recursion is an error of class `InternalError` that the code may catch.
 */
export type SandboxOutcome = "ok" | "error" | "timeout" | "out_of_memory";

/** What a run gave. */
export interface SandboxResult {
  readonly outcome: SandboxOutcome;
  /** The code's last value, a promise's result included, when JSON can carry it. */
  readonly value?: JsonValue;
  /** What the code printed, a line for each call of `console`. */
  readonly output: string;
  /** Present when output was dropped. */
  readonly isOutputCut?: true;
  /** Present unless the outcome is `ok`. */
  readonly error?: SandboxError;
}
