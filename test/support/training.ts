// What tests of trainers share: codecs, rows and requests.
import { hashJson, type GenerationRequest, type TrainingRow, type TrainingSequence } from "../../src/core/index.js";
import type { EmbeddedTrainerOptions } from "../../src/trainers/embedded/embedded-trainer.js";

/** A codec over `size` nameless tokens. For tests. */
export function testCodec(size: number): EmbeddedTrainerOptions["codec"] {
  const vocabulary = Array.from({ length: size }, (_, id) => `t${id}`);
  return { id: `test:${size}`, hash: hashJson(vocabulary), vocabulary };
}

/** A small network that still has several heads and layers. For tests. */
export const testNetwork = { width: 16, layers: 2, heads: 2, contextLength: 32, valueHead: false };

/** A request without limits but `maxTokens`. For tests. */
export function testRequest(
  stream: string,
  append: readonly number[],
  options: Partial<GenerationRequest> & { readonly vocabularySize: number },
): GenerationRequest {
  const { vocabularySize, ...rest } = options;
  const all = Array.from({ length: vocabularySize }, (_, id) => id);
  return { stream, append, listAllowed: () => all, maxTokens: 8, temperature: 1, seed: 1, ...rest };
}

/** A row whose tokens from `start` on were sampled, weighted to a mean. For tests. */
export function testRow(ids: readonly number[], start: number, columns: Partial<TrainingRow> = {}): TrainingRow {
  const actionMask = ids.map((_, at) => at >= start);
  const zeros = ids.map(() => 0);
  return {
    ids,
    actionMask,
    sampledLogProbs: zeros,
    turnIndex: zeros,
    advantages: zeros,
    weights: actionMask.map((isSampled) => (isSampled ? 1 / (ids.length - start) : 0)),
    ...columns,
  };
}

/** The sequence that a stream has become. For tests. */
export function toSequence(
  parts: readonly {
    readonly append: readonly number[];
    readonly ids: readonly number[];
    readonly logProbs: readonly number[];
    readonly allowed: readonly (readonly number[])[];
  }[],
  temperature = 1,
): TrainingSequence {
  const none = <Value>(append: readonly number[], value: Value): Value[] => append.map(() => value);
  return {
    ids: parts.flatMap(({ append, ids }) => [...append, ...ids]),
    actionMask: parts.flatMap(({ append, ids }) => [...none(append, false), ...ids.map(() => true)]),
    allowed: parts.flatMap(({ append, allowed }) => [...none(append, undefined), ...allowed]),
    sampledLogProbs: parts.flatMap(({ append, logProbs }) => [...none(append, 0), ...logProbs]),
    turnIndex: parts.flatMap(({ append, ids }, turn) => [...none(append, turn - 1), ...ids.map(() => turn)]),
    temperature,
  };
}
