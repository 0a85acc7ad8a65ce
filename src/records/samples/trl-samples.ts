import type { JsonObject, TokenSample } from "../../core/index.js";
import type { TokenSampleReader } from "./sample-reader.js";
import {
  joinPromptAndAnswer,
  pick,
  readCompanions,
  readIds,
  readLogProbs,
  readMask,
  markPadding,
} from "./token-fields.js";

/** Returns the product of two masks, or the one that is there; a pair of different lengths is left to be reported. */
function combine(
  first: readonly boolean[] | undefined,
  second: readonly boolean[] | undefined,
): readonly boolean[] | undefined {
  if (first === undefined || second === undefined || first.length !== second.length) return second ?? first;
  return first.map((value, i) => value && second[i]);
}

/** A supervised sample: labels are the ids themselves, -100 where the loss is not taken. */
function readLabels(record: JsonObject, ids: readonly number[], id: string): TokenSample {
  const labels = readIds(record["labels"]);
  const assistant = readMask(pick(record, "assistant_masks", "completion_mask"));
  const lossMask = labels?.map((label) => label !== -100) ?? assistant ?? ids.map(() => true);
  const targetIds =
    labels !== undefined && labels.length === ids.length
      ? labels.map((label, i) => (label === -100 ? ids[i] : label))
      : undefined;
  return { id, ids, lossMask, ...(targetIds === undefined ? {} : { targetIds }) };
}

/** Reads TRL's online samples (`prompt_ids`, `completion_ids`, `env_mask`) and supervised ones (`input_ids`, `labels`). */
export const trlSampleReader: TokenSampleReader = {
  format: "trl-samples",
  description:
    "TRL: prompt_ids, completion_ids, env_mask or tool_mask, logprobs; or input_ids with labels (-100) or assistant_masks",
  matches: (record) => Array.isArray(record["completion_ids"]) || Array.isArray(record["input_ids"]),
  read(record, id) {
    const answer = readIds(record["completion_ids"]);
    if (answer === undefined) {
      const ids = readIds(record["input_ids"]);
      if (ids === undefined) return "its ids are no list of token ids";
      return [
        markPadding({ ...readLabels(record, ids, id), ...readCompanions(record) }, readMask(record["attention_mask"])),
      ];
    }
    const mask = combine(readMask(record["completion_mask"]), readMask(pick(record, "env_mask", "tool_mask")));
    const logProbs = readLogProbs(pick(record, "logprobs", "sampling_per_token_logps", "old_per_token_logps"));
    const sample = joinPromptAndAnswer(
      id,
      readIds(record["prompt_ids"]) ?? [],
      answer,
      { mask, logProbs },
      { mask: "env_mask", logProbs: "logprobs" },
    );
    return [{ ...sample, ...readCompanions(record) }];
  },
};
