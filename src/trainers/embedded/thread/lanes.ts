// internal
import type { JsonObject, LossSpec } from "../../../core/index.js";
import type { Decode } from "../../generation/logit-source.js";
import { decodingGroups, measureSlots, type EngineConfig } from "../engine/engine.js";
import { gradientSlots, planMicroBatches, type MicroBatch } from "../engine/micro-batches.js";
import { listBuffers, type PackedSequence } from "../engine/pack-sequence.js";
import type { GradientSums, PackedScore } from "../engine/sequence-runner.js";
import { TrainerThread } from "./client.js";

/** Returns packed sequences by their positions; called when a thread is about to need them. */
export type PackRows = (rows: readonly number[]) => PackedSequence[];

/** What an update summed up to. `gradNorm` is `undefined` when the loss was no finite number and nothing was changed. */
export interface LaneUpdate extends GradientSums {
  readonly gradNorm?: number;
}

/** Threads with an engine each, as one: their weights are always equal. */
export class Lanes {
  readonly #threads: readonly TrainerThread[];
  readonly #config: EngineConfig;
  readonly #maxTokens: number;
  /** Name and version of the runtime. */
  readonly id: string;

  private constructor(threads: readonly TrainerThread[], config: EngineConfig, maxTokens: number, id: string) {
    this.#threads = threads;
    this.#config = config;
    this.#maxTokens = maxTokens;
    this.id = id;
  }

  /** Starts the threads. `maxTokens` bounds the padded tokens that run together in each. */
  static async start(
    config: Omit<EngineConfig, "slots">,
    options: { readonly threads: number; readonly maxTokens: number; readonly parameterCount: number },
  ): Promise<Lanes> {
    const { threads: count, maxTokens, parameterCount } = options;
    const full = { ...config, slots: new SharedArrayBuffer(measureSlots(parameterCount)) };
    const threads = Array.from({ length: count }, () => new TrainerThread());
    try {
      const [id] = await Promise.all(threads.map((thread) => thread.call("create", [full])));
      return new Lanes(threads, full, maxTokens, id);
    } catch (error) {
      await Promise.allSettled(threads.map((thread) => thread.close())); // what went wrong first is what is told
      throw error;
    }
  }

  /** Returns the decoders of the groups of streams, which work at the same time where there are threads enough. */
  listDecoders(): Decode[] {
    return Array.from({ length: decodingGroups }, (_, group): Decode => {
      const thread = this.#threads[group % this.#threads.length];
      return (streams) => thread.call("decode", [group, streams]);
    });
  }

  /** Scores sequences of these ids, in their order. */
  async score(
    sequences: readonly { readonly ids: ArrayLike<number> }[],
    pack: PackRows,
    network: "current" | "reference",
  ): Promise<(PackedScore | undefined)[]> {
    const scores: (PackedScore | undefined)[] = sequences.map(() => undefined);
    const shares = dealBatches(this.#plan(sequences), this.#threads.length);
    await settleAll(
      shares.map(async (batches, lane) => {
        if (batches.length === 0) return;
        const { rows, packed, own } = packShare(batches, pack);
        const results = await this.#threads[lane].call("score", [packed, own, network], listBuffers(packed));
        results.forEach((score, index) => {
          scores[rows[index]] = score;
        });
      }),
    );
    return scores;
  }

  /** Makes one optimiser step on rows of these ids. */
  async update(
    sequences: readonly { readonly ids: ArrayLike<number> }[],
    pack: PackRows,
    spec: LossSpec,
    learningRate: number,
  ): Promise<LaneUpdate> {
    const shares = dealBatches(this.#plan(sequences), gradientSlots);
    const sums = await settleAll(
      shares.map((batches, slot) => {
        const { packed, own } = packShare(batches, pack);
        const thread = this.#threads[slot % this.#threads.length];
        return thread.call("fillSlot", [slot, packed, own, spec], listBuffers(packed));
      }),
    );
    const total = sums.reduce(addSums);
    const { policy, kl, entropy, value } = total.parts;
    if (!Number.isFinite(policy + kl + entropy + value)) return total;
    const [gradNorm] = await settleAll(this.#threads.map((thread) => thread.call("step", [learningRate])));
    return { ...total, gradNorm };
  }

  async freezeReference(): Promise<void> {
    await settleAll(this.#threads.map((thread) => thread.call("freezeReference", [])));
  }

  async endStreams(streams: readonly string[]): Promise<void> {
    await settleAll(this.#threads.map((thread) => thread.call("endStreams", [streams])));
  }

  /** All engines are equal, so one writes. */
  async save(folder: string, meta: JsonObject): Promise<void> {
    await this.#threads[0].call("save", [folder, meta]);
  }

  async load(folder: string): Promise<JsonObject> {
    const [meta] = await settleAll(this.#threads.map((thread) => thread.call("load", [folder])));
    return meta;
  }

  async close(): Promise<void> {
    await settleAll(this.#threads.map((thread) => thread.close()));
  }

  #plan(sequences: readonly { readonly ids: ArrayLike<number> }[]): MicroBatch[] {
    return planMicroBatches(sequences, this.#config.network.contextLength, this.#maxTokens);
  }
}

/** Deals batches to shares in turn: their costs are alike, since their padded tokens are. */
function dealBatches(batches: readonly MicroBatch[], shares: number): MicroBatch[][] {
  return Array.from({ length: shares }, (_, share) => batches.filter((_batch, index) => index % shares === share));
}

/** Packs the rows of a share's batches, which then count within the share. */
function packShare(
  batches: readonly MicroBatch[],
  pack: PackRows,
): { readonly rows: readonly number[]; readonly packed: PackedSequence[]; readonly own: MicroBatch[] } {
  const rows = batches.flatMap((batch) => batch.rows);
  let next = 0;
  const own = batches.map(({ rows: { length }, time }) => {
    next += length;
    return { rows: Array.from({ length }, (_, index) => next - length + index), time };
  });
  return { rows, packed: pack(rows), own };
}

/** Waits for all, so that no thread is still at work when the first failure is thrown. */
async function settleAll<Result>(calls: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(calls);
  return Promise.all(calls);
}

function addSums(a: GradientSums, b: GradientSums): GradientSums {
  return {
    parts: {
      policy: a.parts.policy + b.parts.policy,
      kl: a.parts.kl + b.parts.kl,
      entropy: a.parts.entropy + b.parts.entropy,
      value: a.parts.value + b.parts.value,
    },
    tokens: a.tokens + b.tokens,
    clipped: a.clipped + b.clipped,
    entropySum: a.entropySum + b.entropySum,
    updateKlSum: a.updateKlSum + b.updateKlSum,
    maxRatioError: Math.max(a.maxRatioError, b.maxRatioError),
  };
}
