import { createMetricLog } from "../../core/index.js";
import { logRule, repeat } from "./log-rule.js";
import { findFiniteSeries, placeRow, showShare } from "./series.js";
import { findMetricGap, getLate } from "./windows.js";

/** Responses caught in a loop. */
export const loopsRule = logRule({
  id: "loops",
  severity: "warning",
  description: "Finds responses that repeat themselves.",
  rationale:
    "Loops are how a collapsing policy looks in its text; they fill the context and, when cut at the limit, are trained as they are. In rollout dumps a response counts when half of its runs of 8 words occurred earlier in it. Long tables and code can repeat with good reason.",
  remedy:
    "Read such responses; lower the learning rate or return to a checkpoint from before they began; end an episode when the same action repeats",
  thresholds: {
    window: { default: 10, description: "updates at the end of the log that are judged" },
    maxShare: { default: 0.1, description: "share of looping responses for a warning" },
    errorShare: { default: 0.5, description: "share of looping responses for an error" },
  },
  examples: [
    { name: "hardly any loops", subject: createMetricLog({ loop_share: repeat(0.01, 20) }), messages: [] },
    {
      name: "a fifth of the responses loops",
      subject: createMetricLog({ loop_share: [...repeat(0, 20), ...repeat(0.2, 10)] }),
      messages: ["20 % of responses repeated themselves in the last 10 updates"],
    },
  ],
  findGap: (log) => {
    const gap = findMetricGap(log, 1, ["loop_share"], "share of repeating responses");
    return gap === undefined ? undefined : `${gap}: audit rollout dumps, which hold the texts`;
  },
  check(log, { window, maxShare, errorShare }) {
    const series = findFiniteSeries(log, "loop_share");
    if (series === undefined) return [];
    const { mean, points } = getLate(series, window);
    if (mean <= maxShare) return [];
    return [
      {
        severity: mean > errorShare ? "error" : "warning",
        message: `${showShare(mean)} of responses repeated themselves in the last ${points.length} updates`,
        place: placeRow(log, points[0].row),
        evidence: { metric: series.name, share: mean, updateCount: points.length },
      },
    ];
  },
});
