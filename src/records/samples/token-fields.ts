// internal
import type { JsonObject, JsonValue, RecordedNumber, SampledTurn, TokenRole, TokenSample } from "../../core/index.js";
import { getCount, getFlag, getList, getNumber, getObject, getRecordedNumber } from "../importers/fields.js";

/** Returns the first field that is there. */
export function pick(record: JsonObject, ...names: readonly string[]): JsonValue | undefined {
  const name = names.find((candidate) => record[candidate] !== undefined && record[candidate] !== null);
  return name === undefined ? undefined : record[name];
}

/** Returns a list of token ids; `undefined` when it is no list or holds anything but whole numbers. A batch of one is opened. */
export function readIds(value: JsonValue | undefined): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const list = getList(value);
  if (list.length === 1 && Array.isArray(list[0])) return readIds(list[0] as JsonValue); // a list inside JSON is JSON
  return list.every((id) => typeof id === "number" && Number.isInteger(id)) ? (list as readonly number[]) : undefined; // just checked
}

/** Returns a mask of 0 and 1, truth values, or weights (above 0 is trained); `undefined` when it is no such list. */
export function readMask(value: JsonValue | undefined): readonly boolean[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const list = getList(value);
  if (list.length === 1 && Array.isArray(list[0])) return readMask(list[0] as JsonValue); // a list inside JSON is JSON
  return list.every((entry) => typeof entry === "number" || typeof entry === "boolean")
    ? list.map((entry) => entry === true || (typeof entry === "number" && entry !== 0))
    : undefined;
}

/** Returns log-probs, absent where the list holds null; `undefined` when it is no list. */
export function readLogProbs(value: JsonValue | undefined): readonly (RecordedNumber | undefined)[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const list = getList(value);
  if (list.length === 1 && Array.isArray(list[0])) return readLogProbs(list[0] as JsonValue); // a list inside JSON is JSON
  return list.map((entry) => getRecordedNumber(entry));
}

const roleNames: { readonly [name: string]: TokenRole } = {
  system: "system",
  developer: "system",
  user: "user",
  assistant: "assistant",
  model: "assistant",
  tool: "tool",
  observation: "tool",
  environment: "tool",
  template: "template",
  padding: "padding",
  pad: "padding",
};

/** Returns the role a tool's word stands for. */
export function readRole(value: JsonValue | undefined): TokenRole | undefined {
  return typeof value === "string" && Object.hasOwn(roleNames, value) ? roleNames[value] : undefined;
}

function readTurn(value: JsonValue): SampledTurn | undefined {
  const turn = getObject(value);
  const ids = readIds(pick(turn, "ids", "completion_ids", "response_ids", "token_ids", "tokens"));
  if (ids === undefined) return undefined;
  const promptIds = readIds(pick(turn, "promptIds", "prompt_ids"));
  const reason = pick(turn, "stopped", "stop_reason", "finish_reason");
  const stopped =
    reason === "limit" || reason === "length"
      ? "limit"
      : reason === "stop" || reason === "end_token"
        ? "end_token"
        : undefined;
  return { ids, ...(promptIds === undefined ? {} : { promptIds }), ...(stopped === undefined ? {} : { stopped }) };
}

/** The fields that any tool's record can carry beside its own: what the sampler recorded, roles, texts, the divisor. */
export function readCompanions(record: JsonObject): Partial<TokenSample> {
  const actionMask = readMask(pick(record, "actionMask", "action_mask"));
  const roles = Array.isArray(record["roles"]) ? getList(record["roles"]).map(readRole) : undefined;
  const texts = pick(record, "texts", "token_texts", "token_strings");
  const turns = getList(pick(record, "turns", "sampled_turns")).flatMap((turn) => readTurn(turn) ?? []);
  const endIds =
    readIds(pick(record, "endIds", "end_ids", "eos_token_ids")) ??
    (getCount(record["eos_token_id"]) === undefined ? undefined : [getCount(record["eos_token_id"]) ?? 0]);
  const templateIds = readIds(pick(record, "templateIds", "template_ids"));
  const denominator = getNumber(pick(record, "denominator", "loss_denominator", "num_loss_tokens"));
  const isTruncated = getFlag(pick(record, "isTruncated", "is_truncated", "truncated"));
  return {
    ...(actionMask === undefined ? {} : { actionMask }),
    ...(roles === undefined ? {} : { roles }),
    ...(Array.isArray(texts) ? { texts: getList(texts).map(String) } : {}),
    ...(turns.length === 0 ? {} : { turns }),
    ...(endIds === undefined ? {} : { endIds }),
    ...(templateIds === undefined ? {} : { templateIds }),
    ...(denominator === undefined ? {} : { denominator }),
    ...(isTruncated === undefined ? {} : { isTruncated }),
  };
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
