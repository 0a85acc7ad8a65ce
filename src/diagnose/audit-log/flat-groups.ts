import { createMetricLog, type MetricLog } from "../../core/index.js";
import { logRule, ramp, repeat } from "./log-rule.js";
import { findFiniteSeries, placeRow, showShare, type MetricSeries } from "./series.js";
import { getLate } from "./windows.js";

/** Returns the share of flat groups by update, from whichever metric judges groups one by one. */
function findFlatShare(log: MetricLog): MetricSeries | undefined {
  const stated = findFiniteSeries(log, "flat_group_share");
  if (stated !== undefined && stated.points.length > 0) return stated;
  const failed = findFiniteSeries(log, "failed_group_share");
  const solved = findFiniteSeries(log, "solved_group_share");
  if (failed !== undefined && solved !== undefined) {
    const byUpdate = new Map(solved.points.map(({ updateIndex, value }) => [updateIndex, value]));
    const points = failed.points.map((point) => ({
      ...point,
      value: point.value + (byUpdate.get(point.updateIndex) ?? 0),
    }));
    return { name: `${failed.name} + ${solved.name}`, points };
  }
  const deviation = findFiniteSeries(log, "group_reward_std", "reward_std");
  // A mean of deviations says only one thing about single groups: at 0 all of them are flat.
  if (deviation?.points.at(-1)?.value !== 0) return undefined;
  return {
    name: deviation.name,
    points: deviation.points.map((point) => ({ ...point, value: point.value === 0 ? 1 : 0 })),
  };
}

/** Groups whose episodes all have the same reward. */
export const flatGroupsRule = logRule({
  id: "flat-groups",
  severity: "warning",
  description: "Finds groups without reward variance: every episode of a task got the same reward.",
  rationale:
    "Advantages inside such a group are 0, so it teaches nothing, and with a KL term it even pulls back to the reference. Groups are judged one by one: a batch of all-failed and all-solved groups has a large standard deviation and no signal at all.",
  remedy:
    "Change the difficulty mix or the turn budget so that tasks are solved sometimes, raise the group size, or filter flat groups while sampling; log the share of groups with equal rewards",
  thresholds: {
    window: { default: 20, description: "updates at the end of the log that are judged" },
    maxShare: { default: 0.5, description: "share of flat groups for a warning" },
    errorShare: { default: 0.9, description: "share of flat groups for an error" },
  },
  examples: [
    {
      name: "a third of flat groups is usual",
      subject: createMetricLog({ flat_group_share: repeat(0.3, 40) }),
      messages: [],
    },
    {
      name: "most groups went flat",
      subject: createMetricLog({ flat_group_share: ramp(0.2, 1, 41) }),
      messages: ["81 % of groups had equal rewards in the last 20 updates"],
    },
    {
      name: "a healthy deviation over the batch hides that every group is flat",
      subject: createMetricLog({
        reward_std: repeat(0.5, 30),
        failed_group_share: repeat(0.4, 30),
        solved_group_share: repeat(0.58, 30),
      }),
      messages: [
        "98 % of groups had equal rewards in the last 20 updates: 40 % of all failed throughout, 58 % succeeded throughout",
      ],
    },
    {
      name: "a mean deviation of 0 means that all groups are flat",
      subject: createMetricLog({ group_reward_std: [...repeat(0.4, 10), ...repeat(0, 20)] }),
      messages: ["100 % of groups had equal rewards in the last 20 updates"],
    },
  ],
  findGap(log) {
    if (findFlatShare(log) !== undefined) return undefined;
    const deviation = findFiniteSeries(log, "group_reward_std", "reward_std");
    if (deviation === undefined) return "the log states no reward variance inside groups";
    return `"${deviation.name}" is a mean, and single groups can be flat while it is above 0: log the share of groups with equal rewards, or audit rollout dumps`;
  },
  check(log, { window, maxShare, errorShare }) {
    const series = findFlatShare(log);
    if (series === undefined || series.points.length === 0) return [];
    const { mean, points } = getLate(series, window);
    if (mean <= maxShare) return [];
    const failed = findFiniteSeries(log, "failed_group_share");
    const solved = findFiniteSeries(log, "solved_group_share");
    const split =
      failed === undefined || solved === undefined
        ? ""
        : `: ${showShare(getLate(failed, window).mean)} of all failed throughout, ${showShare(getLate(solved, window).mean)} succeeded throughout`;
    return [
      {
        severity: mean > errorShare ? "error" : "warning",
        message: `${showShare(mean)} of groups had equal rewards in the last ${points.length} updates${split}`,
        place: placeRow(log, points[0].row),
        evidence: { metric: series.name, share: mean, updateCount: points.length },
      },
    ];
  },
});
