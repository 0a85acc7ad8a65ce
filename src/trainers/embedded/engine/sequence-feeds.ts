// internal
import type { LossColumn } from "../network/loss-graph.js";
import type { LoadedRuntime, OnnxTensor } from "../runtime.js";
import type { MicroBatch } from "./micro-batches.js";
import type { PackedSequence } from "./pack-sequence.js";

/** Tensors to feed, by name. */
export type Feeds = Record<string, OnnxTensor>;

/** A logit that attention must not see: its weight is exactly 0 in float32. */
export const hiddenScore = -1e9;

/** Fills the inputs of graphs over whole sequences, in memory that is used again for each micro-batch. */
export class SequenceFeeds {
  readonly #onnx: LoadedRuntime["onnx"];
  readonly #vocabularySize: number;
  readonly #buffers = new Map<string, ArrayBuffer>();
  readonly #fixed = new Map<number, Feeds>();

  constructor(onnx: LoadedRuntime["onnx"], vocabularySize: number) {
    this.#onnx = onnx;
    this.#vocabularySize = vocabularySize;
  }

  /** Returns the inputs of a micro-batch; valid until the next call. Entry t of a row predicts its token t + 1. */
  fill(sequences: readonly PackedSequence[], { rows, time }: MicroBatch, columns?: readonly LossColumn[]): Feeds {
    const entries = rows.length * time;
    const tokens = new Int32Array(this.#take("tokens", entries * 4), 0, entries).fill(0);
    const targets = new Int32Array(this.#take("targets", entries * 4), 0, entries).fill(0);
    const sharpness = new Float32Array(this.#take("sharpness", entries * 4), 0, entries).fill(1);
    rows.forEach((row, index) => {
      const { ids, temperature } = sequences[row];
      tokens.set(ids.subarray(0, ids.length - 1), index * time);
      targets.set(ids.subarray(1), index * time);
      sharpness.fill(1 / temperature, index * time, (index + 1) * time);
    });
    const { Tensor } = this.#onnx;
    return {
      ...this.#getFixed(time),
      tokens: new Tensor("int32", tokens, [rows.length, time]),
      targets: new Tensor("int32", targets, [entries]),
      sharpness: new Tensor("float32", sharpness, [entries, 1]),
      legal: this.#fillLegal(sequences, { rows, time }),
      ...(columns === undefined ? {} : this.#fillColumns(sequences, { rows, time }, columns)),
    };
  }

  #fillLegal(sequences: readonly PackedSequence[], { rows, time }: MicroBatch): OnnxTensor {
    const size = this.#vocabularySize;
    const entries = rows.length * time;
    const legal = new Uint8Array(this.#take("legal", entries * size), 0, entries * size).fill(1);
    rows.forEach((row, index) => {
      const { ids, legal: listed, legalStarts } = sequences[row];
      for (let at = 1; at < ids.length; at += 1) {
        const [start, end] = [legalStarts[at], legalStarts[at + 1]];
        if (start === end) continue;
        const offset = (index * time + at - 1) * size;
        legal.fill(0, offset, offset + size);
        for (let each = start; each < end; each += 1) legal[offset + listed[each]] = 1;
      }
    });
    return new this.#onnx.Tensor("bool", legal, [entries, size]);
  }

  #fillColumns(
    sequences: readonly PackedSequence[],
    { rows, time }: MicroBatch,
    columns: readonly LossColumn[],
  ): Feeds {
    const { Tensor } = this.#onnx;
    const entries = rows.length * time;
    const shape = [entries, 1];
    const feeds: Feeds = {};
    for (const name of columns) {
      const values = new Float32Array(this.#take(name, entries * 4), 0, entries).fill(0);
      rows.forEach((row, index) => {
        const column = sequences[row].columns[name];
        if (column !== undefined) values.set(column.subarray(1), index * time);
      });
      feeds[name] = new Tensor("float32", values, shape);
    }
    const sampled = new Uint8Array(this.#take("sampled", entries), 0, entries).fill(0);
    const trained = new Uint8Array(this.#take("trained", entries), 0, entries).fill(0);
    rows.forEach((row, index) => {
      const { actionMask, columns: own } = sequences[row];
      for (let at = 1; at < actionMask.length; at += 1) {
        const entry = index * time + at - 1;
        sampled[entry] = actionMask[at];
        trained[entry] = isTrained(actionMask, own, at) ? 1 : 0;
      }
    });
    feeds["sampled"] = new Tensor("bool", sampled, shape);
    feeds["trained"] = new Tensor("bool", trained, shape);
    return feeds;
  }

  /** Inputs that depend on the length only. */
  #getFixed(time: number): Feeds {
    const known = this.#fixed.get(time);
    if (known !== undefined) return known;
    const { Tensor } = this.#onnx;
    const places = Int32Array.from({ length: time }, (_, index) => index);
    const made: Feeds = {
      places: new Tensor("int32", places, [time]),
      causal: new Tensor("float32", createCausalBias(time), [time, time]),
    };
    this.#fixed.set(time, made);
    return made;
  }

  #take(name: string, bytes: number): ArrayBuffer {
    const known = this.#buffers.get(name);
    if (known !== undefined && known.byteLength >= bytes) return known;
    const made = new ArrayBuffer(bytes);
    this.#buffers.set(name, made);
    return made;
  }
}

/** Says whether the loss counts a position: sampled by the policy, with a weight. */
export function isTrained(actionMask: Uint8Array, columns: PackedSequence["columns"], at: number): boolean {
  return actionMask[at] === 1 && columns.weights?.[at] !== 0;
}

/** Returns what is added to attention scores [time, time]: nothing where position i may look at j, j <= i. */
export function createCausalBias(time: number): Float32Array {
  return Float32Array.from({ length: time * time }, (_, index) =>
    index % time > Math.floor(index / time) ? hiddenScore : 0,
  );
}
