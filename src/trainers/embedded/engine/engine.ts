// internal
import type { JsonObject, LossSpec } from "../../../core/index.js";
import type { NextTokens, StreamTokens } from "../../generation/logit-source.js";
import { checkCodec, type CodecIdentity } from "../checkpoint/checkpoint-info.js";
import { readCheckpointInfo, readCheckpointState, writeCheckpoint } from "../checkpoint/checkpoint-files.js";
import type { NetworkConfig } from "../network/network-config.js";
import { createParameterStore, startParameters, type ParameterStore } from "../network/parameter-store.js";
import { loadRuntime, type LoadedRuntime } from "../runtime.js";
import type { TrainingBackend } from "../training-backend.js";
import { measureNorm, stepAdamW } from "./adamw.js";
import { Decoder } from "./decoder.js";
import { gradientSlots, type MicroBatch } from "./micro-batches.js";
import type { OptimizerConfig } from "./optimizer-config.js";
import type { PackedSequence } from "./pack-sequence.js";
import type { Feeds } from "./sequence-feeds.js";
import { SequenceRunner, type GradientSums, type PackedScore } from "./sequence-runner.js";

/** What an engine is made of; plain data, so that it can pass to another thread. */
export interface EngineConfig {
  readonly network: NetworkConfig;
  readonly optimizer: OptimizerConfig;
  readonly codec: CodecIdentity;
  readonly seed: number;
  readonly backend: TrainingBackend;
  /** Memory of all threads for the partial sums of a gradient; see {@linkcode measureSlots}. */
  readonly slots: SharedArrayBuffer;
}

/**
 * Groups in which streams are decoded. Their number is fixed and not that of the threads: the last digits of a product
 * depend on how many rows it has, so that the same streams must run together whatever the machine.
 */
export const decodingGroups = 2;

/** Returns the bytes that the partial sums of a gradient take. */
export function measureSlots(parameterCount: number): number {
  return gradientSlots * parameterCount * Float32Array.BYTES_PER_ELEMENT;
}

/**
 * Weights, optimiser and caches of one network. Several threads each hold one: they share out the rows of an update,
 * and then all make the same step from the sum of the same gradients, so that their weights stay equal bit for bit.
 */
export class TrainingEngine {
  readonly #config: EngineConfig;
  readonly #runner: SequenceRunner;
  readonly #decoders: readonly Decoder[];
  readonly #weights: ParameterStore;
  readonly #firstMoment: ParameterStore;
  readonly #secondMoment: ParameterStore;
  readonly #gradient: Float32Array;
  readonly #feeds: Feeds;
  #reference: ParameterStore | undefined;
  #updates = 0;
  /** Name and version of the runtime. */
  readonly id: string;

