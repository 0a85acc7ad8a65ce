// internal
import { errorMessage, inputError, TurnwiseError, type Env, type Oracle } from "../core/index.js";

/** Calls the user's code; what it throws is an error of its file, said with the function's name. */
function callGuarded(call: () => unknown, name: string, path: string): unknown {
  try {
    return call();
  } catch (error) {
    if (error instanceof TurnwiseError) throw error;
    throw inputError(
      `Cannot use "${path}": its ${name}() failed: ${errorMessage(error)}`,
      `Check it with: turnwise doctor --env ${path}`,
      error,
    );
  }
}

/** Returns an object like `target` whose functions are called on `target` itself, the named ones guarded. */
function guard<Target extends object>(target: Target, names: readonly string[], path: string, prefix = ""): Target {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key, object);
      if (typeof value !== "function") return value;
      const method = (...values: unknown[]): unknown => Reflect.apply(value, object, values);
      if (typeof key !== "string" || !names.includes(key)) return method;
      return (...values: unknown[]) => callGuarded(() => method(...values), `${prefix}${key}`, path);
    },
  });
}

const oracleNames: readonly (keyof Oracle)[] = ["bestActions", "allowedActions", "getSuccessChance"];

/**
 * Returns the env of a user's module so that what it throws outside of episodes (drawing tasks, its oracle, its exact
 * outcomes) is an error of its file. Inside episodes the runner records what it throws, so `start` and `resume` stay as
 * they are.
 */
export function guardEnv(env: Env, path: string): Env {
  const { oracle } = env;
  const guarded = guard(env, ["makeTasks", "outcomes", "render"], path);
  if (oracle === undefined) return guarded;
  const own = guard(oracle, oracleNames, path, "oracle.");
  return new Proxy(guarded, {
    get: (object, key): unknown => (key === "oracle" ? own : Reflect.get(object, key, object)),
  });
}
