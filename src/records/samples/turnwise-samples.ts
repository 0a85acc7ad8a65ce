import { getName } from "../importers/fields.js";
import { readCompanions } from "./companion-fields.js";
import type { TokenSampleReader } from "./sample-reader.js";
import { FieldTaker, readIds, readLogProbs, readMask } from "./token-fields.js";

/** Reads samples in turnwise's own form, which any trainer can write with a few lines. */
export const turnwiseSampleReader: TokenSampleReader = {
  format: "turnwise-samples",
  description:
    "any trainer: ids, lossMask, and what is known of actionMask, logProbs, roles, texts, turns, denominator",
  matches: (record) =>
    Array.isArray(record["ids"]) && (record["lossMask"] !== undefined || record["loss_mask"] !== undefined),
  read(record, id) {
    const fields = new FieldTaker(record);
    const ids = fields.take(["ids"], readIds);
    if (ids === undefined) return "its ids are no list of token ids";
    if (record["lossMask"] === undefined && record["loss_mask"] === undefined) return "it states no lossMask";
    const lossMask = fields.takeEssential(["lossMask", "loss_mask"], readMask);
    const logProbs = fields.take(["logProbs", "logprobs"], readLogProbs);
    const targetIds = fields.take(["targetIds", "target_ids"], readIds);
    const sample = {
      id: getName(record["id"]) ?? id,
      ids,
      lossMask: lossMask ?? ids.map(() => false),
      ...(logProbs === undefined ? {} : { logProbs }),
      ...(targetIds === undefined ? {} : { targetIds }),
      ...readCompanions(fields),
    };
    return [fields.mark(sample)];
  },
};
