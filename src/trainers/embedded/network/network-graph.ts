// internal
import { add, emitBinary, emitSum, gelu } from "../graph/elementwise.js";
import { emitLengths, gather, reshape, split, transpose } from "../graph/layout.js";
import { emitMatMul, layerNorm, linear, matMul, softmax } from "../graph/linear-algebra.js";
import type { Shape } from "../graph/onnx-model.js";
import type { GraphValue, Tape } from "../graph/tape.js";
import { listParameters, type NetworkConfig } from "./network-config.js";

/** Parameters as inputs of a graph, by name. */
export type GraphParameters = (name: string) => GraphValue;

/** What attention does with queries, keys and values, each [1, rows, heads, time, part]; returns the same shape. */
export type Attend = (layer: number, query: GraphValue, key: GraphValue, value: GraphValue) => GraphValue;

/** Declares every parameter as an input named like it. */
export function inputParameters(tape: Tape, config: NetworkConfig): GraphParameters {
  const inputs = new Map(listParameters(config).map(({ name, shape }) => [name, tape.input(name, shape)]));
  return (name) => {
    const found = inputs.get(name);
    if (found === undefined) throw new RangeError(`Cannot find parameter "${name}" in the network`);
    return found;
  };
}

/**
 * Emits the network's body. Takes `tokens` (int32 [rows, time]) and the vectors of their positions, [time, width] or
 * [rows, time, width]; returns the normalised vector of each position, [entries, width].
 */
export function emitBody(
  tape: Tape,
  config: NetworkConfig,
  parameters: GraphParameters,
  tokens: GraphValue,
  positions: GraphValue,
  attend: Attend,
): GraphValue {
  const { width, layers } = config;
  const entries: Shape = ["entries", width];
  let x = reshape(tape, add(tape, gather(tape, parameters("embedding.tokens"), tokens), positions), entries);
  for (let layer = 0; layer < layers; layer += 1) {
    const part = (name: string): GraphValue => parameters(`blocks.${layer}.${name}`);
    const dense = (input: GraphValue, name: string): GraphValue =>
      linear(tape, input, part(`${name}.weight`), part(`${name}.bias`));
    const norm = (input: GraphValue, name: string): GraphValue =>
      layerNorm(tape, input, part(`${name}.gain`), part(`${name}.bias`));
    const [query, key, value] = splitHeads(tape, config, dense(norm(x, "norm1"), "attention.input"), tokens);
    const attended = joinHeads(tape, attend(layer, query, key, value), entries);
    x = add(tape, x, dense(attended, "attention.output"));
    x = add(tape, x, dense(gelu(tape, dense(norm(x, "norm2"), "feedforward.input")), "feedforward.output"));
  }
  return layerNorm(tape, x, parameters("norm.gain"), parameters("norm.bias"));
}

/**
 * Returns queries, keys and values, each [1, rows, heads, time, part], from one product of [entries, 3 width]. With one
 * position the elements of a row lie in that order already.
 */
function splitHeads(tape: Tape, config: NetworkConfig, product: GraphValue, tokens: GraphValue): GraphValue[] {
  const { width, heads } = config;
  const [rows, time] = tokens.shape;
  if (time === 1) {
    return split(tape, product, 3, 1).map((part) => reshape(tape, part, [1, rows, heads, 1, width / heads]));
  }
  const lengths = emitLengths(tape, tokens, 3, heads, width / heads);
  const parts = reshape(tape, product, [rows, time, 3, heads, width / heads], lengths);
  return split(tape, transpose(tape, parts, [2, 0, 3, 1, 4]), 3, 0);
}

function joinHeads(tape: Tape, attended: GraphValue, entries: Shape): GraphValue {
  const isSingle = attended.shape[3] === 1;
  return reshape(tape, isSingle ? attended : transpose(tape, attended, [1, 3, 0, 2, 4]), entries);
}

/** Attention of whole sequences; `causal` [time, time] is 0 where a position may look and very negative elsewhere. */
export function attendCausally(tape: Tape, config: NetworkConfig, causal: GraphValue): Attend {
  const scale = 1 / Math.sqrt(config.width / config.heads);
  return (_layer, query, key, value) => {
    const scores = add(tape, matMul(tape, query, key, { transposeB: true, scale }), causal);
    return matMul(tape, softmax(tape, scores), value);
  };
}

/** The keys and values of earlier positions: tensors [1, rows, heads, capacity, part] by layer. */
export interface GraphCache {
  readonly keys: readonly GraphValue[];
  readonly values: readonly GraphValue[];
  /** [1, rows, 1, 1, capacity]: 0 where the cache is filled and very negative elsewhere. */
  readonly filled: GraphValue;
  /** [time, time], as for whole sequences. */
  readonly causal: GraphValue;
  /** Takes the new keys and values of a layer, to be put into the cache. */
  store(layer: number, key: GraphValue, value: GraphValue): void;
}

/** Attention of new positions to a cache and to one another. No gradient. */
export function attendToCache(tape: Tape, config: NetworkConfig, cache: GraphCache): Attend {
  const scale = 1 / Math.sqrt(config.width / config.heads);
  return (layer, query, key, value) => {
    // One position sees all of itself, and products of vectors need no matrices.
    const isSingle = query.shape[3] === 1;
    cache.store(layer, key, value);
    const score = (keys: GraphValue): GraphValue => emitMatMul(tape, query, keys, { transposeB: true, scale });
    const old = emitBinary(tape, "Add", score(cache.keys[layer]), cache.filled);
    const own = isSingle
      ? emitBinary(tape, "Mul", emitSum(tape, emitBinary(tape, "Mul", query, key), [4], true), tape.scalar(scale))
      : emitBinary(tape, "Add", score(key), cache.causal);
    const leading = query.shape.slice(0, 4);
    const all = tape.emit("Concat", [old, own], [...leading, "reach"], { axis: 4 });
    const weights = tape.emit("Softmax", [all], all.shape, { axis: -1 });
    const lengths = tape.emit("Concat", [lastLength(tape, old), lastLength(tape, own)], [2], { axis: 0 });
    const [oldWeights, ownWeights] = tape.emitMany("Split", [weights, lengths], [old.shape, own.shape], { axis: 4 });
    const ownPart = isSingle ? emitBinary(tape, "Mul", ownWeights, value) : emitMatMul(tape, ownWeights, value);
    return emitBinary(tape, "Add", emitMatMul(tape, oldWeights, cache.values[layer]), ownPart);
  };
}

function lastLength(tape: Tape, value: GraphValue): GraphValue {
  return tape.emit("Shape", [value], [1], { start: value.shape.length - 1 });
}

/** Emits the estimates of the value head, [entries, 1]. */
export function emitValues(tape: Tape, parameters: GraphParameters, body: GraphValue): GraphValue {
  return linear(tape, body, parameters("value.weight"), parameters("value.bias"));
}

/** Emits the positions' vectors for the first `time` positions of a sequence: [time, width]. */
export function emitPositions(tape: Tape, parameters: GraphParameters, indexes: GraphValue): GraphValue {
  return gather(tape, parameters("embedding.positions"), indexes);
}

/** Emits the rows of the body at `index` within the flattened entries, e.g. those of each sequence's last token. */
export function emitLastRows(tape: Tape, body: GraphValue, index: GraphValue): GraphValue {
  return tape.emit("Gather", [body, index], [index.shape[0], body.shape[1]], { axis: 0 });
}
