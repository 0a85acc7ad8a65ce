import { tokenFinding } from "./mask-finding.js";
import { exampleSample, findRoleGap, maskRule } from "./mask-rule.js";
import { findPresumedSampled, listSpans } from "./provenance.js";

/** Sampled turns that are not trained. */
export const spansLeftOutRule = maskRule({
  id: "spans-left-out",
  severity: "warning",
  description: "Finds samples in which some sampled turns are not trained at all: most often all but the last one.",
  rationale:
    "Masks made for one answer keep only the last assistant span, so that the decisions that led there are never trained. Where each turn is a row of its own, leaving out earlier turns is right: disable the rule there. A sample without any trained token costs its rollout for nothing.",
  remedy: "Train every turn the policy sampled; where rows hold one turn each, check that every turn has its row",
  thresholds: {},
  examples: [
    {
      name: "both turns are trained",
      subject: exampleSample("ask look door go end", { roles: "uaoaa", loss: "01011" }),
      messages: [],
    },
    {
      name: "only the last turn is trained",
      subject: exampleSample("ask look door go end", { roles: "uaoaa", loss: "00011" }),
      messages: ["only the last of 2 sampled turns is trained"],
    },
    {
      name: "the middle turn is left out",
      subject: exampleSample("ask a door b door c", { roles: "uaoaoa", loss: "010001" }),
      messages: ["1 of 3 sampled turns are not trained"],
    },
    {
      name: "nothing is trained",
      subject: exampleSample("ask look end", { roles: "uaa", loss: "000" }),
      messages: ["none of 1 sampled turns is trained"],
    },
  ],
  findGap: findRoleGap,
  check(sample) {
    const spans = listSpans(findPresumedSampled(sample) ?? []);
    const left = spans.filter(({ start, end }) => !sample.lossMask.slice(start, end).includes(true));
    if (left.length === 0) return [];
    const isLastOnly = left.length === spans.length - 1 && left.at(-1) !== spans.at(-1);
    const message =
      left.length === spans.length
        ? `none of ${spans.length} sampled turns is trained`
        : isLastOnly
          ? `only the last of ${spans.length} sampled turns is trained`
          : `${left.length} of ${spans.length} sampled turns are not trained`;
    return [
      tokenFinding(
        sample,
        left.map(({ start }) => start),
        message,
        { spanCount: spans.length, leftOutCount: left.length },
      ),
    ];
  },
});
