import { showToken, tokenFinding } from "./mask-finding.js";
import { exampleSample, maskRule } from "./mask-rule.js";

/** Targets that are not the next tokens. */
export const targetShiftRule = maskRule({
  id: "target-shift",
  severity: "error",
  description:
    "Finds targets that differ from the tokens they stand for, as when inputs were shifted twice or not at all.",
  rationale:
    "The log-prob of a token is read one position before it. Targets that were not shifted, or shifted twice, train the policy to repeat or to skip a token, and the loss still goes down.",
  remedy: "Give targets that are the inputs shifted left by one, once: in your code or in the trainer's",
  thresholds: {},
  examples: [
    {
      name: "targets are the next tokens",
      subject: exampleSample("a b c d", { loss: "0111" }, { ids: [1, 2, 3, 4], targetIds: [1, 2, 3, 4] }),
      messages: [],
    },
    {
      name: "targets were not shifted",
      subject: exampleSample("a b c d", { loss: "0111" }, { ids: [1, 2, 3, 4], targetIds: [1, 1, 2, 3] }),
      messages: [
        '3 of 3 trained targets are not the token that follows, the first is for token 1 ("b"): they are one token late, as if they had not been shifted',
      ],
    },
    {
      name: "targets were shifted twice",
      subject: exampleSample("a b c d", { loss: "0110" }, { ids: [1, 2, 3, 4], targetIds: [1, 3, 4, 9] }),
      messages: [
        '2 of 2 trained targets are not the token that follows, the first is for token 1 ("b"): they are one token early, as if they had been shifted twice',
      ],
    },
  ],
  findGap: ({ targetIds }) => (targetIds === undefined ? "the sample states no targets apart from its ids" : undefined),
  check(sample) {
    const { ids, lossMask, targetIds = [] } = sample;
    const trained = lossMask.flatMap((value, i) => (value ? [i] : []));
    const wrong = trained.filter((i) => targetIds[i] !== ids[i]);
    if (wrong.length === 0) return [];
    const isLate = wrong.every((i) => targetIds[i] === ids[i - 1]);
    const isEarly = wrong.every((i) => targetIds[i] === ids[i + 1]);
    const why = isLate
      ? ": they are one token late, as if they had not been shifted"
      : isEarly
        ? ": they are one token early, as if they had been shifted twice"
        : "";
    const message = `${wrong.length} of ${trained.length} trained targets are not the token that follows, the first is for token ${wrong[0]} (${showToken(sample, wrong[0])})${why}`;
    return [tokenFinding(sample, wrong, message)];
  },
});
