import type { JsonObject } from "../../core/index.js";
import { readCompanions } from "./companion-fields.js";
import type { TokenSampleReader } from "./sample-reader.js";
import { FieldTaker, joinPromptAndAnswer, markPadding, pick, readIds, readLogProbs, readMask } from "./token-fields.js";

/** Reads verl's agent loop outputs (`prompt_ids`, `response_ids`, `response_mask`) and rows of its batches (`prompts`, `responses`). */
export const verlSampleReader: TokenSampleReader = {
  format: "verl-samples",
  description:
    "verl: prompt_ids, response_ids, response_mask, response_logprobs; or prompts, responses, attention_mask, response_mask",
  matches: (record) =>
    pick(record, "response_ids", "responses") !== undefined && typeof pick(record, "responses") !== "string",
  read(record: JsonObject, id) {
    const fields = new FieldTaker(record);
    const answer = fields.take(["response_ids", "responses"], readIds);
    if (answer === undefined) return "its response ids are no list of token ids";
    const prompt = fields.takeEssential(["prompt_ids", "prompts"], readIds) ?? [];
    const mask = fields.takeEssential(["response_mask", "loss_mask"], readMask);
    const logProbs = fields.take(["response_logprobs", "rollout_log_probs", "old_log_probs"], readLogProbs);
    const sample = joinPromptAndAnswer(
      id,
      prompt,
      answer,
      { mask, logProbs },
      { mask: "response_mask", logProbs: "response_logprobs" },
    );
    const padded = markPadding({ ...sample, ...readCompanions(fields) }, fields.take(["attention_mask"], readMask));
    return [fields.mark(padded)];
  },
};
