export { isModulePath, loadExport } from "./load-module.js";
export { builtInEnvNames, resolveEnv } from "./resolve-env.js";
export type { RunEvents, RunProgress, RunStop } from "./run-events.js";
