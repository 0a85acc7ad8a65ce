import { createMetricLog } from "../../core/index.js";
import { logRule, repeat } from "./log-rule.js";
import { findFiniteSeries, placeRow, showShare } from "./series.js";
import { findMetricGap, getLate } from "./windows.js";

/** Responses that are cut at the length limit. */
export const clippedResponsesRule = logRule({
  id: "clipped-responses",
  severity: "warning",
  description: "Finds responses that are cut at the length limit, up to all of them.",
  rationale:
    "A cut response never submits, so its reward is that of a failure whatever it would have said; where cut responses are masked, a share of 1 leaves nothing to train on. A share near 1 can also mean that the end token is never drawn or never trained.",
  remedy:
    "Raise the length limit (it covers tool results too in most trainers), check that the end token is trained and stops sampling, or penalise length softly",
  thresholds: {
    window: { default: 10, description: "updates at the end of the log that are judged" },
    maxShare: { default: 0.3, description: "share of cut responses for a warning" },
    errorShare: { default: 0.95, description: "share of cut responses for an error" },
  },
  examples: [
    {
      name: "a few cut responses are usual",
      subject: createMetricLog({ clipped_share: repeat(0.05, 20) }),
      messages: [],
    },
    {
      name: "a third is cut",
      subject: createMetricLog({ clipped_share: repeat(0.4, 20) }),
      messages: ['40 % of responses were cut at the length limit in the last 10 updates ("clipped_share")'],
    },
    {
      name: "every response is cut",
      subject: createMetricLog({ clipped_share: [...repeat(0.1, 5), ...repeat(1, 12)] }),
      messages: ['100 % of responses were cut at the length limit in the last 10 updates ("clipped_share")'],
    },
  ],
  findGap: (log) => findMetricGap(log, 1, ["clipped_share"], "share of responses cut at the length limit"),
  check(log, { window, maxShare, errorShare }) {
    const series = findFiniteSeries(log, "clipped_share");
    if (series === undefined) return [];
    const { mean, points } = getLate(series, window);
    if (mean <= maxShare) return [];
    return [
      {
        severity: mean >= errorShare ? "error" : "warning",
        message: `${showShare(mean)} of responses were cut at the length limit in the last ${points.length} updates ("${series.name}")`,
        place: placeRow(log, points[0].row),
        evidence: { metric: series.name, share: mean, updateCount: points.length },
      },
    ];
  },
});
