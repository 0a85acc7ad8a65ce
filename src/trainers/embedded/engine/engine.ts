// internal
import type { JsonObject, LossSpec } from "../../../core/index.js";
import type { NextTokens, StreamTokens } from "../../generation/logit-source.js";
import {
  checkCodec,
  readCheckpointInfo,
  readCheckpointState,
  writeCheckpoint,
  type CodecIdentity,
} from "../checkpoint/checkpoint-files.js";
import type { NetworkConfig } from "../network/network-config.js";
import { createParameterStore, startParameters, type ParameterStore } from "../network/parameter-store.js";
import { loadRuntime, type LoadedRuntime, type RuntimeOptions } from "../runtime.js";
import type { TrainingBackend } from "../training-backend.js";
import { measureNorm, stepAdamW } from "./adamw.js";
import type { OptimizerConfig } from "./optimizer-config.js";
import { Decoder } from "./decoder.js";
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
  readonly runtime: RuntimeOptions;
  /** Padded tokens that run together. */
  readonly microBatchTokens: number;
}

/** What an update did; `isFinite` false when loss or gradient is no finite number, and nothing was changed. */
export interface EngineUpdate extends GradientSums {
  readonly gradNorm: number;
  readonly isFinite: boolean;
}

/** Weights, optimiser and caches of one network: what a trainer's thread holds. */
export class TrainingEngine {
  readonly #config: EngineConfig;
  readonly #runner: SequenceRunner;
  readonly #decoder: Decoder;
  readonly #weights: ParameterStore;
  readonly #gradient: ParameterStore;
  readonly #firstMoment: ParameterStore;
  readonly #secondMoment: ParameterStore;
  readonly #feeds: Feeds;
  #reference: ParameterStore | undefined;
  #updates = 0;
  /** Name and version of the runtime. */
  readonly id: string;

  private constructor(config: EngineConfig, runtime: LoadedRuntime) {
    const { network } = config;
    this.#config = config;
    this.id = `embedded/onnxruntime-${runtime.backend} ${runtime.version}`;
    this.#runner = new SequenceRunner(runtime, network, config.microBatchTokens);
    this.#decoder = new Decoder(runtime, network);
    this.#weights = createParameterStore(network);
    this.#gradient = createParameterStore(network);
    this.#firstMoment = createParameterStore(network);
    this.#secondMoment = createParameterStore(network);
    this.#feeds = this.#runner.feedParameters(this.#weights);
    startParameters(this.#weights, network, config.seed);
  }

  /** Loads the runtime and makes an engine with fresh weights. */
  static async create(config: EngineConfig): Promise<TrainingEngine> {
    return new TrainingEngine(config, await loadRuntime(config.backend, config.runtime));
  }

  decode(streams: readonly StreamTokens[]): Promise<NextTokens> {
    return this.#decoder.decode(this.#feeds, streams);
  }

  endStreams(streams: readonly string[]): void {
    this.#decoder.end(streams);
  }

  /** Throws a `RangeError` when the reference is asked for before it was frozen. */
  score(sequences: readonly PackedSequence[], network: "current" | "reference"): Promise<PackedScore[]> {
    const weights = network === "current" ? this.#weights : this.#reference;
    if (weights === undefined) {
      throw new RangeError("Cannot score with the reference policy: freezeReference() was not called before");
    }
    return this.#runner.score(weights, sequences);
  }

  freezeReference(): void {
    this.#reference ??= createParameterStore(this.#config.network);
    this.#reference.flat.set(this.#weights.flat);
  }

  async update(rows: readonly PackedSequence[], spec: LossSpec, learningRate: number): Promise<EngineUpdate> {
    this.#gradient.flat.fill(0);
    const sums = await this.#runner.addGradient(this.#weights, this.#gradient, rows, spec);
    const gradNorm = measureNorm(this.#gradient.flat);
    const { policy, kl, entropy, value } = sums.parts;
    const isFinite = Number.isFinite(policy + kl + entropy + value) && Number.isFinite(gradNorm);
    if (isFinite) {
      this.#updates += 1;
      stepAdamW(this.#optimizerState(), this.#config.optimizer, { step: this.#updates, learningRate, gradNorm });
      this.#decoder.clear();
    }
    return { ...sums, gradNorm, isFinite };
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
    const expected = { ...info, network: this.#config.network };
    const state = readCheckpointState(found, expected);
    this.#weights.flat.set(state.weights.flat);
    this.#firstMoment.flat.set(state.firstMoment.flat);
    this.#secondMoment.flat.set(state.secondMoment.flat);
    this.#reference = state.reference;
    this.#updates = info.updates;
    this.#decoder.clear();
    return info.meta;
  }

  async release(): Promise<void> {
    await this.#runner.release();
    await this.#decoder.release();
  }

  #optimizerState(): Parameters<typeof stepAdamW>[0] {
    let offset = 0;
    const pieces = this.#weights.arrays.map(({ shape, values }) => {
      const start = offset;
      offset += values.length;
      return { start, end: offset, decays: shape.length > 1 };
    });
    return {
      weights: this.#weights.flat,
      gradient: this.#gradient.flat,
      firstMoment: this.#firstMoment.flat,
      secondMoment: this.#secondMoment.flat,
      pieces,
    };
  }
}
