import { createMetricLog, type CommonMetric, type MetricLog, type RuleFinding } from "../../core/index.js";
import { logRule, ramp, repeat } from "./log-rule.js";
import { findFiniteSeries, placeRow, showNumber } from "./series.js";
import { findMetricGap, getLate, medianOf } from "./windows.js";

/** Returns the first update from which a whole window has its median above `limit`. */
function findCrossing(log: MetricLog, metric: CommonMetric, limit: number, window: number) {
  const points = findFiniteSeries(log, metric)?.points ?? [];
  for (let i = 0; i + window <= points.length; i += 1) {
    if (medianOf(points.slice(i, i + window).map(({ value }) => value)) > limit) return points[i];
  }
  return undefined;
}

function checkMetric(log: MetricLog, metric: "kl" | "update_kl", limit: number, window: number): RuleFinding[] {
  const series = findFiniteSeries(log, metric);
  const crossing = findCrossing(log, metric, limit, window);
  if (series === undefined || crossing === undefined) return [];
  const late = getLate(series, window).mean;
  const isBack = late <= limit;
  const of = metric === "kl" ? "from the reference policy" : "of single updates";
  return [
    {
      severity: isBack ? "warning" : "error",
      message: `divergence ${of}, "${series.name}", is above ${showNumber(limit)} nats from update ${crossing.updateIndex} on${isBack ? `, and came back to ${showNumber(late)}` : `, ${showNumber(late)} at the end`}`,
      place: placeRow(log, crossing.row),
      evidence: { metric: series.name, limit, firstUpdate: crossing.updateIndex, late },
    },
  ];
}

/** Divergence that runs away. */
export const klBlowUpRule = logRule({
  id: "kl-blow-up",
  severity: "error",
  description:
    "Finds a divergence from the reference policy, or of single updates, that leaves its bounds for a whole window.",
  rationale:
    "Updates that move the policy far in one go, or a policy far from its reference, go with collapse and reward hacking. Single spikes are passed over: the median of a window decides. Tools average per token or sum per response; set the bound to what yours does.",
  remedy:
    "Lower the learning rate or the number of passes over a batch, check that the log-probs of sampling and training agree, or raise the KL coefficient",
  thresholds: {
    window: { default: 5, description: "updates whose median is judged" },
    maxKl: { default: 10, description: "divergence from the reference policy, nats" },
    maxUpdateKl: { default: 0.2, description: "divergence of one update from the policy that sampled, nats" },
  },
  examples: [
    {
      name: "a slow rise is what training is",
      subject: createMetricLog({ kl: ramp(0, 0.4, 50), update_kl: repeat(0.01, 50) }),
      messages: [],
    },
    {
      name: "a single spike is passed over",
      subject: createMetricLog({ kl: [...repeat(0.1, 20), 500, ...repeat(0.1, 20)] }),
      messages: [],
    },
    {
      name: "divergence that runs away",
      subject: createMetricLog({ kl: [...repeat(0.2, 20), ...ramp(1, 39, 20)] }),
      messages: ['divergence from the reference policy, "kl", is above 10 nats from update 24 on, 35 at the end'],
    },
    {
      name: "updates that were too large for a while",
      subject: createMetricLog({ update_kl: [...repeat(0.01, 20), ...repeat(0.9, 10), ...repeat(0.02, 20)] }),
      messages: [
        'divergence of single updates, "update_kl", is above 0.2 nats from update 19 on, and came back to 0.02',
      ],
    },
  ],
  findGap: (log, { window }) => findMetricGap(log, window, ["kl", "update_kl"], "KL divergence"),
  check: (log, { window, maxKl, maxUpdateKl }) => [
    ...checkMetric(log, "kl", maxKl, window),
    ...checkMetric(log, "update_kl", maxUpdateKl, window),
  ],
});
