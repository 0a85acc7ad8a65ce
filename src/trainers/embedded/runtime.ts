// internal
import type * as onnxruntime from "onnxruntime-node";
import { errorMessage, inputError } from "../../core/index.js";
import type { TrainingBackend } from "./training-backend.js";

/** Both builds have one interface. */
export type OnnxRuntime = typeof onnxruntime;
/** A graph that is ready to run. */
export type OnnxSession = onnxruntime.InferenceSession;
/** A tensor of the runtime. */
export type OnnxTensor = onnxruntime.Tensor;

/** A loaded runtime with what sessions are made of. */
export interface LoadedRuntime {
  readonly onnx: OnnxRuntime;
  readonly backend: TrainingBackend;
  readonly version: string;
  createSession(model: Uint8Array): Promise<OnnxSession>;
}

/** The package of each build. */
export const runtimePackages = { node: "onnxruntime-node", web: "onnxruntime-web" } as const;
/** What the trainer was measured and tested with. */
export const runtimeVersion = "1.30.0";

/**
 * Loads a build. Its sessions use one core each: a trainer has a session in each of several threads, which leaves no
 * core waiting within a run. Throws an input error that names the npm command where the package is missing or broken.
 */
export async function loadRuntime(backend: TrainingBackend): Promise<LoadedRuntime> {
  const onnx = await importRuntime(backend);
  if (backend === "web") onnx.env.wasm.numThreads = 1;
  const settings: onnxruntime.InferenceSession.SessionOptions = {
    graphOptimizationLevel: "all",
    executionMode: "sequential",
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  };
  return {
    onnx,
    backend,
    version: onnx.env.versions[backend] ?? "of unknown version",
    createSession: (model) => onnx.InferenceSession.create(model, settings),
  };
}

async function importRuntime(backend: TrainingBackend): Promise<OnnxRuntime> {
  try {
    if (backend === "node") return await import("onnxruntime-node");
    return (await import("onnxruntime-web")) as unknown as OnnxRuntime; // the same interface from onnxruntime-common
  } catch (error) {
    const name = runtimePackages[backend];
    throw inputError(
      `Cannot train: the package "${name}" cannot be loaded: ${errorMessage(error)}`,
      describeRemedy(backend),
      error,
    );
  }
}

/** Returns what to do about a build that is missing or does not load. */
export function describeRemedy(backend: TrainingBackend): string {
  const command = `npm install ${runtimePackages[backend]}@${runtimeVersion}`;
  return backend === "node"
    ? `Run: ONNXRUNTIME_NODE_INSTALL=skip ${command} (the variable keeps its install script from fetching GPU files); where no build for the machine exists, use the backend "web"`
    : `Run: ${command}`;
}
