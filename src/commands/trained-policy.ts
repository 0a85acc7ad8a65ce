import { existsSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isJsonObject, usageError, type JsonObject } from "../core/index.js";
import { createPlainDecoder, createTokenPolicy, type TokenPolicy } from "../trainers/index.js";
import { findCodecMismatch, readStoredCodec } from "./stored-codec.js";

/** The trained policies that come with turnwise: env, then what it was trained by. */
export const shippedPolicyNames = [
  "vault/base",
  "vault/rl",
  "vault/budgetmix",
  "lookup/base",
  "lookup/rl",
  "lookup/budgetmix",
] as const;

const shippedFolder = fileURLToPath(new URL("../../data/policies/", import.meta.url));

/** Returns the file of a shipped policy, `undefined` when none has this name. */
function findShipped(name: string): string | undefined {
  const shipped = shippedPolicyNames.find((candidate) => candidate === name);
  return shipped === undefined ? undefined : join(shippedFolder, `${shipped.replace("/", "-")}.safetensors`);
}

function getName(meta: JsonObject, path: string): string {
  const { name } = isJsonObject(meta["recipe"]) ? meta["recipe"] : {};
  return typeof name === "string" ? name : basename(path, ".safetensors");
}

/** Returns the name of a checkpoint's folder, as training and evaluation call it; a single file has none. */
function getCheckpointName(path: string, updates: number): string {
  return statSync(path).isDirectory() ? basename(resolve(path)) : `step-${updates}`;
}

/**
 * Returns a trained policy: one that comes with turnwise (`vault/base`), a checkpoint's folder, or a policy file. It is
 * decoded in plain TypeScript and needs no package.
 *
 * @throws {TurnwiseError} (usage) for a name that is neither; (input) for weights that cannot be read or whose codec is
 * not stored with them.
 */
export function loadTrainedPolicy(path: string, id?: string): TokenPolicy {
  const shipped = findShipped(path);
  if (shipped === undefined && !existsSync(path)) {
    throw usageError(
      `Cannot find the trained policy "${path}": there is no such file or folder`,
      `Name a checkpoint's folder, or one of ${shippedPolicyNames.join(", ")}`,
    );
  }
  const decoder = createPlainDecoder(shipped ?? path);
  const { meta, hash, updates } = decoder.policy;
  const codec = readStoredCodec(decoder.policy, path);
  return createTokenPolicy({
    id: id ?? (shipped === undefined ? getName(meta, path) : path.replace("/", "-")),
    generator: decoder,
    codec,
    ...(shipped === undefined ? { checkpoint: getCheckpointName(path, updates) } : {}),
    config: { weights: hash },
    findMismatch(env) {
      const mismatch = findCodecMismatch(codec, env);
      return mismatch === undefined
        ? undefined
        : `its weights were trained ${mismatch.trained}, and this is ${mismatch.now}`;
    },
  });
}
