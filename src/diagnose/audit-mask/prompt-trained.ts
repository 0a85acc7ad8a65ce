import { checkTrainedKind, exampleSample, findRoleGap, maskRule } from "./mask-rule.js";

/** Prompt tokens in the loss. */
export const promptTrainedRule = maskRule({
  id: "prompt-trained",
  severity: "error",
  description: "Finds prompt tokens that the loss is taken over.",
  rationale:
    "The policy is trained to write its own tasks; with reinforcement learning the prompt even gets the episode's advantage. Pre-training on prompts can be wanted in supervised fine-tuning: disable the rule there.",
  remedy: "Set the loss mask to 0 for everything before the first sampled token",
  thresholds: {},
  examples: [
    {
      name: "only the answer is trained",
      subject: exampleSample("be kind ask go end", { roles: "ssuaa", loss: "00011" }),
      messages: [],
    },
    {
      name: "the prompt is trained too",
      subject: exampleSample("be kind ask go end", { roles: "ssuaa", loss: "11111" }),
      messages: ['3 of 5 trained tokens are prompt tokens, the first is token 0 ("be")'],
    },
  ],
  findGap: findRoleGap,
  check: (sample) => checkTrainedKind(sample, "prompt", "prompt tokens"),
});
