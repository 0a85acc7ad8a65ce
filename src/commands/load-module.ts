import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { errorMessage, inputError } from "../core/index.js";

/** Says whether a specification names a module file of the user's. */
export function isModulePath(specification: string): boolean {
  return /\.(m?js|cjs|m?ts)$/.test(specification);
}

/**
 * Imports the user's module and returns the first of the named exports it has, called if it is a function.
 *
 * @throws {TurnwiseError} (input) when the file is missing, cannot be imported, or exports none of the names.
 */
export async function loadExport(path: string, names: readonly string[], what: string): Promise<unknown> {
  const file = resolve(path);
  if (!existsSync(file)) throw inputError(`Cannot load ${what} from "${path}": there is no such file`);
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>; // any module is an object of exports
  } catch (error) {
    const isTypeScript = /\.m?ts$/.test(path);
    throw inputError(
      `Cannot load ${what} from "${path}": importing it failed: ${errorMessage(error)}`,
      isTypeScript ? "Compile it to JavaScript first, e.g. npx tsc" : undefined,
      error,
    );
  }
  for (const name of names) {
    const value = module[name];
    if (value === undefined) continue;
    try {
      return typeof value === "function" ? await (value as () => unknown)() : value; // a factory without arguments, by contract
    } catch (error) {
      throw inputError(
        `Cannot load ${what} from "${path}": its export "${name}" threw: ${errorMessage(error)}`,
        undefined,
        error,
      );
    }
  }
  throw inputError(
    `Cannot load ${what} from "${path}": it exports none of ${names.map((name) => `"${name}"`).join(", ")} but ${
      Object.keys(module)
        .map((name) => `"${name}"`)
        .join(", ") || "nothing"
    }`,
  );
}
