import type { JsonObject, TokenRole, TokenSample } from "../../core/index.js";
import type { TokenSampleReader } from "./sample-reader.js";
import { joinPromptAndAnswer, pick, readCompanions, readIds, readLogProbs, readMask } from "./token-fields.js";

/** Returns a sample with the role `padding` where the attention mask is 0, unless it states roles itself. */
export function markPadding(sample: TokenSample, attention: readonly boolean[] | undefined): TokenSample {
  if (attention === undefined || attention.every(Boolean)) return sample;
  if (attention.length !== sample.ids.length) return { ...sample, lengths: { ...sample.lengths, attention_mask: attention.length } };
  const roles = attention.map((isReal, i): TokenRole | undefined => (isReal ? sample.roles?.[i] : "padding"));
  return { ...sample, roles };
}

/** Reads verl's agent loop outputs (`prompt_ids`, `response_ids`, `response_mask`) and rows of its batches (`prompts`, `responses`). */
export const verlSampleReader: TokenSampleReader = {
  format: "verl-samples",
  description: "verl: prompt_ids, response_ids, response_mask, response_logprobs; or prompts, responses, attention_mask, response_mask",
  matches: (record) => pick(record, "response_ids", "responses") !== undefined && typeof pick(record, "responses") !== "string",
  read(record: JsonObject, id) {
    const prompt = readIds(pick(record, "prompt_ids", "prompts")) ?? [];
    const answer = readIds(pick(record, "response_ids", "responses"));
    if (answer === undefined) return "its response ids are no list of token ids";
    const mask = readMask(pick(record, "response_mask", "loss_mask"));
    const logProbs = readLogProbs(pick(record, "response_logprobs", "rollout_log_probs", "old_log_probs"));
    const sample = joinPromptAndAnswer(id, prompt, answer, { mask, logProbs }, { mask: "response_mask", logProbs: "response_logprobs" });
    return [markPadding({ ...sample, ...readCompanions(record) }, readMask(record["attention_mask"]))];
  },
};
