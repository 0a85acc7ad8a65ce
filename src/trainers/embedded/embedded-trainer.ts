import { availableParallelism } from "node:os";
import {
  usageError,
  type GenerationRequest,
  type GenerationResult,
  type JsonObject,
  type LossSpec,
  type SequenceScore,
  type TokenCodec,
  type Trainer,
  type TrainingRow,
  type TrainingSequence,
  type UpdateMetrics,
} from "../../core/index.js";
import { assertLossSpec } from "../../train/index.js";
import { StreamBook } from "../generation/stream-book.js";
import type { OptimizerConfig } from "./engine/optimizer-config.js";
import { gradientSlots } from "./engine/micro-batches.js";
import { checkSequence, packSequence } from "./engine/pack-sequence.js";
import { getLossForm, listLossColumns } from "./network/loss-graph.js";
import { checkNetworkConfig, countElements, listParameters, type NetworkConfig } from "./network/network-config.js";
import type { TrainingBackend } from "./training-backend.js";
import { Lanes, type LaneUpdate } from "./thread/lanes.js";

/** What an embedded trainer is made of. */
export interface EmbeddedTrainerOptions {
  /** Codec of the tokens; weights are stored with its hash. */
  readonly codec: Pick<TokenCodec, "id" | "hash" | "vocabulary">;
  /** Default: width 64, 2 layers, 4 heads, context 256, no value head. */
  readonly network?: Partial<Omit<NetworkConfig, "vocabularySize">>;
  /** Default: beta1 0.9, beta2 0.95, epsilon 1e-8, weightDecay 0.01, maxGradNorm 1. */
  readonly optimizer?: Partial<OptimizerConfig>;
  /** The first weights depend on it. Default 0. */
  readonly seed?: number;
  /** `node` is compiled code, `web` WebAssembly: slower, for machines without a build. Default `node`. */
  readonly backend?: TrainingBackend;
  /** Threads that compute, from 1 to 4; the results do not depend on it. Default: one for each core. */
  readonly threads?: number;
  /** Padded tokens that run together in a thread: more takes more memory and is no faster. Default 512. */
  readonly microBatchTokens?: number;
}

/** Loss or gradient became infinite or no number; the weights are those before the update. */
export class TrainingDivergedError extends Error {
  override readonly name = "TrainingDivergedError";
  /** The batch that did it, to be saved for inspection. */
  readonly rows: readonly TrainingRow[];
  readonly loss: LossSpec;
  /** Value of the loss and length of the gradient. */
  readonly lossValue: number;
  readonly gradNorm: number;
  constructor(rows: readonly TrainingRow[], loss: LossSpec, lossValue: number, gradNorm: number) {
    super(
      `Cannot update the weights: the ${loss.kind} loss of ${rows.length} rows is ${lossValue} and its gradient has length ${gradNorm}; the weights are unchanged`,
    );
    this.rows = rows;
    this.loss = loss;
    this.lossValue = lossValue;
    this.gradNorm = gradNorm;
  }
}

/** A trainer that computes on this machine, with what it was made of. */
export interface EmbeddedTrainer extends Trainer {
  readonly network: NetworkConfig;
}

const defaultNetwork = { width: 64, layers: 2, heads: 4, contextLength: 256, valueHead: false };
const defaultOptimizer: OptimizerConfig = {
  beta1: 0.9,
  beta2: 0.95,
  epsilon: 1e-8,
  weightDecay: 0.01,
  maxGradNorm: 1,
};

/**
 * Returns a trainer of a small GPT over a codec's vocabulary. It computes in a thread of its own, so that the caller's
 * event loop stays free; the same seed and calls give the same bytes.
 *
 * @throws {TurnwiseError} (usage) for a network that cannot be built; (input) when the runtime's package is missing,
 * with the command that installs it.
 */
export async function createEmbeddedTrainer(options: EmbeddedTrainerOptions): Promise<EmbeddedTrainer> {
  const { codec, seed = 0, backend = "node", microBatchTokens = 512 } = options;
  const { threads = Math.min(availableParallelism(), gradientSlots) } = options;
  if (!(Number.isInteger(threads) && threads >= 1 && threads <= gradientSlots)) {
    throw usageError(`Cannot train in ${threads} threads: allowed are 1 to ${gradientSlots}`);
  }
  const network = { ...defaultNetwork, ...options.network, vocabularySize: codec.vocabulary.length };
  checkNetworkConfig(network);
  const config = {
    network,
    optimizer: { ...defaultOptimizer, ...options.optimizer },
    codec: { id: codec.id, hash: codec.hash },
    seed,
    backend,
  };
  const parameterCount = listParameters(network).reduce((sum, { shape }) => sum + countElements(shape), 0);
  const lanes = await Lanes.start(config, { threads, maxTokens: microBatchTokens, parameterCount });
  return new ThreadedTrainer(lanes, network, parameterCount);
}

