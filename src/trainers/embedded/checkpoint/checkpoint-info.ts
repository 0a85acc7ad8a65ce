import { inputError, type JsonObject } from "../../../core/index.js";
import type { OptimizerConfig } from "../engine/optimizer-config.js";
import type { NetworkConfig } from "../network/network-config.js";

/** The codec that weights belong to. */
export interface CodecIdentity {
  readonly id: string;
  readonly hash: string;
}

/** What a checkpoint says of itself. */
export interface CheckpointInfo {
  readonly schema: "turnwise-checkpoint/1";
  readonly network: NetworkConfig;
  readonly optimizer: OptimizerConfig;
  readonly codec: CodecIdentity;
  /** What the first weights were drawn from. Later draws depend on a seed and a position each, so there is no other state. */
  readonly seed: number;
  /** Optimiser steps made. */
  readonly updates: number;
  /** Engine that wrote it. */
  readonly engine: string;
  /** What the caller of `save` keeps with it. */
  readonly meta: JsonObject;
  /** SHA-256 of each file. */
  readonly files: { readonly [name: string]: string };
}

/**
 * Throws an input error when weights belong to another codec: their rows would stand for other words.
 */
export function checkCodec(found: CodecIdentity, expected: CodecIdentity, source: string): void {
  if (found.hash === expected.hash) return;
  throw inputError(
    `Cannot use the weights in "${source}": they were trained with the codec "${found.id}" (${found.hash.slice(0, 12)}), and this is "${expected.id}" (${expected.hash.slice(0, 12)})`,
    "Use the codec stored beside the checkpoint, or train anew",
  );
}
