import { createMetricLog } from "../../core/index.js";
import { logRule, ramp, repeat } from "./log-rule.js";
import { findFiniteSeries, placeRow, showNumber } from "./series.js";
import { findMetricGap, findTrend, getEffect } from "./windows.js";

/** Reward that rises while success does not. */
export const rewardWithoutSuccessRule = logRule({
  id: "reward-without-success",
  severity: "warning",
  description: "Finds a reward that rises while the success rate does not.",
  rationale:
    "The policy learns what pays beside solving: format, length, partial credit, or a hole in the grader. Evaluation success is used where it is logged, else training success. A success rate at 1 has no room to rise, and one that moves later than the reward looks the same until it does.",
  remedy:
    "Read the best-paid failed episodes; plot each part of the reward on its own; cap or remove the parts that can be had without solving",
  thresholds: {
    window: { default: 10, description: "updates at each end that are compared" },
    minEffect: { default: 2, description: "rise of the reward, in standard deviations inside the windows" },
    minGain: { default: 0.02, description: "rise of the success rate that counts as one" },
    ceiling: { default: 0.95, description: "success rate that has no room to rise" },
  },
  examples: [
    {
      name: "both rise",
      subject: createMetricLog({ reward: ramp(0, 1, 40), success: ramp(0.1, 0.6, 40) }),
      messages: [],
    },
    {
      name: "neither rises",
      subject: createMetricLog({ reward: repeat(0.3, 40), success: repeat(0.2, 40) }),
      messages: [],
    },
    {
      name: "success is at its ceiling",
      subject: createMetricLog({ reward: ramp(0.5, 1, 40), success: repeat(0.99, 40) }),
      messages: [],
    },
    {
      name: "reward triples and success stays",
      subject: createMetricLog({ reward: ramp(0.3, 0.9, 40), success: repeat(0.2, 40) }),
      messages: ['"reward" rose from 0.3692 to 0.8308 while "success" went from 0.2 to 0.2'],
    },
  ],
  findGap: (log, { window }) =>
    findMetricGap(log, 2 * window, ["reward"], "reward") ??
    findMetricGap(log, 4, ["eval_success", "success"], "success rate"),
  check(log, { window, minEffect, minGain, ceiling }) {
    const reward = findFiniteSeries(log, "reward");
    const success = findFiniteSeries(log, "eval_success", "success");
    const rise = reward === undefined ? undefined : findTrend(reward, window);
    // Evaluations are rarer than updates: their window is at most half of what there is.
    const gain =
      success === undefined ? undefined : findTrend(success, Math.min(window, Math.floor(success.points.length / 2)));
    if (reward === undefined || success === undefined || rise === undefined || gain === undefined) return [];
    if (getEffect(rise) < minEffect || gain.late.mean - gain.early.mean >= minGain || gain.early.mean >= ceiling)
      return [];
    const [from, to] = [showNumber(rise.early.mean), showNumber(rise.late.mean)];
    return [
      {
        message: `"${reward.name}" rose from ${from} to ${to} while "${success.name}" went from ${showNumber(gain.early.mean)} to ${showNumber(gain.late.mean)}`,
        place: placeRow(log, rise.late.points[0].row),
        evidence: {
          rewardEarly: rise.early.mean,
          rewardLate: rise.late.mean,
          successEarly: gain.early.mean,
          successLate: gain.late.mean,
        },
      },
    ];
  },
});
