// internal
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson, errorMessage, inputError, isJsonObject, sha256 } from "../../../core/index.js";
import { checkNetworkConfig, type NetworkConfig } from "../network/network-config.js";
import { createParameterStore, type ParameterStore } from "../network/parameter-store.js";
import { getFormerFolder, writeFolder, type WriteBytes } from "./atomic-folder.js";
import type { CheckpointInfo } from "./checkpoint-info.js";
import { decodeSafetensors, encodeSafetensors } from "./safetensors.js";

/** Everything that training goes on from. */
export interface CheckpointState {
  readonly weights: ParameterStore;
  readonly firstMoment: ParameterStore;
  readonly secondMoment: ParameterStore;
  /** The frozen reference, once there is one. */
  readonly reference?: ParameterStore;
}

const schema = "turnwise-checkpoint/1";
const infoFile = "checkpoint.json";
const stores = ["weights", "firstMoment", "secondMoment", "reference"] as const;
const fileOf = {
  weights: "model.safetensors",
  firstMoment: "optimizer-mean.safetensors",
  secondMoment: "optimizer-square.safetensors",
  reference: "reference.safetensors",
} as const;

/** Writes a checkpoint as a whole or not at all. */
export function writeCheckpoint(
  folder: string,
  info: Omit<CheckpointInfo, "schema" | "files">,
  state: CheckpointState,
  write?: WriteBytes,
): void {
  const files = stores.flatMap((store) => {
    const arrays = state[store]?.arrays;
    if (arrays === undefined) return [];
    return [{ name: fileOf[store], bytes: encodeSafetensors(arrays, { metadata: { codec: info.codec.hash } }) }];
  });
  const hashes = Object.fromEntries(files.map(({ name, bytes }) => [name, sha256(bytes)]));
  const text = `${JSON.stringify({ schema, ...info, files: hashes } satisfies CheckpointInfo, undefined, 2)}\n`;
  writeFolder(folder, [...files, { name: infoFile, bytes: new TextEncoder().encode(text) }], write);
}

/**
 * Returns what a checkpoint says of itself, and the folder it was found in: when writing was interrupted at the one
 * moment where the new folder is not yet in place, that is where the former one stepped aside to.
 *
 * @throws {TurnwiseError} (input) when there is none, or it is cut short or of another kind.
 */
export function readCheckpointInfo(folder: string): { readonly info: CheckpointInfo; readonly folder: string } {
  const former = getFormerFolder(folder);
  const found = !existsSync(join(folder, infoFile)) && existsSync(join(former, infoFile)) ? former : folder;
  const path = join(found, infoFile);
  const fail = (reason: string, cause?: unknown): never => {
    throw inputError(
      `Cannot read the checkpoint "${folder}": ${reason}`,
      "Name a folder that training has saved, with its files as they were written",
      cause,
    );
  };
  if (!existsSync(path)) return fail(`there is no "${infoFile}" in it`);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return fail(`"${infoFile}" is no JSON: ${errorMessage(error)}`, error);
  }
  if (!isJsonObject(value) || value["schema"] !== schema) {
    return fail(`"${infoFile}" is not of schema "${schema}"`);
  }
  const lacking = ["network", "optimizer", "codec", "files", "meta"].filter((name) => !isJsonObject(value[name]));
  if (lacking.length > 0) return fail(`"${infoFile}" lacks ${lacking.join(", ")}`);
  const info = value as unknown as CheckpointInfo; // schema and parts were looked at, the network is checked next
  checkNetworkConfig(info.network);
  return { info, folder: found };
}

/**
 * Returns the arrays of a checkpoint.
 *
 * @throws {TurnwiseError} (input) when a file is missing, differs from what was written, or does not fit the network.
 */
export function readCheckpointState(folder: string, info: CheckpointInfo, network: NetworkConfig): CheckpointState {
  const read = (store: keyof typeof fileOf): ParameterStore => readStore(folder, fileOf[store], info, network);
  return {
    weights: read("weights"),
    firstMoment: read("firstMoment"),
    secondMoment: read("secondMoment"),
    ...(info.files[fileOf.reference] === undefined ? {} : { reference: read("reference") }),
  };
}

/** Returns only the weights of a checkpoint; see {@linkcode readCheckpointState}. */
export function readCheckpointWeights(folder: string, info: CheckpointInfo): ParameterStore {
  return readStore(folder, fileOf.weights, info, info.network);
}

function readStore(folder: string, name: string, info: CheckpointInfo, network: NetworkConfig): ParameterStore {
  const path = join(folder, name);
  if (!existsSync(path)) throw inputError(`Cannot read the checkpoint "${folder}": "${name}" is missing`);
  const bytes = readFileSync(path);
  // Decoding first: a file that is cut short or foreign is told as such, and not as one that has changed.
  const store = createParameterStore(network);
  fillStore(store, decodeSafetensors(bytes, path).arrays, path);
  if (sha256(bytes) !== info.files[name]) {
    throw inputError(`Cannot read the checkpoint "${folder}": "${name}" is not the file that was written with it`);
  }
  return store;
}

/** Copies arrays by name into a store. Throws an input error unless names and shapes are those of the network. */
export function fillStore(
  store: ParameterStore,
  arrays: readonly { readonly name: string; readonly shape: readonly number[]; readonly values: Float32Array }[],
  source: string,
): void {
  const found = new Map(arrays.map((array) => [array.name, array]));
  for (const { name, shape, values } of store.arrays) {
    const array = found.get(name);
    if (array === undefined) throw inputError(`Cannot use the weights in "${source}": there is no array "${name}"`);
    if (canonicalJson(array.shape) !== canonicalJson(shape)) {
      throw inputError(
        `Cannot use the weights in "${source}": "${name}" has shape [${array.shape.join()}], and the network needs [${shape.join()}]`,
      );
    }
    values.set(array.values);
    found.delete(name);
  }
  if (found.size === 0) return;
  throw inputError(
    `Cannot use the weights in "${source}": the network has no array "${[...found.keys()].join('", "')}"`,
  );
}
