import { checkTrainedKind, exampleSample, findSampledGap, findUnknownRoleGap, maskRule } from "./mask-rule.js";

/** Assistant turns in the loss that this policy did not sample. */
export const foreignTurnTrainedRule = maskRule({
  id: "foreign-turn-trained",
  severity: "error",
  description:
    "Finds assistant tokens that the loss is taken over although the policy did not sample them in this episode.",
  rationale:
    "A mask by role trains every assistant span: examples in the prompt, turns of another policy before a replayed prefix, turns rewritten by the scaffold. They get this episode's advantage for choices nobody made. In supervised fine-tuning that is the point: disable the rule there.",
  remedy: "Mask by provenance: train only the tokens recorded by the sampler",
  thresholds: {},
  examples: [
    {
      name: "only the sampled turn is trained",
      subject: exampleSample("ask demo ask go end", { roles: "uauaa", loss: "00011", sampled: "00011" }),
      messages: [],
    },
    {
      name: "an example turn in the prompt is trained",
      subject: exampleSample("ask demo ask go end", { roles: "uauaa", loss: "01011", sampled: "00011" }),
      messages: ['1 of 3 trained tokens are assistant tokens that were not sampled, the first is token 1 ("demo")'],
    },
  ],
  findGap: (sample) =>
    findSampledGap(sample) ??
    findUnknownRoleGap(sample) ??
    (sample.roles === undefined ? "the sample states no roles" : undefined),
  check: (sample) => checkTrainedKind(sample, "foreign", "assistant tokens that were not sampled"),
});
