import type { RuleFinding } from "../../../core/index.js";
import type { BudgetSubject } from "./budget-subject.js";
import { budgetRule, countOf, examplePlan, exampleSubject, getCap, nameRollout } from "./rule-kit.js";

const plan = examplePlan([
  ["a", 2],
  ["b", 8],
]);

function listJudged(
  subject: BudgetSubject,
): { readonly position: number; readonly turns: number; readonly cap: number }[] {
  return subject.rollouts.flatMap(({ turns }, position) => {
    const cap = getCap(subject, position);
    return turns === undefined || cap === undefined ? [] : [{ position, turns, cap }];
  });
}

/** A4: no episode has more turns than its budget. */
export const turnsWithinBudgetRule = budgetRule({
  number: "A4",
  id: "turns-within-budget",
  severity: "error",
  description: "Finds episodes with more turns than their budget allows.",
  rationale:
    "Call T+1 is never made. An engine that asks for one more answer after the last observation, or counts tool results as turns, trains and bills another budget than the plan's.",
  remedy: "Translate T into the engine's own count; adapters of turnwise do",
  thresholds: {},
  examples: [
    { name: "at most T turns", subject: exampleSubject(plan), messages: [] },
    {
      name: "one closing call beyond T",
      subject: exampleSubject(plan, ({ group, maxTurns }, member) =>
        group === "g0" && member === 1 ? { turns: maxTurns + 1 } : {},
      ),
      messages: ['a rollout of group "g0" has 3 turns, its budget is T=2'],
    },
  ],
  findGap: (subject) =>
    listJudged(subject).length === 0 ? "no rollout states both its turns and its budget" : undefined,
  check: (subject) =>
    listJudged(subject).flatMap(({ position, turns, cap }): RuleFinding[] => {
      if (turns <= cap) return [];
      const rollout = subject.rollouts[position];
      const message = `${nameRollout(rollout)} has ${countOf(turns, "turn")}, its budget is T=${cap}`;
      return [{ message, place: rollout.place, evidence: { turns, cap } }];
    }),
  summarize(subject) {
    const judged = listJudged(subject);
    const most = judged.reduce((share, { turns, cap }) => Math.max(share, turns / cap), 0);
    return {
      text: `turns of ${judged.length} of ${countOf(subject.rollouts.length, "rollout")}; at most ${Math.round(100 * most)} % of the budget`,
      values: { judged: judged.length, mostShare: most },
    };
  },
});
