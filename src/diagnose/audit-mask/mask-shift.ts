import type { RuleFinding, TokenSample } from "../../core/index.js";
import { tokenFinding, showToken } from "./mask-finding.js";
import { exampleSample, findRoleGap, maskRule } from "./mask-rule.js";
import { findPresumedSampled, listSpans, type Span } from "./provenance.js";
import { isEndToken } from "./special-tokens.js";

type Fit = "exact" | "early" | "late" | "first_missing" | "last_missing" | "other";

/** Returns how the loss mask lies on one sampled span. */
function judgeSpan({ ids, lossMask }: TokenSample, { start, end }: Span): Fit {
  const isInside = lossMask.slice(start + 1, end - 1).every(Boolean);
  if (!isInside) return "other";
  const [before, first, last, after] = [lossMask[start - 1], lossMask[start], lossMask[end - 1], lossMask[end]].map(
    (value) => value === true,
  );
  if (first && last) return "exact";
  if (end - start < 2) return before ? "early" : after ? "late" : "other";
  if (!last && first) return before ? "early" : end === ids.length ? "last_missing" : after ? "other" : "last_missing";
  if (!first && last) return after || end === ids.length ? "late" : "first_missing";
  return "other";
}

function checkShift(
  sample: TokenSample,
  spans: readonly Span[],
  fits: readonly Fit[],
  fit: "early" | "late",
): RuleFinding[] {
  const shifted = spans.filter((_, i) => fits[i] === fit);
  // The last span of a sequence cannot run over its end, so a late shift looks like a missing first token there.
  const isCertain = fit === "early" || spans.some(({ end }, i) => fits[i] === "late" && end < sample.ids.length);
  if (shifted.length === 0 || !isCertain) return [];
  const positions = shifted.map(({ start }) => (fit === "early" ? start - 1 : start));
  const side =
    fit === "early"
      ? "early: the token before each span is trained and its last is not"
      : "late: the first token of each span is not trained and the token after it is";
  return [
    tokenFinding(
      sample,
      positions,
      `the loss mask lies one token too ${side}, in ${shifted.length} of ${spans.length} spans`,
      { spanCount: shifted.length },
    ),
  ];
}

function checkEdge(sample: TokenSample, spans: readonly Span[], fits: readonly Fit[], isFirst: boolean): RuleFinding[] {
  const isCertain = fits.some((fit, i) => fit === "late" && spans[i].end < sample.ids.length);
  const positions = spans.flatMap(({ start, end }, i) => {
    if (isFirst) return fits[i] === "first_missing" || (fits[i] === "late" && !isCertain) ? [start] : [];
    return fits[i] === "last_missing" && !isEndToken(sample, end - 1) ? [end - 1] : [];
  });
  if (positions.length === 0) return [];
  const message = `the ${isFirst ? "first" : "last"} sampled token is not trained in ${positions.length} of ${spans.length} spans, the first is token ${positions[0]} (${showToken(sample, positions[0])})`;
  return [tokenFinding(sample, positions, message)];
}

/** A loss mask that is off by one at the boundaries of what was sampled. */
export const maskShiftRule = maskRule({
  id: "mask-shift",
  severity: "error",
  description: "Finds a loss mask that lies one token beside the sampled tokens.",
  rationale:
    "A mask made for inputs and used for targets, or the reverse, trains the token before every turn and leaves out its last, which is the end token: the policy unlearns to stop. Where only roles are known, the assistant's tokens stand for what was sampled.",
  remedy:
    "Keep one convention: entry i of the mask is about predicting token i; shift mask, log-probs and advantages together when inputs and targets are split",
  thresholds: {},
  examples: [
    {
      name: "the mask lies on the sampled tokens",
      subject: exampleSample("ask go on end look stop end", { loss: "0111011", sampled: "0111011" }),
      messages: [],
    },
    {
      name: "one token early",
      subject: exampleSample("ask go on end look stop end", { loss: "1110110", sampled: "0111011" }),
      messages: [
        "the loss mask lies one token too early: the token before each span is trained and its last is not, in 2 of 2 spans",
      ],
    },
    {
      name: "one token late",
      subject: exampleSample("ask go on end look stop end", { loss: "0011101", sampled: "0111011" }),
      messages: [
        "the loss mask lies one token too late: the first token of each span is not trained and the token after it is, in 2 of 2 spans",
      ],
    },
    {
      name: "the first token of each turn is left out",
      subject: exampleSample("ask go on end look stop now end", { loss: "00110011", sampled: "01110111" }),
      messages: ['the first sampled token is not trained in 2 of 2 spans, the first is token 1 ("go")'],
    },
    {
      name: "the last token of a turn is left out",
      subject: exampleSample("ask go on far look", { loss: "01100", sampled: "01110" }),
      messages: ['the last sampled token is not trained in 1 of 1 spans, the first is token 3 ("far")'],
    },
  ],
  findGap: findRoleGap,
  check(sample) {
    const spans = listSpans(findPresumedSampled(sample) ?? []);
    const fits = spans.map((span) => judgeSpan(sample, span));
    return [
      ...checkShift(sample, spans, fits, "early"),
      ...checkShift(sample, spans, fits, "late"),
      ...checkEdge(sample, spans, fits, true),
      ...checkEdge(sample, spans, fits, false),
    ];
  },
});
