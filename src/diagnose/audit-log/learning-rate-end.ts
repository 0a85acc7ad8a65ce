import { createMetricLog, type MetricLog, type RuleFinding } from "../../core/index.js";
import { logRule, ramp, repeat } from "./log-rule.js";
import { findFiniteSeries, placeRow, showNumber, type MetricPoint } from "./series.js";

/** Returns the updates at the end of the log that were made at learning rate 0, when they are too many. */
function findIdleTail(log: MetricLog, points: readonly MetricPoint[], maxIdleShare: number): RuleFinding[] {
  const lastActive = points.findLastIndex(({ value }) => value !== 0);
  const idle = points.slice(lastActive + 1);
  // The scheduler's last value is 0 by design.
  if (idle.length < 2 || idle.length <= points.length * maxIdleShare) return [];
  const message =
    lastActive === -1
      ? `the learning rate is 0 in all ${points.length} updates`
      : `the learning rate is 0 from update ${idle[0].updateIndex} on: ${idle.length} of ${points.length} updates change nothing`;
  return [
    {
      severity: "error",
      message,
      place: placeRow(log, idle[0].row),
      evidence: { idleCount: idle.length, updateCount: points.length },
    },
  ];
}

/** Returns the places where a rate that was falling jumps up again. */
function findJumps(log: MetricLog, points: readonly MetricPoint[], jumpFactor: number): RuleFinding[] {
  const firstFall = points.findIndex(({ value }, i) => i > 0 && value < points[i - 1].value);
  if (firstFall === -1) return [];
  return points.flatMap((point, i) => {
    const before = points[i - 1];
    if (i <= firstFall || point.value <= before.value * jumpFactor || point.value === 0) return [];
    const message = `the learning rate jumps from ${showNumber(before.value)} to ${showNumber(point.value)} at update ${point.updateIndex}: the schedule began again`;
    return [
      {
        message,
        place: placeRow(log, point.row),
        evidence: { before: before.value, after: point.value, update: point.updateIndex },
      },
    ];
  });
}

/** Returns that a log ends before its schedule does. */
function findEarlyEnd(log: MetricLog, points: readonly MetricPoint[]): RuleFinding[] {
  const last = points[points.length - 1];
  const peak = Math.max(...points.map(({ value }) => value));
  const { plannedUpdates } = log;
  if (plannedUpdates === undefined || last.updateIndex >= plannedUpdates || last.value >= peak || last.value === 0)
    return [];
  const message = `the log ends at update ${last.updateIndex} of ${plannedUpdates} with the learning rate at ${showNumber(last.value / peak)} of its peak: the schedule was not played to its end`;
  return [
    {
      severity: "note",
      message,
      place: placeRow(log, last.row),
      evidence: { lastUpdate: last.updateIndex, plannedUpdates },
    },
  ];
}

/** A schedule of the learning rate that does not fit the run. */
export const learningRateEndRule = logRule({
  id: "learning-rate-end",
  severity: "warning",
  description:
    "Finds a learning rate that is 0 long before the end, begins its schedule again, or is cut off before its end.",
  rationale:
    "Updates at rate 0 cost rollouts and teach nothing; a schedule that begins again after a restart undoes its annealing; figures of a run that stopped early are not those of the planned run. Schedules with warm restarts jump on purpose.",
  remedy: "Give the scheduler the number of updates the run really makes, and restore its state when resuming",
  thresholds: {
    maxIdleShare: { default: 0.02, description: "share of updates at rate 0 at the end that are accepted" },
    jumpFactor: { default: 1.5, description: "rise after a fall that counts as a new beginning" },
  },
  examples: [
    {
      name: "warm-up and decay to 0",
      subject: createMetricLog({ learning_rate: [...ramp(0, 1, 11), ...ramp(1, 0, 101)] }),
      messages: [],
    },
    { name: "a constant rate", subject: createMetricLog({ learning_rate: repeat(1e-6, 50) }), messages: [] },
    {
      name: "the schedule ends half-way",
      subject: createMetricLog({ learning_rate: [1, 0.75, 0.5, 0.25, ...repeat(0, 6)] }),
      messages: ["the learning rate is 0 from update 5 on: 6 of 10 updates change nothing"],
    },
    {
      name: "the schedule begins again after a restart",
      subject: createMetricLog({ learning_rate: [1, 0.8, 0.6, 0.4, 1, 0.8, 0.6] }),
      messages: ["the learning rate jumps from 0.4 to 1 at update 5: the schedule began again"],
    },
    {
      name: "the run stopped early",
      subject: createMetricLog({ learning_rate: [1, 0.9, 0.8, 0.7, 0.6] }, { plannedUpdates: 10 }),
      messages: [
        "the log ends at update 5 of 10 with the learning rate at 0.6 of its peak: the schedule was not played to its end",
      ],
    },
  ],
  findGap: (log) =>
    (findFiniteSeries(log, "learning_rate")?.points.length ?? 0) === 0 ? "the log states no learning rate" : undefined,
  check(log, { maxIdleShare, jumpFactor }) {
    const points = findFiniteSeries(log, "learning_rate")?.points ?? [];
    return [
      ...findIdleTail(log, points, maxIdleShare),
      ...findJumps(log, points, jumpFactor),
      ...findEarlyEnd(log, points),
    ];
  },
});
