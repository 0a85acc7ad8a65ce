import { fileURLToPath } from "node:url";
import { errorMessage, inputError, type TurnwiseError } from "../core/index.js";

/** Returns the file that a line of a stack trace names, or `undefined`. */
function findFile(line: string): string | undefined {
  const found = /(?:\(|at (?:async )?|^)((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()]*?):\d+:\d+\)?$/.exec(line.trim());
  if (found === null) return undefined;
  return found[1].startsWith("file://") ? fileURLToPath(found[1]) : found[1];
}

/**
 * Returns the error to show for something that failed outside of any call turnwise made, when it is a fault of a module of
 * the user's: a promise nobody waits for, a timer. `undefined` when it is not. `ownFolder` holds turnwise's own code.
 */
export function findStrayFault(error: unknown, ownFolder: string): TurnwiseError | undefined {
  const remedy = "Wait for every promise (await it, or return it), and catch what timers and listeners throw";
  if (!(error instanceof Error)) {
    // Nothing of turnwise throws anything but errors.
    return inputError(`A module failed outside of any call: ${errorMessage(error)}`, remedy, error);
  }
  const files = (error.stack ?? "").split("\n").flatMap((line) => findFile(line) ?? []);
  const [first] = files.filter((file) => !file.includes("node_modules"));
  if (first === undefined || first.startsWith(ownFolder)) return undefined;
  return inputError(`Cannot use "${first}": it failed outside of any call: ${error.message}`, remedy, error);
}
