import { showToken, tokenFinding } from "./mask-finding.js";
import { exampleSample, findRoleGap, maskRule } from "./mask-rule.js";
import { findPresumedSampled, listSpans } from "./provenance.js";
import { isEndToken } from "./special-tokens.js";

/** End tokens that were sampled and are not trained. */
export const endTokenMaskedRule = maskRule({
  id: "end-token-masked",
  severity: "error",
  description: "Finds turns whose sampled end token is not trained while the rest is.",
  rationale:
    "The decision to stop is never reinforced or discouraged, so length drifts until every response is cut. It happens where the end token doubles as padding and is masked with it.",
  remedy:
    "Keep the end token the policy drew in the loss mask; use a padding id of its own, or mask padding by position",
  thresholds: {},
  examples: [
    {
      name: "the end token is trained",
      subject: exampleSample("ask go <|im_end|>", { roles: "uaa", loss: "011" }),
      messages: [],
    },
    {
      name: "the end token is masked",
      subject: exampleSample("ask go on <|im_end|>", { roles: "uaaa", loss: "0110" }),
      messages: ['the end token is not trained in 1 of 1 turns, the first is token 3 ("<|im_end|>")'],
    },
    {
      name: "with the end id given instead of texts",
      subject: {
        ...exampleSample("ask go on end", { sampled: "0111", loss: "0110" }),
        texts: undefined,
        endIds: [103],
      },
      messages: ["the end token is not trained in 1 of 1 turns, the first is token 3 (id 103)"],
    },
  ],
  findGap: (sample) =>
    findRoleGap(sample) ??
    (sample.texts === undefined && sample.endIds === undefined
      ? "the sample states neither texts nor end ids: give a tokenizer or end ids"
      : undefined),
  check(sample) {
    const spans = listSpans(findPresumedSampled(sample) ?? []);
    const positions = spans.flatMap(({ start, end }) => {
      const last = end - 1;
      return end - start > 1 && isEndToken(sample, last) && !sample.lossMask[last] && sample.lossMask[last - 1]
        ? [last]
        : [];
    });
    if (positions.length === 0) return [];
    const message = `the end token is not trained in ${positions.length} of ${spans.length} turns, the first is token ${positions[0]} (${showToken(sample, positions[0])})`;
    return [tokenFinding(sample, positions, message)];
  },
});
