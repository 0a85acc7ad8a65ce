import { checkTrainedKind, exampleSample, maskRule } from "./mask-rule.js";

/** Padding in the loss. */
export const paddingTrainedRule = maskRule({
  id: "padding-trained",
  severity: "error",
  description: "Finds padding that the loss is taken over.",
  rationale:
    "Padding fills a batch; its predictions mean nothing, and the number of trained tokens then depends on the longest sample of the batch.",
  remedy: "Multiply the loss mask with the attention mask before summing and before counting",
  thresholds: {},
  examples: [
    {
      name: "padding is masked",
      subject: exampleSample("ask go end pad pad", { roles: "uaapp", loss: "01100" }),
      messages: [],
    },
    {
      name: "padding is trained",
      subject: exampleSample("ask go end pad pad", { roles: "uaapp", loss: "01111" }),
      messages: ['2 of 4 trained tokens are padding, the first is token 3 ("pad")'],
    },
  ],
  findGap: ({ roles }) => (roles?.includes("padding") === true ? undefined : "the sample states no padding"),
  check: (sample) => checkTrainedKind(sample, "padding", "padding"),
});