/** Packs what goes to the threads and unpacks what comes back. */
class ThreadedTrainer implements EmbeddedTrainer {
  readonly id: string;
  readonly network: NetworkConfig;
  readonly parameters: number;
  readonly contextLength: number;
  readonly #lanes: Lanes;
  readonly #streams: StreamBook;

  constructor(lanes: Lanes, network: NetworkConfig, parameterCount: number) {
    this.id = lanes.id;
    this.network = network;
    this.parameters = parameterCount;
    this.contextLength = network.contextLength;
    this.#lanes = lanes;
    this.#streams = new StreamBook(
      {
        vocabularySize: network.vocabularySize,
        contextLength: network.contextLength,
        hasValues: network.valueHead,
      },
      lanes.listDecoders(),
    );
  }

  generate(requests: readonly GenerationRequest[]): Promise<readonly GenerationResult[]> {
    return this.#streams.generate(requests);
  }

  async endStreams(streams: readonly string[]): Promise<void> {
    this.#streams.end(streams);
    await this.#lanes.endStreams(streams);
  }

  score(sequences: readonly TrainingSequence[]): Promise<readonly SequenceScore[]> {
    return this.#score(sequences, "current");
  }

  async freezeReference(): Promise<void> {
    await this.#lanes.freezeReference();
  }

  scoreReference(sequences: readonly TrainingSequence[]): Promise<readonly SequenceScore[]> {
    return this.#score(sequences, "reference");
  }

  async update(rows: readonly TrainingRow[], loss: LossSpec, learningRate: number): Promise<UpdateMetrics> {
    const start = performance.now();
    assertLossSpec(loss);
    const form = getLossForm(loss);
    if (form.hasValue && !this.network.valueHead) {
      throw new RangeError("Cannot train a value part: the network has no value head");
    }
    if (!(learningRate >= 0 && Number.isFinite(learningRate))) {
      throw new RangeError(`Cannot update with a learning rate of ${learningRate}: it must be 0 or more`);
    }
    const columns = listLossColumns(form);
    rows.forEach((row, index) => checkSequence(row, index, this.network, columns));
    const pack = (chosen: readonly number[]) => chosen.map((row) => packSequence(rows[row], columns));
    const done = await this.#lanes.update(rows, pack, loss, learningRate);
    const { gradNorm = NaN } = done;
    const lossValue = sumParts(done);
    if (!Number.isFinite(gradNorm)) throw new TrainingDivergedError(rows, loss, lossValue, gradNorm);
    this.#streams.invalidate();
    return describeUpdate({ ...done, gradNorm }, lossValue, learningRate, (performance.now() - start) / 1000);
  }

  async save(folder: string, meta: JsonObject): Promise<void> {
    await this.#lanes.save(folder, meta);
  }

  async load(folder: string): Promise<JsonObject> {
    const meta = await this.#lanes.load(folder);
    this.#streams.invalidate();
    return meta;
  }

  close(): Promise<void> {
    return this.#lanes.close();
  }

  async #score(
    sequences: readonly TrainingSequence[],
    network: "current" | "reference",
  ): Promise<readonly SequenceScore[]> {
    sequences.forEach((sequence, index) => checkSequence(sequence, index, this.network));
    const pack = (chosen: readonly number[]) => chosen.map((row) => packSequence(sequences[row]));
    const scores = await this.#lanes.score(sequences, pack, network);
    return scores.map((score, row) => {
      const { length } = sequences[row].ids;
      // A sequence too short to predict anything was scored by nobody.
      const read = (list?: Float32Array): number[] => Array.from(list ?? new Float32Array(length));
      const { logProbs, entropies, values } = score ?? {};
      return {
        logProbs: read(logProbs),
        entropies: read(entropies),
        ...(this.network.valueHead ? { values: read(values) } : {}),
      };
    });
  }
}

function sumParts({ parts }: LaneUpdate): number {
  return parts.policy + parts.kl + parts.entropy + parts.value;
}

function describeUpdate(
  done: LaneUpdate & { readonly gradNorm: number },
  loss: number,
  learningRate: number,
  seconds: number,
): UpdateMetrics {
  const { tokens, parts, gradNorm, entropySum, updateKlSum, maxRatioError, clipped } = done;
  const mean = (sum: number): number => (tokens === 0 ? 0 : sum / tokens);
  return {
    loss,
    gradNorm,
    learningRate,
    entropy: mean(entropySum),
    updateKl: mean(updateKlSum),
    maxRatioError,
    clippedShare: mean(clipped),
    tokens,
    seconds,
    parts,
  };
}
