import { untagNumber } from "../../core/index.js";
import { showToken, tokenFinding } from "./mask-finding.js";
import { exampleSample, maskRule } from "./mask-rule.js";

/** Trained tokens without a usable sampling log-prob. */
export const impossibleLogProbRule = maskRule({
  id: "impossible-log-prob",
  severity: "error",
  description: "Finds trained tokens whose sampling log-prob is missing, above 0, infinite or NaN.",
  rationale:
    "The importance ratio divides by the sampling probability. A token without one was most likely not sampled, and a filled-in 0 claims that it was certain. A 0 can be right for a token the policy is sure of, so only a sample whose trained tokens are all at 0 is reported.",
  remedy: "Record the sampler's log-probs with its ids, and keep tokens without one out of the loss",
  thresholds: {
    tolerance: { default: 1e-4, description: "how far above 0 rounding may put a log-prob, nats" },
  },
  examples: [
    {
      name: "every trained token has a log-prob",
      subject: exampleSample("ask go end", { loss: "011" }, { logProbs: [undefined, -0.5, -0.1] }),
      messages: [],
    },
    {
      name: "trained tokens without one",
      subject: exampleSample(
        "ask go on end",
        { loss: "0111" },
        { logProbs: [undefined, -0.5, undefined, { $number: "NaN" }] },
      ),
      messages: ['2 of 3 trained tokens have no possible sampling log-prob (1 missing), the first is token 2 ("on")'],
    },
    {
      name: "log-probs that were filled with 0",
      subject: exampleSample("ask go on end", { loss: "0111" }, { logProbs: [0, 0, 0, 0] }),
      messages: ["all 3 trained tokens have the sampling log-prob 0: it was filled in, not measured"],
    },
  ],
  findGap: ({ logProbs }) => (logProbs === undefined ? "the sample states no sampling log-probs" : undefined),
  check(sample, { tolerance }) {
    const { logProbs = [], lossMask } = sample;
    const trained = lossMask.flatMap((value, i) => (value ? [i] : []));
    const values = logProbs.map((value) => untagNumber(value));
    const wrong = trained.filter((i) => !Number.isFinite(values[i] ?? NaN) || (values[i] ?? 0) > tolerance);
    if (wrong.length > 0) {
      const missing = wrong.filter((i) => values[i] === undefined).length;
      const message = `${wrong.length} of ${trained.length} trained tokens have no possible sampling log-prob (${missing} missing), the first is token ${wrong[0]} (${showToken(sample, wrong[0])})`;
      return [tokenFinding(sample, wrong, message, { missingCount: missing })];
    }
    if (trained.length < 2 || trained.some((i) => values[i] !== 0)) return [];
    return [
      tokenFinding(
        sample,
        trained,
        `all ${trained.length} trained tokens have the sampling log-prob 0: it was filled in, not measured`,
      ),
    ];
  },
});
