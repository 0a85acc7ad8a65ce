import type { JsonObject, JsonValue, RecordedNumber } from "../../core/index.js";
import { getList, getObject, getRecordedNumber } from "../importers/fields.js";
import type { TokenSampleReader } from "./sample-reader.js";
import { pick, readCompanions, readIds, readMask } from "./token-fields.js";

/** Returns the flat list of a tensor: `{"data": […]}` or the list itself. */
function readTensor(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (Array.isArray(value)) return getList(value);
  const { data } = getObject(value);
  return Array.isArray(data) ? getList(data) : undefined;
}

function readInput(value: JsonValue | undefined): readonly number[] | string {
  const chunks = getList(getObject(value)["chunks"]);
  const ids: number[] = [];
  for (const chunk of chunks) {
    const tokens = readIds(getObject(chunk)["tokens"]);
    if (tokens === undefined) return "a chunk of its input holds no token ids: images cannot be audited";
    for (const token of tokens) ids.push(token);
  }
  return ids.length === 0 ? "its input holds no token" : ids;
}

/** What a datum takes the loss over: its mask, or where the advantage is not 0, or everything. */
function readTrained(inputs: JsonObject, count: number): readonly boolean[] {
  const mask = readMask(readTensor(pick(inputs, "mask", "weights", "response_mask")));
  if (mask !== undefined) return mask;
  const advantages = readTensor(inputs["advantages"]);
  return advantages === undefined ? Array.from({ length: count }, () => true) : advantages.map((value) => value !== 0);
}

/** Reads Tinker's `Datum`: inputs, and targets that are the inputs shifted left by one, with lists beside the targets. */
export const tinkerSampleReader: TokenSampleReader = {
  format: "tinker-datum",
  description:
    "Tinker: Datum with model_input.chunks and loss_fn_inputs (target_tokens, logprobs, advantages, mask or weights)",
  matches: (record) => record["model_input"] !== undefined && record["loss_fn_inputs"] !== undefined,
  read(record, id) {
    const input = readInput(record["model_input"]);
    if (typeof input === "string") return input;
    const inputs = getObject(record["loss_fn_inputs"]);
    const targets = readIds(readTensor(inputs["target_tokens"]));
    if (targets === undefined) return "it has no target tokens";
    const lengths: { [name: string]: number } = {};
    if (targets.length !== input.length) lengths["target_tokens"] = targets.length;
    const trained = readTrained(inputs, targets.length);
    const logProbs = readTensor(inputs["logprobs"])?.map((value) => getRecordedNumber(value));
    // Target i is the token after input i, so everything beside targets moves one to the right.
    const ids = [...input, targets[input.length - 1] ?? input[input.length - 1]];
    const move = <Entry>(list: readonly Entry[], name: string, first: Entry): readonly Entry[] => {
      if (list.length === targets.length) return [first, ...list];
      lengths[name] = list.length;
      return [];
    };
    const lossMask = move(trained, "mask", false);
    const moved =
      logProbs === undefined ? undefined : move<RecordedNumber | undefined>(logProbs, "logprobs", undefined);
    return [
      {
        id,
        ids,
        lossMask: lossMask.length === 0 ? ids.map(() => false) : lossMask,
        ...(lengths["target_tokens"] === undefined ? { targetIds: [input[0], ...targets] } : {}),
        ...(moved === undefined || moved.length === 0 ? {} : { logProbs: moved }),
        ...(Object.keys(lengths).length === 0 ? {} : { lengths }),
        ...readCompanions(record),
      },
    ];
  },
};
