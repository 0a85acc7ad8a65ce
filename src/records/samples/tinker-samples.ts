import type { JsonValue, RecordedNumber } from "../../core/index.js";
import { getList, getObject } from "../importers/fields.js";
import { readCompanions } from "./companion-fields.js";
import type { TokenSampleReader } from "./sample-reader.js";
import { FieldTaker, readIds, readLogProbs, readWeights } from "./token-fields.js";

/** Returns the list of a tensor as `read` reads it: `{"data": […]}` or the list itself. */
function openTensor<Value>(read: (value: JsonValue) => Value | string): (value: JsonValue) => Value | string {
  return (value) => read(Array.isArray(value) ? value : (getObject(value)["data"] ?? value));
}

function readInput(value: JsonValue | undefined): readonly number[] | string {
  const ids: number[] = [];
  for (const chunk of getList(getObject(value)["chunks"])) {
    const tokens = readIds(getObject(chunk)["tokens"] ?? null);
    if (typeof tokens === "string") return "a chunk of its input holds no token ids: images cannot be audited";
    for (const token of tokens) ids.push(token);
  }
  return ids.length === 0 ? "its input holds no token" : ids;
}

/** What a datum takes the loss over: its mask, or where the advantage is not 0, or everything. */
function readTrained(inputs: FieldTaker, count: number): readonly boolean[] {
  const mask = inputs.takeEssential(["mask", "weights", "response_mask"], openTensor(readWeights));
  if (mask !== undefined) return mask;
  const advantages = inputs.takeEssential(["advantages"], openTensor(readLogProbs));
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
    const inputs = new FieldTaker(getObject(record["loss_fn_inputs"]));
    const targets = inputs.take(["target_tokens"], openTensor(readIds));
    if (targets === undefined) return "it has no target tokens";
    const lengths: { [name: string]: number } = {};
    if (targets.length !== input.length) lengths["target_tokens"] = targets.length;
    const trained = readTrained(inputs, targets.length);
    const logProbs = inputs.take(["logprobs"], openTensor(readLogProbs));
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
    const fields = new FieldTaker(record);
    const companions = readCompanions(fields);
    return [
      fields.mark(
        inputs.mark({
          id,
          ids,
          lossMask: lossMask.length === 0 ? ids.map(() => false) : lossMask,
          ...(lengths["target_tokens"] === undefined ? { targetIds: [input[0], ...targets] } : {}),
          ...(moved === undefined || moved.length === 0 ? {} : { logProbs: moved }),
          ...(Object.keys(lengths).length === 0 ? {} : { lengths }),
          ...companions,
        }),
      ),
    ];
  },
};
