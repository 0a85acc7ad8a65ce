import type { JsonObject } from "../../core/index.js";
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

/** Reads verl's agent loop outputs (`prompt_ids`, `response_ids`, `response_mask`) and rows of its batches (`prompts`, `responses`). */
export const verlSampleReader: TokenSampleReader = {
  format: "verl-samples",
  description:
    "verl: prompt_ids, response_ids, response_mask, response_logprobs; or prompts, responses, attention_mask, response_mask",
  matches: (record) =>
    pick(record, "response_ids", "responses") !== undefined && typeof pick(record, "responses") !== "string",
  read(record: JsonObject, id) {
    const prompt = readIds(pick(record, "prompt_ids", "prompts")) ?? [];
    const answer = readIds(pick(record, "response_ids", "responses"));
    if (answer === undefined) return "its response ids are no list of token ids";
    const mask = readMask(pick(record, "response_mask", "loss_mask"));
    const logProbs = readLogProbs(pick(record, "response_logprobs", "rollout_log_probs", "old_log_probs"));
    const sample = joinPromptAndAnswer(
      id,
      prompt,
      answer,
      { mask, logProbs },
      { mask: "response_mask", logProbs: "response_logprobs" },
    );
    return [markPadding({ ...sample, ...readCompanions(record) }, readMask(record["attention_mask"]))];
  },
};
