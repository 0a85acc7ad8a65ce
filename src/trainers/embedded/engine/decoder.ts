// internal
import type { NextTokens, StreamTokens } from "../../generation/logit-source.js";
import { buildDecodingGraph } from "../network/decoding-graph.js";
import type { NetworkConfig } from "../network/network-config.js";
import type { LoadedRuntime, OnnxSession } from "../runtime.js";
import { createCausalBias, type Feeds } from "./sequence-feeds.js";
import { StreamCache } from "./stream-cache.js";

/** The most positions that one run appends to a stream; longer texts take several runs. */
const maxChunk = 32;

/** Appends tokens to streams in batches, with a cache of keys and values. */
export class Decoder {
  readonly #runtime: LoadedRuntime;
  readonly #config: NetworkConfig;
  readonly #cache: StreamCache;
  readonly #causal = new Map<number, Float32Array>();
  readonly #sessions = new Map<"time" | 1, Promise<OnnxSession>>();

  constructor(runtime: LoadedRuntime, config: NetworkConfig) {
    this.#runtime = runtime;
    this.#config = config;
    this.#cache = new StreamCache(config);
  }

  /** Appends to each stream and returns the logits after it. Parameters are tensors over the current weights. */
  async decode(parameters: Feeds, streams: readonly StreamTokens[]): Promise<NextTokens> {
    const { vocabularySize, valueHead } = this.#config;
    const logits = new Float32Array(streams.length * vocabularySize);
    const values = valueHead ? new Float32Array(streams.length) : undefined;
    let rest = streams.map(({ stream, tokens }, index) => ({ stream, tokens, index }));
    while (rest.length > 0) {
      const pieces = rest.map((each) => ({ ...each, tokens: each.tokens.slice(0, maxChunk) }));
      const { order, results } = await this.#run(parameters, pieces);
      const places = new Map(order.map((stream, slot) => [stream, slot]));
      rest = rest.flatMap(({ stream, tokens, index }) => {
        if (tokens.length > maxChunk) return [{ stream, tokens: tokens.slice(maxChunk), index }];
        const slot = places.get(stream) ?? 0; // every stream asked for is in the order
        const row = results.logits.subarray(slot * vocabularySize, (slot + 1) * vocabularySize);
        logits.set(row, index * vocabularySize);
        if (values !== undefined && results.values !== undefined) values[index] = results.values[slot];
        return [];
      });
    }
    return { logits, ...(values === undefined ? {} : { values }) };
  }

  /** Forgets streams. */
  end(streams: readonly string[]): void {
    this.#cache.end(streams);
  }

  /** Forgets all streams: their keys and values belong to weights that are no more. */
  clear(): void {
    this.#cache.clear();
  }

  async release(): Promise<void> {
    for (const session of this.#sessions.values()) await (await session).release();
  }

  async #run(
    parameters: Feeds,
    pieces: readonly StreamTokens[],
  ): Promise<{ readonly order: readonly string[]; readonly results: NextTokens }> {
    const { layers } = this.#config;
    const lengths = pieces.map(({ stream, tokens }) => ({
      stream,
      length: this.#cache.getLength(stream) + tokens.length,
    }));
    const open = this.#cache.open(lengths);
    const bySlot = orderPieces(open.order, pieces);
    const time = Math.max(...bySlot.map((tokens) => tokens.length));
    const session = await this.#getSession(time === 1 ? 1 : "time");
    const feeds = { ...parameters, ...this.#fill(open, bySlot, time) };
    const results = await session.run(feeds);
    const read = (name: string): Float32Array => results[name].data as Float32Array; // every result is float32
    const counts = bySlot.map((tokens) => tokens.length);
    for (let layer = 0; layer < layers; layer += 1) {
      this.#cache.write(layer, "keys", read(`newKeys.${layer}`), counts, time);
      this.#cache.write(layer, "values", read(`newValues.${layer}`), counts, time);
    }
    this.#cache.advance(counts);
    const next = {
      logits: read("logits").slice(),
      ...(results["estimates"] === undefined ? {} : { values: read("estimates").slice() }),
    };
    for (const result of Object.values(results)) result.dispose();
    return { order: open.order, results: next };
  }

  #fill(open: ReturnType<StreamCache["open"]>, bySlot: readonly (readonly number[])[], time: number): Feeds {
    const { Tensor } = this.#runtime.onnx;
    const { heads, width } = this.#config;
    const [rows, capacity] = [bySlot.length, this.#cache.capacity];
    const tokens = new Int32Array(rows * time);
    const places = new Int32Array(rows * time);
    const last = new Int32Array(rows);
    bySlot.forEach((piece, slot) => {
      const start = this.#cache.getLength(open.order[slot]);
      piece.forEach((token, at) => {
        tokens[slot * time + at] = token;
        places[slot * time + at] = start + at;
      });
      last[slot] = slot * time + piece.length - 1;
    });
    const cacheShape = [1, rows, heads, capacity, width / heads];
    const cached = (kind: "keys" | "values"): [string, InstanceType<typeof Tensor>][] =>
      open[kind].map((array, layer) => [`${kind}.${layer}`, new Tensor("float32", array, cacheShape)]);
    return {
      ...Object.fromEntries([...cached("keys"), ...cached("values")]),
      tokens: new Tensor("int32", tokens, [rows, time]),
      places: new Tensor("int32", places, [rows, time]),
      last: new Tensor("int32", last, [rows]),
      filled: new Tensor("float32", open.filled, [1, rows, 1, 1, capacity]),
      causal: new Tensor("float32", this.#getCausal(time), [time, time]),
    };
  }

  #getSession(time: "time" | 1): Promise<OnnxSession> {
    const session = this.#sessions.get(time) ?? this.#runtime.createSession(buildDecodingGraph(this.#config, time));
    this.#sessions.set(time, session);
    return session;
  }

  #getCausal(time: number): Float32Array {
    const known = this.#causal.get(time) ?? createCausalBias(time);
    this.#causal.set(time, known);
    return known;
  }
}

/** Returns the tokens of each slot. */
function orderPieces(order: readonly string[], pieces: readonly StreamTokens[]): (readonly number[])[] {
  const tokens = new Map(pieces.map((piece) => [piece.stream, piece.tokens]));
  return order.map((stream) => tokens.get(stream) ?? []);
}
