import { createMetricLog } from "../../core/index.js";
import { logRule, ramp, repeat } from "./log-rule.js";
import { findFiniteSeries, placeRow, showNumber } from "./series.js";
import { findMetricGap, getLate, summarize, type WindowSummary } from "./windows.js";

/** Reward that was there and is gone. */
export const rewardCollapseRule = logRule({
  id: "reward-collapse",
  severity: "error",
  description: "Finds a reward that rose and then lost most of what it had gained.",
  rationale:
    "The final checkpoint is not the best one, and what broke the run is around the peak. The best of many windows is high partly by luck, so the fall must also be large beside the noise inside windows. The curriculum or the tasks may have become harder instead.",
  remedy:
    "Go back to a checkpoint before the peak; look at entropy, gradient norm, divergence and flat groups just after it. Choose the checkpoint on a split you do not report on",
  thresholds: {
    window: { default: 10, description: "updates whose mean is compared" },
    lostShare: { default: 0.5, description: "share of the gain that must be lost" },
    minEffect: { default: 3, description: "fall in standard deviations inside the windows" },
  },
  examples: [
    { name: "reward that rises", subject: createMetricLog({ reward: ramp(0, 1, 60) }), messages: [] },
    {
      name: "reward that rises and collapses",
      subject: createMetricLog({ reward: [...repeat(0.1, 20), ...repeat(0.8, 20), ...repeat(0.2, 20)] }),
      messages: ['"reward" fell from 0.8 around update 21 to 0.2 at the end, losing 0.8571 of its gain'],
    },
  ],
  findGap: (log, { window }) => findMetricGap(log, 3 * window, ["reward"], "reward"),
  check(log, { window, lostShare, minEffect }) {
    const series = findFiniteSeries(log, "reward");
    if (series === undefined) return [];
    const first = summarize(series.points.slice(0, window));
    const last = getLate(series, window);
    let best: WindowSummary = first;
    for (let i = 0; i + window <= series.points.length; i += 1) {
      const summary = summarize(series.points.slice(i, i + window));
      if (summary.mean > best.mean) best = summary;
    }
    const gain = best.mean - first.mean;
    const fall = best.mean - last.mean;
    const spread = Math.sqrt((best.deviation ** 2 + last.deviation ** 2) / 2);
    if (gain <= 0 || fall < lostShare * gain || fall < minEffect * spread) return [];
    return [
      {
        message: `"${series.name}" fell from ${showNumber(best.mean)} around update ${best.points[0].updateIndex} to ${showNumber(last.mean)} at the end, losing ${showNumber(fall / gain)} of its gain`,
        place: placeRow(log, best.points[best.points.length - 1].row),
        evidence: { metric: series.name, best: best.mean, bestUpdate: best.points[0].updateIndex, last: last.mean },
      },
    ];
  },
});
