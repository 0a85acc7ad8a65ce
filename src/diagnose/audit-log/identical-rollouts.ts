import { createMetricLog } from "../../core/index.js";
import { logRule, repeat } from "./log-rule.js";
import { findFiniteSeries, placeRow, showShare } from "./series.js";
import { findMetricGap, getLate } from "./windows.js";

/** Groups whose members say the same. */
export const identicalRolloutsRule = logRule({
  id: "identical-rollouts",
  severity: "error",
  description: "Finds groups whose responses are copies of each other.",
  rationale:
    "Members of a group that share a sampling seed, or are drawn at temperature 0, are one response counted many times: the group is flat and the batch smaller than it looks. Very short answers can agree by chance.",
  remedy: "Give every member of a group its own sampling seed and a temperature above 0",
  thresholds: {
    window: { default: 10, description: "updates at the end of the log that are judged" },
    maxShare: { default: 0.5, description: "share of responses that are copies" },
  },
  examples: [
    { name: "a few copies are usual", subject: createMetricLog({ duplicate_share: repeat(0.05, 12) }), messages: [] },
    {
      name: "all members of a group of 8 are the same",
      subject: createMetricLog({ duplicate_share: repeat(0.875, 12) }),
      messages: ["87.5 % of responses were copies of another one of their group in the last 10 updates"],
    },
  ],
  findGap: (log) => {
    const gap = findMetricGap(log, 1, ["duplicate_share"], "share of equal responses");
    return gap === undefined ? undefined : `${gap}: audit rollout dumps, which hold the texts`;
  },
  check(log, { window, maxShare }) {
    const series = findFiniteSeries(log, "duplicate_share");
    if (series === undefined) return [];
    const { mean, points } = getLate(series, window);
    if (mean <= maxShare) return [];
    return [
      {
        message: `${showShare(mean)} of responses were copies of another one of their group in the last ${points.length} updates`,
        place: placeRow(log, points[0].row),
        evidence: { metric: series.name, share: mean, updateCount: points.length },
      },
    ];
  },
});
