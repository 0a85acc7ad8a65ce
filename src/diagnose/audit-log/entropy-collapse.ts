import { createMetricLog } from "../../core/index.js";
import { logRule, ramp, repeat } from "./log-rule.js";
import { findFiniteSeries, placeRow, showNumber } from "./series.js";
import { findMetricGap, findTrend } from "./windows.js";

/** A policy that became deterministic. */
export const entropyCollapseRule = logRule({
  id: "entropy-collapse",
  severity: "warning",
  description: "Finds a policy entropy that fell to a small share of where it began.",
  rationale:
    "A policy that always does the same explores nothing, its groups go flat, and success at several samples falls although success at one may still rise. Low entropy on easy tasks can be right: look at success over more than one sample.",
  remedy:
    "Compare success at several samples with the base policy; raise the upper clip bound or the sampling temperature, add an entropy bonus, or mix in harder tasks",
  thresholds: {
    window: { default: 10, description: "updates at each end that are compared" },
    minShare: { default: 0.2, description: "share of the initial entropy below which it counts as collapsed" },
    errorShare: { default: 0.05, description: "share below which the finding is an error" },
  },
  examples: [
    { name: "entropy that halves is usual", subject: createMetricLog({ entropy: ramp(0.8, 0.4, 60) }), messages: [] },
    {
      name: "one NaN does not wipe the window",
      subject: createMetricLog({ entropy: [...ramp(0.8, 0.5, 30), NaN, ...ramp(0.5, 0.4, 30)] }),
      messages: [],
    },
    {
      name: "entropy fell to a tenth",
      subject: createMetricLog({ entropy: [...repeat(0.5, 20), ...repeat(0.05, 20)] }),
      messages: ['entropy "entropy" fell from 0.5 to 0.05, to 0.1 of where it began'],
    },
    {
      name: "entropy is gone",
      subject: createMetricLog({ entropy: [...repeat(0.5, 20), ...repeat(0.001, 20)] }),
      messages: ['entropy "entropy" fell from 0.5 to 0.001, to 0.002 of where it began'],
    },
  ],
  findGap(log, { window }) {
    const gap = findMetricGap(log, 2 * window, ["entropy"], "entropy");
    if (gap !== undefined) return gap;
    const series = findFiniteSeries(log, "entropy");
    const trend = series === undefined ? undefined : findTrend(series, window);
    return trend !== undefined && trend.early.mean <= 0
      ? `"${series?.name}" begins at ${showNumber(trend.early.mean)}: an entropy of tokens is above 0, so this is a loss term or a difference`
      : undefined;
  },
  check(log, { window, minShare, errorShare }) {
    const series = findFiniteSeries(log, "entropy");
    const trend = series === undefined ? undefined : findTrend(series, window);
    if (series === undefined || trend === undefined) return [];
    const { early, late } = trend;
    const share = late.mean / early.mean;
    if (share >= minShare) return [];
    return [
      {
        severity: share < errorShare ? "error" : "warning",
        message: `entropy "${series.name}" fell from ${showNumber(early.mean)} to ${showNumber(late.mean)}, to ${showNumber(share)} of where it began`,
        place: placeRow(log, late.points[0].row),
        evidence: { metric: series.name, early: early.mean, late: late.mean, share },
      },
    ];
  },
});