  private constructor(config: EngineConfig, runtime: LoadedRuntime) {
    const { network } = config;
    this.#config = config;
    this.id = `embedded/onnxruntime-${runtime.backend} ${runtime.version}`;
    this.#runner = new SequenceRunner(runtime, network);
    this.#decoders = Array.from({ length: decodingGroups }, () => new Decoder(runtime, network));
    this.#weights = createParameterStore(network);
    this.#firstMoment = createParameterStore(network);
    this.#secondMoment = createParameterStore(network);
    this.#gradient = new Float32Array(this.#weights.flat.length);
    this.#feeds = this.#runner.feedParameters(this.#weights);
    startParameters(this.#weights, network, config.seed);
  }

  /** Loads the runtime and makes an engine with fresh weights. */
  static async create(config: EngineConfig): Promise<TrainingEngine> {
    return new TrainingEngine(config, await loadRuntime(config.backend));
  }

  decode(group: number, streams: readonly StreamTokens[]): Promise<NextTokens> {
    return this.#decoders[group].decode(this.#feeds, streams);
  }

  endStreams(streams: readonly string[]): void {
    for (const decoder of this.#decoders) decoder.end(streams);
  }

  /** Throws a `RangeError` when the reference is asked for before it was frozen. */
  score(
    sequences: readonly PackedSequence[],
    batches: readonly MicroBatch[],
    network: "current" | "reference",
  ): Promise<PackedScore[]> {
    const weights = network === "current" ? this.#weights : this.#reference;
    if (weights === undefined) {
      throw new RangeError("Cannot score with the reference policy: freezeReference() was not called before");
    }
    return this.#runner.score(weights, sequences, batches);
  }

  freezeReference(): void {
    this.#reference ??= createParameterStore(this.#config.network);
    this.#reference.flat.set(this.#weights.flat);
  }

  /** Sets a slot to the gradient of the loss of these rows. */
  fillSlot(
    slot: number,
    rows: readonly PackedSequence[],
    batches: readonly MicroBatch[],
    spec: LossSpec,
  ): Promise<GradientSums> {
    const { network, slots } = this.#config;
    const target = createParameterStore(network, slots, slot * this.#gradient.byteLength);
    target.flat.fill(0);
    return this.#runner.addGradient(this.#weights, target, rows, batches, spec);
  }

  /**
   * Makes one step from the sum of the slots, which every engine must do alike; returns the length of the gradient. No
   * step is made when that is no finite number.
   */
  step(learningRate: number): number {
    const { slots, optimizer } = this.#config;
    const count = this.#gradient.length;
    const parts = Array.from(
      { length: gradientSlots },
      (_, slot) => new Float32Array(slots, slot * this.#gradient.byteLength, count),
    );
    sumArrays(parts, this.#gradient);
    const gradNorm = measureNorm(this.#gradient);
    if (!Number.isFinite(gradNorm)) return gradNorm;
    this.#updates += 1;
    stepAdamW(this.#getOptimizerState(), optimizer, { step: this.#updates, learningRate, gradNorm });
    for (const decoder of this.#decoders) decoder.clear();
    return gradNorm;
  }

  save(folder: string, meta: JsonObject): void {
    const { network, optimizer, codec, seed } = this.#config;
    const info = { network, optimizer, codec, seed, updates: this.#updates, engine: this.id, meta };
    writeCheckpoint(folder, info, {
      weights: this.#weights,
      firstMoment: this.#firstMoment,
      secondMoment: this.#secondMoment,
      ...(this.#reference === undefined ? {} : { reference: this.#reference }),
    });
  }

  /** Restores a checkpoint; nothing is changed when it cannot be used. Returns its `meta`. */
  load(folder: string): JsonObject {
    const { info, folder: found } = readCheckpointInfo(folder);
    checkCodec(info.codec, this.#config.codec, folder);
    const state = readCheckpointState(found, info, this.#config.network);
    this.#weights.flat.set(state.weights.flat);
    this.#firstMoment.flat.set(state.firstMoment.flat);
    this.#secondMoment.flat.set(state.secondMoment.flat);
    this.#reference = state.reference;
    this.#updates = info.updates;
    for (const decoder of this.#decoders) decoder.clear();
    return info.meta;
  }

  async release(): Promise<void> {
    await this.#runner.release();
    for (const decoder of this.#decoders) await decoder.release();
  }

  #getOptimizerState(): Parameters<typeof stepAdamW>[0] {
    let offset = 0;
    const pieces = this.#weights.arrays.map(({ shape, values }) => {
      const start = offset;
      offset += values.length;
      return { start, end: offset, decays: shape.length > 1 };
    });
    return {
      weights: this.#weights.flat,
      gradient: this.#gradient,
      firstMoment: this.#firstMoment.flat,
      secondMoment: this.#secondMoment.flat,
      pieces,
    };
  }
}

/** Sets `target` to the sum of the parts, added in their order. */
function sumArrays([first, ...rest]: readonly Float32Array[], target: Float32Array): void {
  target.set(first);
  for (const part of rest) {
    for (let index = 0; index < target.length; index += 1) target[index] += part[index];
  }
}
