import { inputError, type Scorer } from "../core/index.js";
import { loadExport } from "./load-module.js";

function isScorer(value: unknown): value is Scorer {
  if (typeof value !== "object" || value === null) return false;
  const { id, version, score } = value as Partial<Scorer>; // read as a scorer to see whether it is one
  return typeof id === "string" && typeof version === "string" && typeof score === "function";
}

/**
 * Returns the scorer that a module of the user's exports as `scorer`, `createScorer` or `default`: it judges each
 * trajectory in place of the env's own grade.
 *
 * @throws {TurnwiseError} (input) for a module without a scorer.
 */
export async function resolveGrader(path: string): Promise<Scorer> {
  const value = await loadExport(path, ["scorer", "createScorer", "default"], "a scorer");
  if (isScorer(value)) return value;
  throw inputError(`Cannot load a scorer from "${path}": what it exports has no id, version and score()`);
}
