import type { JsonObject } from "../../../core/index.js";
import type { BudgetSubject } from "./budget-subject.js";
import { testFirstActions, type FirstActionGroup } from "./permutation.js";
import { budgetRule, examplePlan, exampleSubject, groupBy, listPlayedCells, meanOf, showNumber } from "./rule-kit.js";

/** Returns the groups of tasks that were played at two budgets or more, with their first actions. */
function listJudged(subject: BudgetSubject): FirstActionGroup[] {
  const groups = listPlayedCells(subject).map(({ task, maxTurns, members }) => ({
    task,
    maxTurns,
    actions: members.flatMap((position) => subject.rollouts[position].firstAction ?? []),
  }));
  const byTask = groupBy(groups, ({ task }) => task);
  return [...byTask.values()]
    .filter((own) => new Set(own.map(({ maxTurns }) => maxTurns)).size > 1)
    .flat()
    .filter(({ actions }) => actions.length > 0);
}

function listTurns(subject: BudgetSubject): { readonly maxTurns: number; readonly meanTurns: number }[] {
  const cells = listPlayedCells(subject).flatMap(({ maxTurns, members }) =>
    members.flatMap((position) => {
      const { turns } = subject.rollouts[position];
      return turns === undefined ? [] : [{ maxTurns, turns }];
    }),
  );
  return [...groupBy(cells, ({ maxTurns }) => maxTurns)]
    .sort(([a], [b]) => a - b)
    .map(([maxTurns, own]) => ({ maxTurns, meanTurns: meanOf(own.map(({ turns }) => turns)) }));
}

const cells = Array.from({ length: 48 }, (_, index) => [`t${index % 3}`, [1, 9][Math.floor(index / 3) % 2]] as const);
const told = examplePlan(cells);
const hidden = examplePlan(cells, { disclosure: "hidden" });

/** A11: behaviour responds to a budget that is told, and not to one that is hidden. */
export const budgetResponseRule = budgetRule({
  number: "A11",
  id: "budget-response",
  severity: "error",
  description:
    "Tests whether first actions depend on the budget: they should when it is told, and must not when it is hidden.",
  rationale:
    "A policy that never changes what it does first cannot have learnt to use the number, or there is nothing to gain by it; that is a warning. First actions that depend on a hidden budget mean that it leaks, through the prompt or through the choice of tasks. Turns used are shown, but not tested: the cap alone changes them.",
  remedy:
    "Told: check that the number stands in the prompt the policy reads, and give training more updates. Hidden: look for what tells the budget",
  thresholds: {
    level: { default: 0.01, description: "p value below which first actions depend on the budget" },
  },
  examples: [
    {
      name: "told, and the policy guesses when there is one turn",
      subject: exampleSubject(told, ({ maxTurns }) => ({ firstAction: maxTurns === 1 ? "answer" : "search" })),
      messages: [],
    },
    {
      name: "told, and the policy does not care",
      subject: exampleSubject(told, ({ update }, member) => ({
        firstAction: ["answer", "search"][(update + member) % 2],
      })),
      messages: ["first actions do not depend on the budget that is told: distance 0 (p 1)"],
    },
    {
      name: "hidden, and the policy does not know",
      subject: exampleSubject(hidden, (_, member) => ({ firstAction: ["answer", "search"][member % 2] })),
      messages: [],
    },
    {
      name: "hidden, and it leaks",
      subject: exampleSubject(hidden, ({ maxTurns }) => ({ firstAction: maxTurns === 1 ? "answer" : "search" })),
      messages: ["first actions depend on a budget that is hidden: distance 0.5 (p 0.002)"],
    },
  ],
  findGap: (subject) => {
    if (subject.groups.size === 0) return "the rollouts name no groups";
    if (subject.rollouts.every(({ firstAction }) => firstAction === undefined))
      return "no rollout states its first action";
    return listJudged(subject).length === 0 ? "no task was played at two budgets" : undefined;
  },
  check(subject, { level }) {
    const { distance, pValue } = testFirstActions(listJudged(subject), subject.settings.seed ?? 1);
    const depends = pValue < level;
    const isHidden = subject.plan.disclosure === "hidden";
    if (depends !== isHidden) return [];
    const figures = `distance ${showNumber(distance)} (p ${showNumber(pValue)})`;
    const evidence = { distance, pValue };
    return isHidden
      ? [{ message: `first actions depend on a budget that is hidden: ${figures}`, evidence }]
      : [
          {
            severity: "warning",
            message: `first actions do not depend on the budget that is told: ${figures}`,
            evidence,
          },
        ];
  },
  summarize(subject) {
    const { distance, pValue } = testFirstActions(listJudged(subject), subject.settings.seed ?? 1);
    const turns = listTurns(subject);
    const used = turns.map(({ maxTurns, meanTurns }) => `T=${maxTurns} ${showNumber(meanTurns)}`).join(", ");
    return {
      text: `first actions: distance ${showNumber(distance)}, p ${showNumber(pValue)}${used === "" ? "" : `; turns used: ${used}`}`,
      values: {
        distance,
        pValue,
        turns: turns.map(({ maxTurns, meanTurns }): JsonObject => ({ maxTurns, meanTurns })),
      },
    };
  },
});
