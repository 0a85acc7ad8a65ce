import { errorMessage, TurnwiseError } from "../../core/index.js";
import { loadRuntime } from "./runtime.js";
import type { TrainingBackend } from "./training-backend.js";

/** Whether one build of the training runtime is there. */
export interface TrainingRuntimeCheck {
  readonly backend: TrainingBackend;
  readonly isUsable: boolean;
  /** Its version, or why it cannot be used. */
  readonly found: string;
  /** The command that installs it, where it cannot be used. */
  readonly remedy?: string;
}

/**
 * Loads a build of the runtime that training needs and returns its version.
 *
 * @throws {TurnwiseError} (input) that names the npm command, when its package is missing or does not load.
 */
export async function loadTrainingRuntime(backend: TrainingBackend = "node"): Promise<string> {
  return (await loadRuntime(backend)).version;
}

/** Loads a build of the runtime that training needs and returns what was found. Throws nothing. */
export async function checkTrainingRuntime(backend: TrainingBackend = "node"): Promise<TrainingRuntimeCheck> {
  try {
    return { backend, isUsable: true, found: await loadTrainingRuntime(backend) };
  } catch (error) {
    const remedy = error instanceof TurnwiseError ? error.remedy : undefined;
    return { backend, isUsable: false, found: errorMessage(error), ...(remedy === undefined ? {} : { remedy }) };
  }
}
