import { inputError, type TurnwiseError } from "../core/index.js";

/** What of a process tells that it ends. */
export interface EndingProcess {
  exitCode?: number | string | null | undefined;
  on(event: "beforeExit" | "exit", listener: () => void): unknown;
}

const remedy =
  "See that every function of your modules (env, policy, rule, signal, scorer) returns or throws, and that none ends the process";

/**
 * Watches for a process that ends before its command does: a module of the user's returns a promise that never settles,
 * so that nothing is left to wait for, or calls `process.exit()`. Neither may pass for success or end without a word.
 * `report` prints the error and returns the exit code. Returns the function that says that the command has ended.
 */
export function watchForEarlyEnd(process: EndingProcess, report: (error: TurnwiseError) => number): () => void {
  let hasEnded = false;
  let isIdle = false;
  process.on("beforeExit", () => (isIdle = true));
  process.on("exit", () => {
    if (hasEnded) return;
    const cause = isIdle
      ? "it waits for a promise that nothing can settle any more"
      : "a module called process.exit(), or the like";
    process.exitCode = report(inputError(`Cannot come to the end of the command: ${cause}`, remedy));
  });
  return () => {
    hasEnded = true;
  };
}
