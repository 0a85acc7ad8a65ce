import { tokenFinding } from "./mask-finding.js";
import { exampleSample, maskRule } from "./mask-rule.js";

/** A loss whose sum and divisor count different tokens. */
export const lossDenominatorRule = maskRule({
  id: "loss-denominator",
  severity: "warning",
  description: "Finds samples whose loss is summed over one number of tokens and divided by another.",
  rationale:
    "Truncation and filtering take tokens out of the sum and forget the divisor, or the reverse; the sample then weighs more or less than others for no reason. A fixed divisor for all samples is sound: state none for the sample, or disable the rule.",
  remedy: "Count trained tokens after cutting and filtering, with the same mask the sum uses",
  thresholds: {},
  examples: [
    {
      name: "sum and divisor agree",
      subject: exampleSample("ask go end", { loss: "011" }, { denominator: 2 }),
      messages: [],
    },
    {
      name: "a cut sample divided by its length before the cut",
      subject: exampleSample("ask go on", { loss: "011" }, { denominator: 5, isTruncated: true }),
      messages: ["the loss is summed over 2 tokens and divided by 5, in a truncated sample"],
    },
    {
      name: "a truncated sample that is masked but still counted",
      subject: exampleSample("ask go on", { loss: "000" }, { denominator: 2, isTruncated: true }),
      messages: ["the loss is summed over 0 tokens and divided by 2, in a truncated sample"],
    },
  ],
  findGap: ({ denominator }) =>
    denominator === undefined ? "the sample does not state what its loss is divided by" : undefined,
  check(sample) {
    const { denominator = 0, lossMask, isTruncated } = sample;
    const trained = lossMask.flatMap((value, i) => (value ? [i] : []));
    if (trained.length === denominator) return [];
    const message = `the loss is summed over ${trained.length} tokens and divided by ${denominator}${isTruncated === true ? ", in a truncated sample" : ""}`;
    return [tokenFinding(sample, trained.slice(-1), message, { trainedCount: trained.length, denominator })];
  },
});
