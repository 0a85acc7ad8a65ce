// internal
import type { NetworkConfig } from "../embedded/network/network-config.js";
import type { ParameterStore } from "../embedded/network/parameter-store.js";

/** Number arrays of one precision: float32 to decode, float64 as the reference that engines are compared with. */
export type NumberArray = Float32Array | Float64Array;

/** One stream's keys and values by layer, [position, width], and how many positions they hold. */
export interface PlainCache {
  readonly keys: readonly NumberArray[];
  readonly values: readonly NumberArray[];
  length: number;
}

/** What the network says after a token. */
export interface PlainOutput {
  /** [vocabulary] */
  readonly logits: NumberArray;
  readonly value?: number;
}

const normEpsilon = 1e-5;

/** The network in plain TypeScript, one token of one stream at a time. */
export class PlainNetwork {
  readonly #config: NetworkConfig;
  readonly #weights: ReadonlyMap<string, NumberArray>;
  readonly #create: (length: number) => NumberArray;
  readonly #blocks: readonly Block[];
  readonly #normal: NumberArray;
  readonly #product: NumberArray;
  readonly #attended: NumberArray;
  readonly #hidden: NumberArray;
  readonly #scores: NumberArray;

  constructor(
    config: NetworkConfig,
    store: Pick<ParameterStore, "arrays">,
    precision: "float32" | "float64" = "float32",
  ) {
    this.#config = config;
    this.#create = (length) => (precision === "float64" ? new Float64Array(length) : new Float32Array(length));
    this.#weights = new Map(
      store.arrays.map(({ name, values }) => {
        const copy = this.#create(values.length);
        copy.set(values);
        return [name, copy];
      }),
    );
    this.#blocks = Array.from({ length: config.layers }, (_, layer) => this.#readBlock(layer));
    this.#normal = this.#create(config.width);
    this.#product = this.#create(3 * config.width);
    this.#attended = this.#create(config.width);
    this.#hidden = this.#create(4 * config.width);
    this.#scores = this.#create(config.contextLength);
  }

  /** Returns the weights of a parameter, to be changed in tests of gradients. */
  get(name: string): NumberArray {
    const found = this.#weights.get(name);
    if (found === undefined) throw new RangeError(`Cannot find parameter "${name}" in the network`);
    return found;
  }

  /** Returns an empty cache for one stream. */
  createCache(): PlainCache {
    const { layers, contextLength, width } = this.#config;
    const create = (): NumberArray[] => Array.from({ length: layers }, () => this.#create(contextLength * width));
    return { keys: create(), values: create(), length: 0 };
  }

  /** Appends a token to a stream; with `isRead` false nothing but the cache is wanted and the head is left out. */
  append(cache: PlainCache, token: number, isRead = true): PlainOutput | undefined {
    const { width } = this.#config;
    const position = cache.length;
    const [tokens, positions] = [this.get("embedding.tokens"), this.get("embedding.positions")];
    const x = this.#create(width);
    for (let i = 0; i < width; i += 1) x[i] = tokens[token * width + i] + positions[position * width + i];
    cache.length += 1;
    this.#blocks.forEach((block, layer) => this.#runBlock(block, x, cache, layer));
    if (!isRead) return undefined;
    normalise(x, this.get("norm.gain"), this.get("norm.bias"), this.#normal);
    const logits = this.#create(this.#config.vocabularySize);
    multiply(this.#normal, this.get("head.weight"), undefined, logits);
    if (!this.#config.valueHead) return { logits };
    const value = this.#create(1);
    multiply(this.#normal, this.get("value.weight"), this.get("value.bias"), value);
    return { logits, value: value[0] };
  }

  #runBlock(block: Block, x: NumberArray, cache: PlainCache, layer: number): void {
    const { width } = this.#config;
    normalise(x, block.gain1, block.bias1, this.#normal);
    multiply(this.#normal, block.inputWeight, block.inputBias, this.#product);
    const at = (cache.length - 1) * width;
    cache.keys[layer].set(this.#product.subarray(width, 2 * width), at);
    cache.values[layer].set(this.#product.subarray(2 * width), at);
    this.#attend(cache.keys[layer], cache.values[layer], cache.length);
    multiply(this.#attended, block.outputWeight, block.outputBias, this.#normal);
    for (let i = 0; i < width; i += 1) x[i] += this.#normal[i];
    normalise(x, block.gain2, block.bias2, this.#normal);
    multiply(this.#normal, block.upWeight, block.upBias, this.#hidden);
    for (let i = 0; i < this.#hidden.length; i += 1) this.#hidden[i] = gelu(this.#hidden[i]);
    multiply(this.#hidden, block.downWeight, block.downBias, this.#normal);
    for (let i = 0; i < width; i += 1) x[i] += this.#normal[i];
  }

  /** Attention of the last position to all of `length`: the query is the first part of the product. */
  #attend(keys: NumberArray, values: NumberArray, length: number): void {
    const { width, heads } = this.#config;
    const part = width / heads;
    const scale = 1 / Math.sqrt(part);
    this.#attended.fill(0);
    for (let start = 0; start < width; start += part) {
      let top = -Infinity;
      for (let position = 0; position < length; position += 1) {
        let score = 0;
        for (let i = start; i < start + part; i += 1) score += this.#product[i] * keys[position * width + i];
        this.#scores[position] = score * scale;
        top = Math.max(top, this.#scores[position]);
      }
      let total = 0;
      for (let position = 0; position < length; position += 1) {
        this.#scores[position] = Math.exp(this.#scores[position] - top);
        total += this.#scores[position];
      }
      for (let position = 0; position < length; position += 1) {
        const share = this.#scores[position] / total;
        for (let i = start; i < start + part; i += 1) this.#attended[i] += share * values[position * width + i];
      }
    }
  }

  #readBlock(layer: number): Block {
    const read = (part: string): NumberArray => this.get(`blocks.${layer}.${part}`);
    return {
      gain1: read("norm1.gain"),
      bias1: read("norm1.bias"),
      inputWeight: read("attention.input.weight"),
      inputBias: read("attention.input.bias"),
      outputWeight: read("attention.output.weight"),
      outputBias: read("attention.output.bias"),
      gain2: read("norm2.gain"),
      bias2: read("norm2.bias"),
      upWeight: read("feedforward.input.weight"),
      upBias: read("feedforward.input.bias"),
      downWeight: read("feedforward.output.weight"),
      downBias: read("feedforward.output.bias"),
    };
  }
}

/** Weights of one layer. */
interface Block {
  readonly gain1: NumberArray;
  readonly bias1: NumberArray;
  readonly inputWeight: NumberArray;
  readonly inputBias: NumberArray;
  readonly outputWeight: NumberArray;
  readonly outputBias: NumberArray;
  readonly gain2: NumberArray;
  readonly bias2: NumberArray;
  readonly upWeight: NumberArray;
  readonly upBias: NumberArray;
  readonly downWeight: NumberArray;
  readonly downBias: NumberArray;
}

/** target = x w + b for w [x.length, target.length], row by row of w, which lie one after another in memory. */
function multiply(x: NumberArray, w: NumberArray, b: NumberArray | undefined, target: NumberArray): void {
  if (b === undefined) target.fill(0);
  else target.set(b);
  const columns = target.length;
  for (let row = 0; row < x.length; row += 1) {
    const factor = x[row];
    const offset = row * columns;
    for (let column = 0; column < columns; column += 1) target[column] += factor * w[offset + column];
  }
}

function normalise(x: NumberArray, gain: NumberArray, bias: NumberArray, target: NumberArray): void {
  let sum = 0;
  for (let i = 0; i < x.length; i += 1) sum += x[i];
  const mean = sum / x.length;
  let squares = 0;
  for (let i = 0; i < x.length; i += 1) squares += (x[i] - mean) * (x[i] - mean);
  const inverse = 1 / Math.sqrt(squares / x.length + normEpsilon);
  for (let i = 0; i < x.length; i += 1) target[i] = (x[i] - mean) * inverse * gain[i] + bias[i];
}

function gelu(x: number): number {
  return 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
}
