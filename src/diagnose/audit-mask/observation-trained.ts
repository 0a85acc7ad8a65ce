import { checkTrainedKind, exampleSample, findRoleGap, maskRule } from "./mask-rule.js";

/** Observation tokens in the loss. */
export const observationTrainedRule = maskRule({
  id: "observation-trained",
  severity: "error",
  description: "Finds tokens of tool results and later user messages that the loss is taken over.",
  rationale:
    "The env wrote them, not the policy: the policy is trained to make up tool results, and importance ratios of tokens it never sampled have no meaning.",
  remedy:
    "Set the loss mask to 0 for every token the env wrote; build the mask from what the sampler drew, not from roles in rendered text",
  thresholds: {},
  examples: [
    {
      name: "observations are masked",
      subject: exampleSample("ask look 3 doors go end", { roles: "uaooaa", loss: "010011" }),
      messages: [],
    },
    {
      name: "tool results are trained",
      subject: exampleSample("ask look 3 doors go end", { roles: "uaooaa", loss: "011111" }),
      messages: ['2 of 5 trained tokens are observation tokens, the first is token 2 ("3")'],
    },
    {
      name: "without roles, what was not sampled after the first turn is an observation",
      subject: exampleSample("ask look 3 doors go end", { loss: "011111", sampled: "010011" }),
      messages: ['2 of 5 trained tokens are observation tokens, the first is token 2 ("3")'],
    },
  ],
  findGap: findRoleGap,
  check: (sample) => checkTrainedKind(sample, "observation", "observation tokens"),
});
