import type { GenerationRequest, GenerationResult } from "../../core/index.js";
import { checkCodec, type CodecIdentity } from "../embedded/checkpoint/checkpoint-info.js";
import type { NextTokens, StreamTokens } from "../generation/logit-source.js";
import { StreamBook } from "../generation/stream-book.js";
import { PlainNetwork, type PlainCache } from "./plain-network.js";
import { readPolicyFile, type PolicyFile } from "./policy-file.js";

/** Generates as an embedded trainer does, from stored weights, with no package at all. */
export interface PlainDecoder {
  /** Name of the engine and of its weights. */
  readonly id: string;
  readonly contextLength: number;
  /** What the file says of itself. */
  readonly policy: PolicyFile;
  /** See `Trainer.generate`: the same requests give the same tokens, but for ties within rounding. */
  generate(requests: readonly GenerationRequest[]): Promise<readonly GenerationResult[]>;
  endStreams(streams: readonly string[]): Promise<void>;
}

/**
 * Returns a decoder of a policy file or of a checkpoint's folder.
 *
 * @throws {TurnwiseError} (input) when it cannot be read, or its weights belong to another codec than `codec`.
 */
export function createPlainDecoder(path: string, options: { readonly codec?: CodecIdentity } = {}): PlainDecoder {
  const { policy, weights } = readPolicyFile(path);
  if (options.codec !== undefined) checkCodec(policy.codec, options.codec, path);
  const { network } = policy;
  const plain = new PlainNetwork(network, weights);
  const caches = new Map<string, PlainCache>();
  const decode = (streams: readonly StreamTokens[]): NextTokens => {
    const logits = new Float32Array(streams.length * network.vocabularySize);
    const values = network.valueHead ? new Float32Array(streams.length) : undefined;
    streams.forEach(({ stream, tokens }, row) => {
      const cache = caches.get(stream) ?? plain.createCache();
      caches.set(stream, cache);
      tokens.forEach((token, index) => {
        const output = plain.append(cache, token, index === tokens.length - 1);
        if (output === undefined) return;
        logits.set(output.logits, row * network.vocabularySize);
        if (values !== undefined && output.value !== undefined) values[row] = output.value;
      });
    });
    return { logits, ...(values === undefined ? {} : { values }) };
  };
  const { vocabularySize, contextLength, valueHead: hasValues } = network;
  const book = new StreamBook({ vocabularySize, contextLength, hasValues }, [decode]);
  return {
    id: `plain/${policy.codec.id} ${policy.hash.slice(0, 12)}`,
    contextLength,
    policy,
    generate: (requests) => book.generate(requests),
    endStreams: async (streams) => {
      book.end(streams);
      for (const stream of streams) caches.delete(stream);
    },
  };
}
