import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  getSystemCode,
  describeSystemError,
  hashPool,
  hashPoolCard,
  hashPoolEntries,
  inputError,
  isJsonObject,
  poolSchema,
  renderPoolEntries,
  type ErrorPool,
  type ErrorPrefix,
  type JsonValue,
  type PoolCard,
  type VisitedState,
} from "../../core/index.js";
import { describeSchema, explainWriteError, replaceFile } from "../store/files.js";
import { makeFolder } from "../store/make-folder.js";

/**
 * Writes a pool as a folder: `prefixes.jsonl` with an entry a line, then `pool.json`, the card. A pool is frozen: a
 * folder that holds another one is refused, the same one is left as it is.
 *
 * @throws {TurnwiseError} (input) when the folder holds another pool or cannot be written.
 */
export async function writePool(folder: string, pool: ErrorPool): Promise<void> {
  if (existsSync(join(folder, "run.json"))) {
    throw inputError(
      `Cannot write a pool to "${folder}": it holds a run`,
      "A pool has a folder of its own; choose another one with --output",
    );
  }
  const known = await findCard(folder);
  if (known !== undefined) {
    if (known.poolHash === pool.card.poolHash) return;
    throw inputError(
      `Cannot write a pool to "${folder}": it holds another one (${known.poolHash.slice(0, 12)}, asked for ${pool.card.poolHash.slice(0, 12)})`,
      "A pool is frozen once it is written; choose another folder with --output",
    );
  }
  try {
    await makeFolder(folder);
    await replaceFile(join(folder, "prefixes.jsonl"), renderPoolEntries(pool));
    await replaceFile(join(folder, "pool.json"), `${JSON.stringify(pool.card, null, 2)}\n`);
  } catch (error) {
    throw explainWriteError("write the pool", folder, error);
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw inputError(
      `Cannot read "${path}": ${describeSystemError(error)}`,
      "Name the folder that turnwise pool errors wrote",
      error,
    );
  }
}

function parseJson(text: string, place: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue; // JSON.parse returns nothing else
  } catch (error) {
    throw inputError(`Cannot read ${place}: it is not JSON`, undefined, error);
  }
}

function parseEntry(line: string, place: string): ErrorPrefix | VisitedState {
  return parseJson(line, place) as unknown as ErrorPrefix | VisitedState; // the hash says it is what was written
}

function readCard(text: string, path: string): PoolCard {
  const value = parseJson(text, `"${path}"`);
  if (!isJsonObject(value) || value["schema"] !== poolSchema) {
    throw inputError(`Cannot read "${path}": ${describeSchema(value)}, expected "${poolSchema}"`);
  }
  return value as unknown as PoolCard; // written under this schema; what decides the pool is checked by its hashes
}

async function findCard(folder: string): Promise<PoolCard | undefined> {
  const path = join(folder, "pool.json");
  try {
    return readCard(await readFile(path, "utf8"), path);
  } catch (error) {
    if (getSystemCode(error) === "ENOENT" || getSystemCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/**
 * Returns the pool in a folder, its hashes checked.
 *
 * @throws {TurnwiseError} (input) when it is no pool, or its files were changed after it was frozen.
 */
export async function readPool(folder: string): Promise<ErrorPool> {
  const path = join(folder, "pool.json");
  const card = readCard(await readText(path), path);
  const text = await readText(join(folder, "prefixes.jsonl"));
  const found = hashPoolEntries(text);
  if (found !== card.prefixesHash || hashPool(card) !== card.poolHash || hashPoolCard(card) !== card.cardHash) {
    const which = found === card.prefixesHash ? "pool.json" : "prefixes.jsonl";
    throw inputError(
      `Cannot use the pool in "${folder}": "${which}" was changed after the pool was frozen`,
      "Restore the files, or build the pool again with turnwise pool errors",
    );
  }
  const entries = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line, index) => parseEntry(line, `"${join(folder, "prefixes.jsonl")}" line ${index + 1}`));
  return {
    card,
    prefixes: entries.filter((entry) => entry.kind === "error"),
    visited: entries.filter((entry) => entry.kind === "visited"),
  };
}
