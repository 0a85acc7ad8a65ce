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

/** Throws a `RangeError` that says which entry of which list is wrong, unless a sequence can be scored or trained on. */
export function checkSequence(
  sequence: TrainingSequence | TrainingRow,
  index: number,
  config: NetworkConfig,
  columns: readonly LossColumn[] = [],
): void {
  const { ids, actionMask, allowed, temperature = 1 } = sequence;
  const fail = (reason: string): never => {
    throw new RangeError(`Cannot use sequence ${index}: ${reason}`);
  };
  if (ids.length > config.contextLength) {
    fail(`it has ${ids.length} tokens, and the network's context holds ${config.contextLength}`);
  }
  if (!(temperature >= 0 && Number.isFinite(temperature))) fail(`its temperature is ${temperature}`);
  checkLengths(sequence, columns, fail);
  ids.forEach((id, at) => {
    if (!isId(id, config)) fail(`id ${id} at position ${at} is not in the vocabulary of ${config.vocabularySize}`);
    const here = actionMask[at] ? allowed?.[at] : undefined;
    if (here === undefined) return;
    if (!here.includes(id)) fail(`token ${id} at position ${at} is not among the ids that were legal there`);
    const foreign = here.find((each) => !isId(each, config));
    if (foreign !== undefined) {
      fail(`legal id ${foreign} at position ${at} is not in the vocabulary of ${config.vocabularySize}`);
    }
  });
  if (actionMask[0]) fail("its first token counts as sampled, but nothing stands before it to sample from");
}

function checkLengths(
  sequence: TrainingSequence | TrainingRow,
  columns: readonly LossColumn[],
  fail: (reason: string) => never,
): void {
  const { ids, actionMask, allowed } = sequence;
  const lists = new Map<string, readonly unknown[] | undefined>([["actionMask", actionMask]]);
  if (allowed !== undefined) lists.set("allowed", allowed);
  for (const name of columns) lists.set(name, readColumn(sequence, name));
  for (const [name, list] of lists) {
    if (list === undefined) fail(`the loss needs "${name}", which it lacks`);
    else if (list.length !== ids.length) fail(`"${name}" has ${list.length} entries beside ${ids.length} ids`);
  }
}

function isId(id: number, { vocabularySize }: NetworkConfig): boolean {
  return Number.isInteger(id) && id >= 0 && id < vocabularySize;
}

function readColumn(sequence: TrainingSequence | TrainingRow, name: LossColumn): readonly number[] | undefined {
  return (sequence as Partial<TrainingRow>)[name]; // a sequence that is no row lacks most of them
}

/** Returns the typed arrays of a sequence that {@linkcode checkSequence} accepts. */
export function packSequence(
  sequence: TrainingSequence | TrainingRow,
  columns: readonly LossColumn[] = [],
): PackedSequence {
  const { ids, actionMask, temperature = 1 } = sequence;
  return {
    ids: Int32Array.from(ids),
    actionMask: Uint8Array.from(actionMask, Number),
    ...packLegal(sequence),
    // What was drawn greedily is scored as it would be at temperature 1: a point mass has no gradient.
    temperature: temperature === 0 ? 1 : temperature,
    columns: Object.fromEntries(columns.map((name) => [name, packColumn(sequence, name)])),
  };
}

function packLegal({ ids, actionMask, allowed }: TrainingSequence): Pick<PackedSequence, "legal" | "legalStarts"> {
  const legalStarts = new Int32Array(ids.length + 1);
  const listed: (readonly number[])[] = [];
  let count = 0;
  for (let at = 0; at < ids.length; at += 1) {
    const here = actionMask[at] ? allowed?.[at] : undefined;
    if (here !== undefined) {
      listed.push(here);
      count += here.length;
    }
    legalStarts[at + 1] = count;
  }
  const legal = new Int32Array(count);
  let offset = 0;
  for (const here of listed) {
    for (let each = 0; each < here.length; each += 1) legal[offset + each] = here[each];
    offset += here.length;
  }
  return { legal, legalStarts };
}

/** Numbers of positions that were not sampled are left 0, whatever they hold: nothing of them can reach the loss. */
function packColumn(sequence: TrainingSequence | TrainingRow, name: LossColumn): Float32Array {
  const list = readColumn(sequence, name) ?? [];
  return Float32Array.from(list, (value, at) => (sequence.actionMask[at] ? value : 0));
}

/** Returns the buffers of packed sequences, to be handed over and not copied. */
export function listBuffers(sequences: readonly PackedSequence[]): ArrayBuffer[] {
  return sequences.flatMap(({ ids, actionMask, legal, legalStarts, columns }) =>
    // Made above, so none of them is shared memory.
    [ids, actionMask, legal, legalStarts, ...Object.values(columns)].map(({ buffer }) => buffer as ArrayBuffer),
  );
}
