import type { TokenSample } from "../../core/index.js";
import { readCompanions } from "./companion-fields.js";
import type { TokenSampleReader } from "./sample-reader.js";
import { FieldTaker, joinPromptAndAnswer, markPadding, readIds, readLogProbs, readMask } from "./token-fields.js";

/** Returns the product of two masks, or the one that is there; a pair of different lengths is left to be reported. */
function combine(
  first: readonly boolean[] | undefined,
  second: readonly boolean[] | undefined,
): readonly boolean[] | undefined {
  if (first === undefined || second === undefined || first.length !== second.length) return second ?? first;
  return first.map((value, i) => value && second[i]);
}

/** A supervised sample: labels are the ids themselves, -100 where the loss is not taken. */
function readLabels(fields: FieldTaker, ids: readonly number[], id: string): TokenSample {
  const labels = fields.takeEssential(["labels"], readIds);
  const assistant = fields.takeEssential(["assistant_masks", "completion_mask"], readMask);
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
    const fields = new FieldTaker(record);
    if (record["completion_ids"] === undefined || record["completion_ids"] === null) {
      const ids = fields.take(["input_ids"], readIds);
      if (ids === undefined) return "its ids are no list of token ids";
      const labelled = { ...readLabels(fields, ids, id), ...readCompanions(fields) };
      return [fields.mark(markPadding(labelled, fields.take(["attention_mask"], readMask)))];
    }
    const answer = fields.take(["completion_ids"], readIds);
    if (answer === undefined) return "its completion ids are no list of token ids";
    const mask = combine(
      fields.takeEssential(["completion_mask"], readMask),
      fields.takeEssential(["env_mask", "tool_mask"], readMask),
    );
    const logProbs = fields.take(["logprobs", "sampling_per_token_logps", "old_per_token_logps"], readLogProbs);
    const sample = joinPromptAndAnswer(
      id,
      fields.takeEssential(["prompt_ids"], readIds) ?? [],
      answer,
      { mask, logProbs },
      { mask: "env_mask", logProbs: "logprobs" },
    );
    return [fields.mark({ ...sample, ...readCompanions(fields) })];
  },
};
