export type {
  SandboxError,
  SandboxLimits,
  SandboxOptions,
  SandboxOutcome,
  SandboxResult,
  SandboxScript,
} from "./sandbox-request.js";
export type { Sandbox } from "./sandbox.js";
export { createSandbox } from "./sandbox.js";
