// internal
import { readFile } from "node:fs/promises";
import { describeSystemError, inputError } from "../core/index.js";
import { readRecipe, type TrainRecipe } from "../train/index.js";
import { isModulePath, loadExport } from "./load-module.js";

/**
 * Returns the recipe in a JSON file, or the one that a module exports as `recipe` or `default`.
 *
 * @throws {TurnwiseError} (input) for a file that cannot be read; (usage) for a recipe that cannot be trained.
 */
export async function loadRecipe(path: string): Promise<TrainRecipe> {
  if (isModulePath(path)) return readRecipe(await loadExport(path, ["recipe", "default"], "a recipe"), `"${path}"`);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw inputError(
      `Cannot read the recipe "${path}": ${describeSystemError(error)}`,
      "Name a JSON file, or a module that exports recipe; turnwise train --example prints one",
      error,
    );
  }
  return readRecipe(value, `"${path}"`);
}
