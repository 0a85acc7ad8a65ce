// internal
import type { SandboxOptions, SandboxResult } from "./sandbox-request.js";

/** What the sandbox asks a thread to run. */
export interface WorkerRequest {
  readonly code: string;
  readonly options: SandboxOptions;
}

/** What a thread answers: that it can be used now, or the result of the request. */
export type WorkerReply = { readonly type: "ready" } | { readonly type: "result"; readonly result: SandboxResult };
