import type { Rule, TokenSample } from "../../core/index.js";
import { findLengthFaults } from "./length-faults.js";
import { tokenFinding } from "./mask-finding.js";
import { exampleSample } from "./mask-rule.js";

/** Samples that teach nothing. */
export const nothingTrainedRule: Rule<TokenSample> = {
  id: "nothing-trained",
  severity: "note",
  description: "Finds samples without a token, or whose loss mask is 0 everywhere.",
  rationale:
    "Such a sample has no gradient, but still counts where losses are averaged over samples. Masking a truncated or filtered sample is often meant; many of them are not.",
  remedy: "Leave such samples out of the batch, or find out what emptied them",
  thresholds: {},
  examples: [
    { name: "one token is trained", subject: exampleSample("ask go", { loss: "01" }), messages: [] },
    {
      name: "a mask that is 0 everywhere",
      subject: exampleSample("ask go end", { loss: "000" }),
      messages: ["none of the 3 tokens is trained: the sample has no gradient"],
    },
    {
      name: "a sample without tokens",
      subject: { id: "sample", ids: [], lossMask: [] },
      messages: ["the sample holds no token"],
    },
  ],
  findGap: (sample) =>
    findLengthFaults(sample).length > 0 || sample.unusable?.some(({ isEssential }) => isEssential === true) === true
      ? "the loss mask cannot be used"
      : undefined,
  check(sample) {
    const { ids, lossMask } = sample;
    if (lossMask.includes(true)) return [];
    const message =
      ids.length === 0
        ? "the sample holds no token"
        : `none of the ${ids.length} tokens is trained: the sample has no gradient`;
    return [tokenFinding(sample, [], message)];
  },
};
