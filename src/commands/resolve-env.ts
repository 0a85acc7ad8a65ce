import { inputError, usageError, type Env } from "../core/index.js";
import { guardEnv } from "./guard-module.js";
import { isModulePath, loadExport } from "./load-module.js";

/** The envs that come with turnwise, by name; loaded only when asked for. */
const builtInEnvs: { readonly [name: string]: () => Promise<Env> } = {
  "frozen-lake": async () => (await import("../envs/index.js")).createFrozenLakeEnv(),
  sokoban: async () => (await import("../envs/index.js")).createSokobanEnv(),
  lookup: async () => (await import("../envs/index.js")).createLookupEnv(),
  vault: async () => (await import("../envs/index.js")).createVaultEnv(),
  repair: async () => (await import("../envs/index.js")).createRepairEnv(),
};

/** The names of the envs that come with turnwise. */
export const builtInEnvNames: readonly string[] = Object.keys(builtInEnvs);

function isEnv(value: unknown): value is Env {
  if (typeof value !== "object" || value === null) return false;
  const { id, version, start, tools } = value as Partial<Env>; // read as an env to see whether it is one
  return typeof id === "string" && typeof version === "string" && typeof start === "function" && Array.isArray(tools);
}

/**
 * Returns the env of this name, or the one that a module of the user's exports as `env`, `createEnv` or `default`.
 *
 * @throws {TurnwiseError} (usage) for an unknown name; (input) for a module without an env.
 */
export async function resolveEnv(specification: string): Promise<Env> {
  if (isModulePath(specification)) {
    const value = await loadExport(specification, ["env", "createEnv", "default"], "an env");
    if (isEnv(value)) return guardEnv(value, specification);
    throw inputError(
      `Cannot load an env from "${specification}": what it exports has no id, version, tools and start()`,
      `Check it with: turnwise doctor --env ${specification}`,
    );
  }
  const create = builtInEnvs[specification];
  if (create !== undefined) return create();
  throw usageError(
    `Cannot find env "${specification}"`,
    `Choose one of ${builtInEnvNames.join(", ")}, or name a module file such as ./my-env.js`,
  );
}
