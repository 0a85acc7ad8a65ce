import { checkTrainedKind, exampleSample, maskRule } from "./mask-rule.js";

/** Tokens of the chat template in the loss. */
export const templateTrainedRule = maskRule({
  id: "template-trained",
  severity: "error",
  description:
    "Finds tokens of the chat template that the loss is taken over: role markers, role names, the line breaks around them.",
  rationale:
    "The server writes them, the policy never samples them; training on them moves probability for nothing and, next to a turn's start, shifts what the policy begins with. They are known by role, by the ids given as template ids, or by text.",
  remedy: "Build the mask from the sampled ids; do not find turns by role markers in re-rendered text",
  thresholds: {},
  examples: [
    {
      name: "the header is masked",
      subject: exampleSample("<|im_start|> assistant NL go <|im_end|> NL", { loss: "000110", sampled: "000110" }),
      messages: [],
    },
    {
      name: "a mask built from role markers trains header, line break and the next marker",
      subject: exampleSample(
        "<|im_start|> assistant NL 200 201 <|im_end|> NL <|im_start|> assistant NL 202 <|im_end|> NL",
        { loss: "0111111111111", sampled: "0001110000110" },
      ),
      messages: ['7 of 12 trained tokens are written by the chat template, the first is token 1 ("assistant")'],
    },
    {
      name: "template ids given by their role",
      subject: exampleSample("x ask y go end", { roles: "tutaa", loss: "00111" }),
      messages: ['1 of 3 trained tokens are written by the chat template, the first is token 2 ("y")'],
    },
  ],
  findGap: ({ roles, texts, templateIds }) =>
    roles === undefined && texts === undefined && templateIds === undefined
      ? "the sample states neither texts, roles nor template ids: give a tokenizer or template ids"
      : undefined,
  check: (sample) => checkTrainedKind(sample, "template", "written by the chat template"),
});
