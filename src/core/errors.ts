/** What a command does with an error: the exit code is 2 for `usage`, 3 for `input`. */
export type FaultKind = "usage" | "input";

/**
 * A mistake that its reader can mend: wrong arguments (`usage`) or a file, endpoint or module that cannot be used
 * (`input`). Shown without a stack trace. The message says what was attempted, what was found and where, and what
 * is allowed; `remedy` says what to do.
 */
export class TurnwiseError extends Error {
  override readonly name = "TurnwiseError";
  readonly kind: FaultKind;
  readonly remedy: string | undefined;
  constructor(kind: FaultKind, message: string, options: { readonly remedy?: string; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.remedy = options.remedy;
  }
}

/** Returns the error for a wrong argument or setting (exit code 2). */
export function usageError(message: string, remedy?: string): TurnwiseError {
  return new TurnwiseError("usage", message, remedy === undefined ? {} : { remedy });
}

/** Returns the error for unusable or stale input (exit code 3). */
export function inputError(message: string, remedy?: string, cause?: unknown): TurnwiseError {
  return new TurnwiseError("input", message, { ...(remedy === undefined ? {} : { remedy }), cause });
}

/** Returns the text of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
