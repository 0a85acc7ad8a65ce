import type { RuleFinding } from "../../../core/index.js";
import type { BudgetSubject } from "./budget-subject.js";
import { budgetRule, countOf, examplePlan, exampleSubject, nameRollout, showNumber } from "./rule-kit.js";

const plan = examplePlan([
  ["a", 2],
  ["b", 8],
]);

/** Returns the rollouts that their budget ended unsolved, with their reward. */
function listTruncated({ rollouts }: BudgetSubject): { readonly position: number; readonly reward: number }[] {
  return rollouts.flatMap(({ end, success, reward }, position) =>
    end === "max_turns" && success === false && reward !== undefined ? [{ position, reward }] : [],
  );
}

/** A9: an episode that its budget ended unsolved has the documented reward. */
export const truncatedRewardRule = budgetRule({
  number: "A9",
  id: "truncated-reward",
  severity: "error",
  description: "Finds episodes that ended at their budget unsolved with another reward than the documented one.",
  rationale:
    "What an episode is worth that ran out of turns decides what a tight budget teaches. A trainer that masks such episodes, gives them a penalty or leaves a shaped reward standing trains something else than the plan says.",
  remedy: "Give them the documented reward, or document what they get with --truncated-reward",
  thresholds: {},
  examples: [
    {
      name: "0 for what was not solved in time",
      subject: exampleSubject(plan, () => ({ end: "max_turns", success: false, reward: 0 })),
      messages: [],
    },
    {
      name: "a documented penalty",
      subject: exampleSubject(plan, () => ({ end: "max_turns", success: false, reward: -0.1 }), {
        truncatedReward: -0.1,
      }),
      messages: [],
    },
    {
      name: "a shaped reward left standing",
      subject: exampleSubject(plan, ({ group }, member) => ({
        end: "max_turns",
        success: false,
        reward: group === "g1" && member === 0 ? 0.4 : 0,
      })),
      messages: ['a rollout of group "g1" ended at its budget unsolved with reward 0.4, documented is 0'],
    },
  ],
  findGap: (subject) =>
    listTruncated(subject).length === 0
      ? "no rollout is known to have ended at its budget unsolved, with its reward"
      : undefined,
  check(subject) {
    const { truncatedReward = 0 } = subject.settings;
    return listTruncated(subject).flatMap(({ position, reward }): RuleFinding[] => {
      if (Math.abs(reward - truncatedReward) < 1e-9) return [];
      const rollout = subject.rollouts[position];
      const message = `${nameRollout(rollout)} ended at its budget unsolved with reward ${showNumber(reward)}, documented is ${showNumber(truncatedReward)}`;
      return [{ message, place: rollout.place, evidence: { reward, documented: truncatedReward } }];
    });
  },
  summarize(subject) {
    const truncated = listTruncated(subject).length;
    return {
      text: `${truncated} of ${countOf(subject.rollouts.length, "rollout")} ended at their budget unsolved; documented reward ${showNumber(subject.settings.truncatedReward ?? 0)}`,
      values: { truncated, rollouts: subject.rollouts.length },
    };
  },
});
