// internal
import type { TrainingRow, TrainingSequence } from "../../../core/index.js";
import type { LossColumn } from "../network/loss-graph.js";
import type { NetworkConfig } from "../network/network-config.js";

/** A training sequence in typed arrays, which pass between threads without being copied. Lists are beside `ids`. */
export interface PackedSequence {
  readonly ids: Int32Array;
  readonly actionMask: Uint8Array;
  /** Legal ids of position i are `legal[starts[i]]` to `legal[starts[i + 1] - 1]`; none listed means all. */
  readonly legalStarts: Int32Array;
  readonly legal: Int32Array;
  readonly temperature: number;
  readonly columns: { readonly [name in LossColumn]?: Float32Array };
}

/** Returns the typed arrays of a sequence. Throws a `RangeError` that says which entry of which list is wrong. */
export function packSequence(
  sequence: TrainingSequence | TrainingRow,
  index: number,
  config: NetworkConfig,
  columns: readonly LossColumn[] = [],
): PackedSequence {
  const { ids, actionMask, allowed, temperature = 1 } = sequence;
  const fail = (reason: string): never => {
    throw new RangeError(`Cannot use sequence ${index}: ${reason}`);
  };
  if (ids.length > config.contextLength) {
    fail(`it has ${ids.length} tokens, and the network's context holds ${config.contextLength}`);
  }
  if (!(temperature >= 0 && Number.isFinite(temperature))) fail(`its temperature is ${temperature}`);
  for (const [name, list] of Object.entries({ actionMask, ...(allowed === undefined ? {} : { allowed }) })) {
    if (list.length !== ids.length) fail(`"${name}" has ${list.length} entries beside ${ids.length} ids`);
  }
  ids.forEach((id, at) => {
    if (!Number.isInteger(id) || id < 0 || id >= config.vocabularySize) {
      fail(`id ${id} at position ${at} is not in the vocabulary of ${config.vocabularySize}`);
    }
  });
  if (actionMask[0]) fail("its first token counts as sampled, but nothing stands before it to sample from");
  return {
    ids: Int32Array.from(ids),
    actionMask: Uint8Array.from(actionMask, Number),
    ...packLegal(sequence, fail),
    // What was drawn greedily is scored as it would be at temperature 1: a point mass has no gradient.
    temperature: temperature === 0 ? 1 : temperature,
    columns: packColumns(sequence, columns, fail),
  };
}

function packLegal(
  { ids, actionMask, allowed }: TrainingSequence,
  fail: (reason: string) => never,
): Pick<PackedSequence, "legal" | "legalStarts"> {
  const legalStarts = new Int32Array(ids.length + 1);
  const listed: (readonly number[])[] = [];
  let count = 0;
  ids.forEach((id, at) => {
    const here = actionMask[at] ? allowed?.[at] : undefined;
    if (here !== undefined) {
      if (!here.includes(id)) fail(`token ${id} at position ${at} is not among the ids that were legal there`);
      listed.push(here);
      count += here.length;
    }
    legalStarts[at + 1] = count;
  });
  const legal = new Int32Array(count);
  let offset = 0;
  for (const here of listed) {
    legal.set(here, offset);
    offset += here.length;
  }
  return { legal, legalStarts };
}

/** Numbers of positions that were not sampled are left 0, whatever they hold: nothing of them can reach the loss. */
function packColumns(
  sequence: TrainingSequence | TrainingRow,
  columns: readonly LossColumn[],
  fail: (reason: string) => never,
): PackedSequence["columns"] {
  const packed: { [name in LossColumn]?: Float32Array } = {};
  for (const name of columns) {
    const list = (sequence as TrainingRow)[name]; // columns are asked for only with rows
    if (list === undefined) return fail(`the loss needs "${name}", which it lacks`);
    if (list.length !== sequence.ids.length) {
      fail(`"${name}" has ${list.length} entries beside ${sequence.ids.length} ids`);
    }
    packed[name] = Float32Array.from(list, (value, at) => (sequence.actionMask[at] ? value : 0));
  }
  return packed;
}

/** Returns the buffers of packed sequences, to be handed over and not copied. */
export function listBuffers(sequences: readonly PackedSequence[]): ArrayBuffer[] {
  return sequences.flatMap(({ ids, actionMask, legal, legalStarts, columns }) =>
    // Made above, so none of them is shared memory.
    [ids, actionMask, legal, legalStarts, ...Object.values(columns)].map(({ buffer }) => buffer as ArrayBuffer),
  );
}
