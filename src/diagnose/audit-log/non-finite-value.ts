import { createMetricLog, type MetricLog, type RuleFinding } from "../../core/index.js";
import { logRule, repeat } from "./log-rule.js";
import { getColumnSeries, placeRow } from "./series.js";
import { findStretches } from "./windows.js";

function checkColumn(log: MetricLog, column: number, maxShare: number): RuleFinding[] {
  const { name, points } = getColumnSeries(log, column);
  const bad = points.filter(({ value }) => !Number.isFinite(value));
  if (bad.length === 0) return [];
  const [first] = bad;
  const longest = Math.max(
    ...findStretches(points, 1, ({ value }) => !Number.isFinite(value)).map((stretch) => stretch.length),
  );
  // A mean over no finished episode yet is NaN in many tools: nothing is wrong as long as values follow.
  const isStartOnly =
    bad.length < points.length && points.slice(0, bad.length).every(({ value }) => !Number.isFinite(value));
  const endsBad = points.slice(-2).every(({ value }) => !Number.isFinite(value));
  const severity = isStartOnly ? "note" : endsBad || bad.length / points.length > maxShare ? "error" : "warning";
  const when = isStartOnly
    ? "before its first value"
    : `first at update ${first.updateIndex} (${first.value}), longest stretch ${longest}`;
  return [
    {
      severity,
      message: `"${name}" is not finite in ${bad.length} of ${points.length} updates, ${when}${endsBad ? ", to the end of the log" : ""}`,
      place: placeRow(log, first.row),
      evidence: {
        metric: name,
        count: bad.length,
        updateCount: points.length,
        firstUpdate: first.updateIndex,
        longestStretch: longest,
      },
    },
  ];
}

/** Values that are NaN or infinite. */
export const nonFiniteValueRule = logRule({
  id: "non-finite-value",
  severity: "warning",
  description: "Finds metrics that are NaN or infinite.",
  rationale:
    "A NaN in loss or gradient destroys the weights unless the trainer skips the update; one in a statistic only hides it. All other rules leave such values out of their windows and judge the rest. A tool that writes nothing in place of NaN hides it from this rule too.",
  remedy:
    "Find the first affected update; look for empty groups, division by a standard deviation of 0, overflowing ratios, and masks applied by multiplication",
  thresholds: {
    maxShare: { default: 0.05, description: "share of updates above which the finding is an error" },
  },
  examples: [
    { name: "finite values are sound", subject: createMetricLog({ loss: [0.4, 0.3, 0.2] }), messages: [] },
    {
      name: "one NaN among good values is reported with its place",
      subject: createMetricLog({ loss: [...repeat(0.4, 120), NaN, ...repeat(0.3, 120)] }),
      messages: ['"loss" is not finite in 1 of 241 updates, first at update 121 (NaN), longest stretch 1'],
    },
    {
      name: "a metric that stays NaN to the end is an error",
      subject: createMetricLog({ grad_norm: [0.5, 0.6, Infinity, NaN, NaN] }),
      messages: [
        '"grad_norm" is not finite in 3 of 5 updates, first at update 3 (Infinity), longest stretch 3, to the end of the log',
      ],
    },
    {
      name: "a mean that is NaN until the first episode ends is a note",
      subject: createMetricLog({ reward: [NaN, NaN, 1.5, 1.6] }),
      messages: ['"reward" is not finite in 2 of 4 updates, before its first value'],
    },
  ],
  check: (log, { maxShare }) => log.columns.flatMap((_, column) => checkColumn(log, column, maxShare)),
});
