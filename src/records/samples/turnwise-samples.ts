import { getName } from "../importers/fields.js";
import type { TokenSampleReader } from "./sample-reader.js";
import { pick, readCompanions, readIds, readLogProbs, readMask } from "./token-fields.js";

/** Reads samples in turnwise's own form, which any trainer can write with a few lines. */
export const turnwiseSampleReader: TokenSampleReader = {
  format: "turnwise-samples",
  description:
    "any trainer: ids, lossMask, and what is known of actionMask, logProbs, roles, texts, turns, denominator",
  matches: (record) =>
    Array.isArray(record["ids"]) && (Array.isArray(record["lossMask"]) || Array.isArray(record["loss_mask"])),
  read(record, id) {
    const ids = readIds(record["ids"]);
    const lossMask = readMask(pick(record, "lossMask", "loss_mask"));
    if (ids === undefined) return "its ids are no list of token ids";
    if (lossMask === undefined) return "its loss mask is no list of 0 and 1";
    const logProbs = readLogProbs(pick(record, "logProbs", "logprobs"));
    const targetIds = readIds(pick(record, "targetIds", "target_ids"));
    return [
      {
        id: getName(record["id"]) ?? id,
        ids,
        lossMask,
        ...(logProbs === undefined ? {} : { logProbs }),
        ...(targetIds === undefined ? {} : { targetIds }),
        ...readCompanions(record),
      },
    ];
  },
};
