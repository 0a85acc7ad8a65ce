import { createMetricLog, type RuleFinding } from "../../core/index.js";
import { logRule, repeat } from "./log-rule.js";
import { findFiniteSeries, placeRow, showNumber } from "./series.js";

/** Groups too small for a baseline, or of uneven size. */
export const groupSizeRule = logRule({
  id: "group-size",
  severity: "warning",
  description: "Finds groups of one episode, and groups of different sizes in one update.",
  rationale:
    "A group of one has no baseline: trainers use its raw reward, or 0, without saying so. Uneven sizes come from lost episodes or from dumps with a row per turn, and change what a group's mean and deviation are worth.",
  remedy: "Sample lost episodes again, drop groups of one, and group by task and budget",
  thresholds: {
    minSize: { default: 2, description: "episodes a group must have" },
  },
  examples: [
    {
      name: "groups of 8",
      subject: createMetricLog({ smallest_group: repeat(8, 5), largest_group: repeat(8, 5) }),
      messages: [],
    },
    {
      name: "a group of one",
      subject: createMetricLog({ smallest_group: [8, 1, 8], largest_group: [8, 8, 8] }),
      messages: ["a group has 1 episodes, fewer than 2, in 1 of 3 updates, the first is 2"],
    },
    {
      name: "uneven groups",
      subject: createMetricLog({ smallest_group: [8, 8, 7], largest_group: [8, 8, 8] }),
      messages: ["groups have 7 to 8 episodes in 1 of 3 updates, the first is 3"],
    },
  ],
  findGap: (log) =>
    (findFiniteSeries(log, "smallest_group")?.points ?? []).length === 0
      ? "the log states no group sizes: audit rollout dumps, which hold the groups"
      : undefined,
  check(log, { minSize }) {
    const smallest = findFiniteSeries(log, "smallest_group")?.points ?? [];
    const largest = new Map(
      findFiniteSeries(log, "largest_group")?.points.map(({ updateIndex, value }) => [updateIndex, value]),
    );
    const findings: RuleFinding[] = [];
    const small = smallest.filter(({ value }) => value < minSize);
    if (small.length > 0) {
      const [first] = small;
      const message = `a group has ${showNumber(first.value)} episodes, fewer than ${minSize}, in ${small.length} of ${smallest.length} updates, the first is ${first.updateIndex}`;
      findings.push({
        severity: "error",
        message,
        place: placeRow(log, first.row),
        evidence: { updateCount: small.length },
      });
    }
    const uneven = smallest.filter(
      ({ updateIndex, value }) => value >= minSize && value < (largest.get(updateIndex) ?? value),
    );
    if (uneven.length > 0) {
      const [first] = uneven;
      const message = `groups have ${first.value} to ${largest.get(first.updateIndex)} episodes in ${uneven.length} of ${smallest.length} updates, the first is ${first.updateIndex}`;
      findings.push({ message, place: placeRow(log, first.row), evidence: { updateCount: uneven.length } });
    }
    return findings;
  },
});
