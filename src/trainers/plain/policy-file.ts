import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { errorMessage, inputError, isJsonObject, sha256, type JsonObject } from "../../core/index.js";
import { fillStore, readCheckpointInfo, readCheckpointWeights } from "../embedded/checkpoint/checkpoint-files.js";
import type { CodecIdentity } from "../embedded/checkpoint/checkpoint-info.js";
import { decodeSafetensors, encodeSafetensors, type SafetensorsType } from "../embedded/checkpoint/safetensors.js";
import { checkNetworkConfig, type NetworkConfig } from "../embedded/network/network-config.js";
import { createParameterStore, type ParameterStore } from "../embedded/network/parameter-store.js";

/** What a policy's file says of its weights. */
export interface PolicyFile {
  readonly network: NetworkConfig;
  readonly codec: CodecIdentity;
  /** Optimiser steps behind the weights. */
  readonly updates: number;
  /** How it came about: recipe, seed, data, metrics. */
  readonly meta: JsonObject;
  /** SHA-256 of the file, or of the weights of a checkpoint. */
  readonly hash: string;
}

/** Field of the header's metadata, which may hold text only, that holds everything else as JSON. */
const field = "turnwise-policy/1";

/**
 * Writes the weights of a checkpoint's folder as one safetensors file to be shipped; `F16` takes half the place and
 * rounds each weight to 11 bits. Returns what the file says of itself.
 *
 * @throws {TurnwiseError} (input) when the checkpoint cannot be read.
 */
export function exportPolicyFile(
  folder: string,
  file: string,
  options: { readonly type?: SafetensorsType; readonly meta?: JsonObject } = {},
): PolicyFile {
  const { info, folder: found } = readCheckpointInfo(folder);
  const { type = "F16", meta = info.meta } = options;
  const { network, codec, updates } = info;
  const content = { network, codec, updates, meta };
  const { arrays } = readCheckpointWeights(found, info);
  const bytes = encodeSafetensors(arrays, { type, metadata: { [field]: JSON.stringify(content) } });
  writeFileSync(file, bytes);
  return { ...content, hash: sha256(bytes) };
}

/** Returns the weights of a policy file, or of a checkpoint's folder. Throws an input error when it cannot be read. */
export function readPolicyFile(path: string): { readonly policy: PolicyFile; readonly weights: ParameterStore } {
  if (!existsSync(path)) throw inputError(`Cannot read the policy "${path}": there is no such file or folder`);
  if (statSync(path).isDirectory()) {
    const { info, folder } = readCheckpointInfo(path);
    const { network, codec, updates, meta, files } = info;
    const hash = files["model.safetensors"] ?? "";
    return { policy: { network, codec, updates, meta, hash }, weights: readCheckpointWeights(folder, info) };
  }
  const bytes = readFileSync(path);
  const { arrays, metadata } = decodeSafetensors(bytes, path);
  const policy = { ...parseContent(metadata[field], path), hash: sha256(bytes) };
  const weights = createParameterStore(policy.network);
  fillStore(weights, arrays, path);
  return { policy, weights };
}

function parseContent(text: string | undefined, path: string): Omit<PolicyFile, "hash"> {
  const fail = (reason: string): never => {
    throw inputError(`Cannot read the policy "${path}": ${reason}`);
  };
  if (text === undefined) return fail(`its header lacks the field "${field}": the weights are of another program`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fail(`the field "${field}" is no JSON: ${errorMessage(error)}`);
  }
  if (!isJsonObject(value) || !isJsonObject(value["network"]) || !isJsonObject(value["codec"])) {
    return fail(`the field "${field}" lacks the network or the codec`);
  }
  const content = value as unknown as Omit<PolicyFile, "hash">; // its parts were looked at, the network is checked next
  checkNetworkConfig(content.network);
  return content;
}
