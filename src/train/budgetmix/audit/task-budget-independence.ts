import type { BudgetSubject } from "./budget-subject.js";
import { testIndependence } from "./permutation.js";
import {
  budgetRule,
  countOf,
  examplePlan,
  exampleSubject,
  listPlayedCells,
  showNumber,
  type PlayedCell,
} from "./rule-kit.js";

/** Returns the groups played, as far as they can say whether tasks and budgets go together. */
function listJudged(subject: BudgetSubject): PlayedCell[] {
  const cells = listPlayedCells(subject);
  const counts = new Map<string, number>();
  for (const { task } of cells) counts.set(task, (counts.get(task) ?? 0) + 1);
  return cells.filter(({ task }) => (counts.get(task) ?? 0) > 1);
}

const balanced = examplePlan(
  Array.from({ length: 24 }, (_, index) => [`t${index % 4}`, [2, 8][Math.floor(index / 4) % 2]] as const),
);
const confounded = examplePlan(
  Array.from({ length: 24 }, (_, index) => [`t${index % 4}`, index % 4 < 2 ? 2 : 8] as const),
);

/** A7: no task is played at one budget more than at another. */
export const taskBudgetIndependenceRule = budgetRule({
  number: "A7",
  id: "task-budget-independence",
  severity: "error",
  description: "Finds a dependence of budget on task: Cramér's V with the p value of a permutation.",
  rationale:
    "When hard tasks get large budgets, a policy can read the budget off the task, and what looks like an effect of the budget is one of the task. The groups that were really played are judged, so that rows dropped or resampled on the way show.",
  remedy:
    "Play the plan's rows as they are; do not choose budgets by difficulty, and do not drop groups by their outcome at one budget more than at another",
  thresholds: {
    maxV: { default: 0.1, description: "Cramér's V up to which a dependence is too small to matter" },
    level: { default: 0.01, description: "p value below which a dependence is no accident" },
  },
  examples: [
    { name: "each task at each budget equally often", subject: exampleSubject(balanced), messages: [] },
    {
      name: "two tasks at the small budget only, two at the large one only",
      subject: exampleSubject(confounded),
      messages: ["task and budget go together: Cramér's V is 1 over 24 groups (p 0.002)"],
    },
  ],
  findGap(subject) {
    if (subject.groups.size === 0) return "the rollouts name no groups";
    const cells = listJudged(subject);
    if (new Set(cells.map(({ maxTurns }) => maxTurns)).size < 2)
      return "no task was played twice, or all were played at one budget";
    return new Set(cells.map(({ task }) => task)).size < 2 ? "only one task was played twice" : undefined;
  },
  check(subject, { maxV, level }) {
    const cells = listJudged(subject);
    const { v, pValue } = testIndependence(cells, subject.settings.seed ?? 1);
    if (v <= maxV || pValue >= level) return [];
    const message = `task and budget go together: Cramér's V is ${showNumber(v)} over ${countOf(cells.length, "group")} (p ${showNumber(pValue)})`;
    return [{ message, evidence: { v, pValue, groups: cells.length } }];
  },
  summarize(subject) {
    const cells = listJudged(subject);
    const { v, pValue } = testIndependence(cells, subject.settings.seed ?? 1);
    return {
      text: `Cramér's V ${showNumber(v)} over ${countOf(cells.length, "group")}, p ${showNumber(pValue)}`,
      values: { v, pValue, groups: cells.length },
    };
  },
});
