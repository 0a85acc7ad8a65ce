import { createMetricLog, type MetricLog, type RuleFinding } from "../../core/index.js";
import { logRule, ramp, repeat } from "./log-rule.js";
import { findFiniteSeries, placeRow, showNumber, type MetricSeries } from "./series.js";
import { findMetricGap, findTrend } from "./windows.js";

function compareEnds(
  log: MetricLog,
  { name, points }: MetricSeries,
  window: number,
  factors: { readonly growFactor: number; readonly shrinkFactor: number },
): RuleFinding[] {
  const trend = findTrend({ name, points }, window);
  if (trend === undefined) return [];
  const { early, late } = trend;
  if (early.mean <= 0) return [];
  const ratio = late.mean / early.mean;
  const hasGrown = ratio >= factors.growFactor;
  if (!hasGrown && ratio * factors.shrinkFactor > 1) return [];
  const change = hasGrown ? `grew ${showNumber(ratio)} times` : `shrank to ${showNumber(ratio)} of what it was`;
  return [
    {
      message: `mean length "${name}" ${change}, from ${showNumber(early.mean)} to ${showNumber(late.mean)}`,
      place: placeRow(log, late.points[0].row),
      evidence: { metric: name, early: early.mean, late: late.mean, ratio },
    },
  ];
}

/** Responses that explode in length, or wither. */
export const lengthDriftRule = logRule({
  id: "length-drift",
  severity: "warning",
  description: "Finds responses that grew to several times their length, or shrank to a fraction of it.",
  rationale:
    "Length that explodes costs money, runs into the limit and often is repetition; length that withers is a policy that gives up or skips reasoning. Reasoning that truly gets longer and better looks the same here: compare success at a fixed token budget.",
  remedy:
    "Read long responses of late updates; check for loops, for losses that divide by each response's own length, and for a reward that pays for words",
  thresholds: {
    window: { default: 10, description: "updates at each end that are compared" },
    growFactor: { default: 3, description: "growth that is reported" },
    shrinkFactor: { default: 4, description: "shrinkage that is reported, as a divisor" },
  },
  examples: [
    {
      name: "length that grows by half is usual",
      subject: createMetricLog({ response_length: ramp(200, 300, 60) }),
      messages: [],
    },
    {
      name: "length explodes",
      subject: createMetricLog({ response_length: [...repeat(200, 20), ...repeat(2000, 20)] }),
      messages: ['mean length "response_length" grew 10 times, from 200 to 2000'],
    },
    {
      name: "length withers",
      subject: createMetricLog({ response_length: [...repeat(200, 20), ...repeat(4, 20)] }),
      messages: ['mean length "response_length" shrank to 0.02 of what it was, from 200 to 4'],
    },
  ],
  findGap: (log, { window }) => findMetricGap(log, 2 * window, ["response_length"], "response length"),
  check(log, { window, growFactor, shrinkFactor }) {
    const series = findFiniteSeries(log, "response_length");
    return series === undefined ? [] : compareEnds(log, series, window, { growFactor, shrinkFactor });
  },
});
