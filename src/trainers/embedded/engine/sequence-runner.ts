// internal
import type { LossSpec } from "../../../core/index.js";
import { getLossForm, getLossScalar, listLossColumns, listLossScalars, type LossForm } from "../network/loss-graph.js";
import type { NetworkConfig } from "../network/network-config.js";
import type { ParameterStore } from "../network/parameter-store.js";
import { buildScoringGraph, buildTrainingGraph } from "../network/sequence-graph.js";
import type { LoadedRuntime, OnnxSession } from "../runtime.js";
import type { MicroBatch } from "./micro-batches.js";
import type { PackedSequence } from "./pack-sequence.js";
import { isTrained, SequenceFeeds, type Feeds } from "./sequence-feeds.js";

/** What the network says of one sequence; lists are beside its ids, 0 where nothing was sampled. */
export interface PackedScore {
  readonly logProbs: Float32Array;
  readonly entropies: Float32Array;
  readonly values?: Float32Array;
}

/** Sums over the trained tokens of one update. */
export interface GradientSums {
  readonly parts: { policy: number; kl: number; entropy: number; value: number };
  tokens: number;
  clipped: number;
  entropySum: number;
  updateKlSum: number;
  maxRatioError: number;
}

/** Runs the graphs over whole sequences: scores, and sums of gradients. */
export class SequenceRunner {
  readonly #runtime: LoadedRuntime;
  readonly #config: NetworkConfig;
  readonly #feeds: SequenceFeeds;
  readonly #sessions = new Map<string, Promise<OnnxSession>>();

  constructor(runtime: LoadedRuntime, config: NetworkConfig) {
    this.#runtime = runtime;
    this.#config = config;
    this.#feeds = new SequenceFeeds(runtime.onnx, config.vocabularySize);
  }

  /** Returns what the network with these weights says of sequences, in their order. */
  async score(
    weights: ParameterStore,
    sequences: readonly PackedSequence[],
    batches: readonly MicroBatch[],
  ): Promise<PackedScore[]> {
    const session = await this.#getSession("score", () => buildScoringGraph(this.#config));
    const parameters = this.feedParameters(weights);
    const scores = sequences.map(({ ids }): PackedScore => {
      const create = (): Float32Array => new Float32Array(ids.length);
      return { logProbs: create(), entropies: create(), ...(this.#config.valueHead ? { values: create() } : {}) };
    });
    for (const batch of batches) {
      const results = await session.run({ ...parameters, ...this.#feeds.fill(sequences, batch) });
      for (const name of ["logProbs", "entropies", "values"] as const) {
        if (results[name] !== undefined) copyScores(results[name].data as Float32Array, batch, sequences, scores, name); // declared float32
      }
      for (const result of Object.values(results)) result.dispose();
    }
    return scores;
  }

  /** Adds the gradient of the loss of the rows to `gradient`, batch by batch. */
  async addGradient(
    weights: ParameterStore,
    gradient: ParameterStore,
    rows: readonly PackedSequence[],
    batches: readonly MicroBatch[],
    spec: LossSpec,
  ): Promise<GradientSums> {
    const form = getLossForm(spec);
    const session = await this.#getSession(JSON.stringify(form), () => buildTrainingGraph(this.#config, form));
    const fixed = { ...this.feedParameters(weights), ...this.#feedScalars(form, spec) };
    const sums: GradientSums = {
      parts: { policy: 0, kl: 0, entropy: 0, value: 0 },
      tokens: 0,
      clipped: 0,
      entropySum: 0,
      updateKlSum: 0,
      maxRatioError: 0,
    };
    for (const batch of batches) {
      const results = await session.run({ ...fixed, ...this.#feeds.fill(rows, batch, listLossColumns(form)) });
      const read = (name: string): Float32Array => results[name].data as Float32Array; // every result is float32
      for (const { name, values } of gradient.arrays) {
        const part = read(`gradient.${name}`);
        for (let index = 0; index < values.length; index += 1) values[index] += part[index];
      }
      for (const part of ["policy", "kl", "entropy", "value"] as const) {
        if (results[part] !== undefined) sums.parts[part] += read(part)[0];
      }
      if (results["clipped"] !== undefined) sums.clipped += read("clipped")[0];
      addMeasures(sums, rows, batch, read("logProbs"), read("entropies"));
      for (const result of Object.values(results)) result.dispose();
    }
    return sums;
  }

  /** Returns tensors over the memory of a store: what changes there is seen by the next run. */
  feedParameters(store: ParameterStore): Feeds {
    const { Tensor } = this.#runtime.onnx;
    return Object.fromEntries(
      store.arrays.map(({ name, shape, values }) => [name, new Tensor("float32", values, shape)]),
    );
  }

  /** Releases every session. */
  async release(): Promise<void> {
    for (const session of this.#sessions.values()) await (await session).release();
    this.#sessions.clear();
  }

  #feedScalars(form: LossForm, spec: LossSpec): Feeds {
    const { Tensor } = this.#runtime.onnx;
    return Object.fromEntries(
      listLossScalars(form).map((name) => [
        name,
        new Tensor("float32", Float32Array.of(getLossScalar(spec, name)), []),
      ]),
    );
  }

  #getSession(key: string, build: () => Uint8Array): Promise<OnnxSession> {
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    const made = this.#runtime.createSession(build());
    this.#sessions.set(key, made);
    return made;
  }
}

function copyScores(
  data: Float32Array,
  { rows, time }: MicroBatch,
  sequences: readonly PackedSequence[],
  scores: readonly PackedScore[],
  name: keyof PackedScore,
): void {
  rows.forEach((row, index) => {
    const { actionMask } = sequences[row];
    const target = scores[row][name];
    if (target === undefined) return;
    for (let at = 1; at < actionMask.length; at += 1) {
      if (actionMask[at] === 1) target[at] = data[index * time + at - 1];
    }
  });
}

/** Adds what the update's metrics need of one micro-batch; ratios are against the policy that sampled. */
function addMeasures(
  sums: GradientSums,
  sequences: readonly PackedSequence[],
  { rows, time }: MicroBatch,
  logProbs: Float32Array,
  entropies: Float32Array,
): void {
  rows.forEach((row, index) => {
    const { actionMask, columns } = sequences[row];
    for (let at = 1; at < actionMask.length; at += 1) {
      if (!isTrained(actionMask, columns, at)) continue;
      const entry = index * time + at - 1;
      sums.tokens += 1;
      sums.entropySum += entropies[entry];
      if (columns.sampledLogProbs === undefined) continue;
      const change = logProbs[entry] - columns.sampledLogProbs[at];
      const ratioError = Math.expm1(change);
      sums.updateKlSum += ratioError - change;
      sums.maxRatioError = Math.max(sums.maxRatioError, Math.abs(ratioError));
    }
  });
}
