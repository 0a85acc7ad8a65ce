// internal
import type { JsonObject, JsonValue, RecordedNumber, TokenRole, TokenSample, UnusableField } from "../../core/index.js";
import { getList, getRecordedNumber } from "../importers/fields.js";

/** Returns the name of the first field that is there and not null. */
function findName(record: JsonObject, names: readonly string[]): string | undefined {
  return names.find((candidate) => record[candidate] !== undefined && record[candidate] !== null);
}

/** Returns the first field that is there. */
export function pick(record: JsonObject, ...names: readonly string[]): JsonValue | undefined {
  const name = findName(record, names);
  return name === undefined ? undefined : record[name];
}

function describe(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = typeof value === "number" ? String(value) : JSON.stringify(value ?? null);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Returns a list whose entries `read` takes, or why it is none. A batch of one is opened. */
function readList<Entry>(
  value: JsonValue,
  read: (entry: JsonValue) => Entry | undefined,
  expected: string,
): readonly Entry[] | string {
  if (!Array.isArray(value)) return `it is ${describe(value)}, where a list of ${expected} is allowed`;
  const list = getList(value);
  if (list.length === 1 && Array.isArray(list[0])) return readList(list[0] as JsonValue, read, expected); // a list inside JSON is JSON
  const entries: Entry[] = [];
  for (const [i, entry] of list.entries()) {
    const found = read(entry);
    if (found === undefined) return `entry ${i} is ${describe(entry)}, where ${expected} are allowed`;
    entries.push(found);
  }
  return entries;
}

/** Returns token ids, or why the value is no list of them. */
export function readIds(value: JsonValue): readonly number[] | string {
  const read = (id: JsonValue): number | undefined => (Number.isSafeInteger(id) ? Number(id) : undefined);
  return readList(value, read, "whole numbers");
}

function isTrained(entry: JsonValue, most: number): boolean | undefined {
  if (typeof entry === "boolean") return entry;
  return typeof entry === "number" && entry >= 0 && entry <= most ? entry > 0 : undefined;
}

/** Returns a mask of 0 and 1 or truth values, where a share between counts as trained; or why the value is none. */
export function readMask(value: JsonValue): readonly boolean[] | string {
  return readList(value, (entry) => isTrained(entry, 1), "0 and 1");
}

/** Returns which weights are above 0, or why the value is no list of weights. */
export function readWeights(value: JsonValue): readonly boolean[] | string {
  return readList(value, (entry) => isTrained(entry, Number.MAX_VALUE), "weights from 0");
}

/** Returns log-probs, absent where the list holds null; or why the value is no list of them. */
export function readLogProbs(value: JsonValue): readonly (RecordedNumber | undefined)[] | string {
  const read = (entry: JsonValue): RecordedNumber | null | undefined =>
    entry === null ? null : getRecordedNumber(entry);
  const found = readList(value, read, "numbers and null");
  return typeof found === "string" ? found : found.map((entry) => entry ?? undefined);
}

const roleNames: { readonly [name: string]: TokenRole } = {
  system: "system",
  developer: "system",
  user: "user",
  human: "user",
  assistant: "assistant",
  model: "assistant",
  gpt: "assistant",
  ai: "assistant",
  bot: "assistant",
  chatbot: "assistant",
  chatgpt: "assistant",
  agent: "assistant",
  function_call: "assistant",
  tool_call: "assistant",
  tool: "tool",
  tools: "tool",
  function: "tool",
  function_response: "tool",
  tool_response: "tool",
  tool_result: "tool",
  ipython: "tool",
  observation: "tool",
  environment: "tool",
  env: "tool",
  template: "template",
  padding: "padding",
  pad: "padding",
};

/** Returns the role that a tool's word stands for, whatever its case, or `undefined` for a word that is not known. */
export function findRole(word: string): TokenRole | undefined {
  const name = word.trim().toLowerCase().replaceAll("-", "_");
  return Object.hasOwn(roleNames, name) ? roleNames[name] : undefined;
}

/** Reads fields of one record and keeps account of those that are there and cannot be used. */
export class FieldTaker {
  readonly #record: JsonObject;
  readonly unusable: UnusableField[] = [];

  constructor(record: JsonObject) {
    this.#record = record;
  }

  /** Returns the first of the fields that is there, as `read` reads it; `undefined` when none is, or it cannot be used. */
  take<Value>(
    names: readonly string[],
    read: (value: JsonValue) => Value | string,
    options: { readonly isEssential?: true; readonly prefix?: string } = {},
  ): Value | undefined {
    const name = findName(this.#record, names);
    if (name === undefined) return undefined;
    const found = read(this.#record[name] ?? null);
    if (typeof found !== "string") return found;
    this.refuse(`${options.prefix ?? ""}${name}`, found, options.isEssential);
    return undefined;
  }

  /** As {@linkcode take}, for a field without which nothing can be said of the sample. */
  takeEssential<Value>(names: readonly string[], read: (value: JsonValue) => Value | string): Value | undefined {
    return this.take(names, read, { isEssential: true });
  }

  /** Notes a field that cannot be used. */
  refuse(name: string, reason: string, isEssential?: true): void {
    this.unusable.push({ name, reason, ...(isEssential === undefined ? {} : { isEssential }) });
  }

  /** Returns a sample with the fields that could not be used so far. */
  mark(sample: TokenSample): TokenSample {
    return this.unusable.length === 0
      ? sample
      : { ...sample, unusable: [...(sample.unusable ?? []), ...this.unusable] };
  }
}

/** Lists for the answer's part of a sequence. */
export interface AnswerLists {
  readonly mask?: readonly boolean[];
  readonly logProbs?: readonly (RecordedNumber | undefined)[];
}

/**
 * Returns a sample of a prompt and the answer after it. Lists may be beside the answer or beside the whole sequence; one
 * that fits neither is reported by its length under `names`.
 */
export function joinPromptAndAnswer(
  id: string,
  prompt: readonly number[],
  answer: readonly number[],
  lists: AnswerLists,
  names: { readonly mask: string; readonly logProbs: string },
): TokenSample {
  const ids = [...prompt, ...answer];
  const lengths: { [name: string]: number } = {};
  const place = <Entry>(
    list: readonly Entry[] | undefined,
    name: string,
    before: Entry,
  ): readonly Entry[] | undefined => {
    if (list === undefined || list.length === ids.length) return list;
    if (list.length === answer.length) return [...prompt.map(() => before), ...list];
    lengths[name] = list.length;
    return undefined;
  };
  const lossMask = place(lists.mask, names.mask, false);
  const logProbs = place(lists.logProbs, names.logProbs, undefined);
  return {
    id,
    ids,
    lossMask: lossMask ?? ids.map((_, i) => i >= prompt.length),
    ...(logProbs === undefined ? {} : { logProbs }),
    ...(Object.keys(lengths).length === 0 ? {} : { lengths }),
  };
}

/** Returns a sample with the role `padding` where the attention mask is 0, unless it states roles itself. */
export function markPadding(sample: TokenSample, attention: readonly boolean[] | undefined): TokenSample {
  if (attention === undefined || attention.every(Boolean)) return sample;
  if (attention.length !== sample.ids.length)
    return { ...sample, lengths: { ...sample.lengths, attention_mask: attention.length } };
  const roles = attention.map((isReal, i): TokenRole | undefined => (isReal ? sample.roles?.[i] : "padding"));
  return { ...sample, roles };
}
