import { checkTrainedKind, exampleSample, findSampledGap, maskRule } from "./mask-rule.js";

/** End tokens in the loss that were added after sampling. */
export const addedEndTrainedRule = maskRule({
  id: "added-end-trained",
  severity: "warning",
  description: "Finds end tokens after a turn that the loss is taken over although the policy did not sample them.",
  rationale:
    "When sampling stops at a limit or a stop text, the scaffold closes the turn itself. Counting that token trains a stop the policy never made, with a log-prob nobody measured, and counts a token too many.",
  remedy: "Mask end tokens that were added; let the sampler return the end token it drew",
  thresholds: {},
  examples: [
    {
      name: "the end token was sampled",
      subject: exampleSample("ask go <|im_end|>", { loss: "011", sampled: "011" }),
      messages: [],
    },
    {
      name: "the end token was added",
      subject: exampleSample("ask go on <|im_end|>", { loss: "0111", sampled: "0110" }),
      messages: [
        '1 of 3 trained tokens are end tokens that were added after sampling, the first is token 3 ("<|im_end|>")',
      ],
    },
  ],
  findGap: (sample) =>
    findSampledGap(sample) ??
    (sample.texts === undefined && sample.endIds === undefined
      ? "the sample states neither texts nor end ids: give a tokenizer or end ids"
      : undefined),
  check: (sample) => checkTrainedKind(sample, "added_end", "end tokens that were added after sampling"),
});
