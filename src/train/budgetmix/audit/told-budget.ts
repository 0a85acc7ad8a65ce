import type { Disclosure, RuleFinding, ToldBudget } from "../../../core/index.js";
import type { BudgetSubject } from "./budget-subject.js";
import { budgetRule, countOf, examplePlan, exampleSubject, getCap, nameRollout } from "./rule-kit.js";

const cells = [
  ["a", 2],
  ["b", 8],
] as const;
const announced = examplePlan(cells);
const countdown = examplePlan(cells, { disclosure: "countdown" });
const hidden = examplePlan(cells, { disclosure: "hidden" });

/** Returns what is wrong with what one episode was told, in words; `undefined` when it is what was enforced. */
function findUntruth(disclosure: Disclosure, told: readonly ToldBudget[], cap: number): string | undefined {
  const [first] = told;
  if (disclosure === "hidden") {
    return first === undefined ? undefined : `was told ${first.turns} turns, and the plan hides budgets`;
  }
  if (first === undefined) return `was told no budget, enforced is T=${cap}`;
  for (const { kind, turns, turnIndex } of told) {
    const due = kind === "all" ? cap : cap - turnIndex;
    if (turns === due) continue;
    return kind === "all"
      ? `was told ${turns} turns, enforced is T=${cap}`
      : `was told ${turns} turns are left at turn ${turnIndex + 1} of T=${cap}, left are ${due}`;
  }
  return undefined;
}

function listJudged({
  rollouts,
  ...rest
}: BudgetSubject): { readonly position: number; readonly told: readonly ToldBudget[]; readonly cap: number }[] {
  return rollouts.flatMap(({ told }, position) => {
    const cap = getCap({ rollouts, ...rest }, position);
    return told === undefined || cap === undefined ? [] : [{ position, told, cap }];
  });
}

/** A3: the number in the prompt is the cap that was enforced. */
export const toldBudgetRule = budgetRule({
  number: "A3",
  id: "told-budget",
  severity: "error",
  description: "Finds prompts whose number of turns is not the cap that was enforced, or that tell a hidden budget.",
  rationale:
    "A policy that is told another number than it gets learns that the number means nothing. Numbers are read from the rendered prompt, worded as `renderDisclosure()` words them; another wording is not seen.",
  remedy:
    "Set the cap from the row that the prompt was rendered from; where the engine counts otherwise, translate the cap, not the text",
  thresholds: {},
  examples: [
    { name: "announced once and enforced", subject: exampleSubject(announced), messages: [] },
    {
      name: "a countdown that counts down",
      subject: exampleSubject(countdown, ({ maxTurns }) => ({
        told: [0, 1].map((turnIndex) => ({ kind: "left", turns: maxTurns - turnIndex, turnIndex })),
      })),
      messages: [],
    },
    {
      name: "one turn fewer than announced, as with a cap on assistant turns whose last action is not carried out",
      subject: exampleSubject(announced, ({ maxTurns, group }) => (group === "g1" ? { maxTurns: maxTurns - 1 } : {})),
      messages: [
        'a rollout of group "g1" was told 8 turns, enforced is T=7',
        'a rollout of group "g1" was told 8 turns, enforced is T=7',
      ],
    },
    {
      name: "a countdown that stands still",
      subject: exampleSubject(countdown, ({ maxTurns, group }, member) =>
        group === "g0" && member === 0
          ? { told: [0, 1].map((turnIndex) => ({ kind: "left", turns: maxTurns, turnIndex })) }
          : {},
      ),
      messages: ['a rollout of group "g0" was told 2 turns are left at turn 2 of T=2, left are 1'],
    },
    {
      name: "a hidden budget that is told",
      subject: exampleSubject(hidden, ({ group }, member) =>
        group === "g0" && member === 0 ? { told: [{ kind: "all", turns: 2, turnIndex: 0 }] } : {},
      ),
      messages: ['a rollout of group "g0" was told 2 turns, and the plan hides budgets'],
    },
    {
      name: "an announcement left out",
      subject: exampleSubject(announced, ({ group }, member) => (group === "g0" && member === 0 ? { told: [] } : {})),
      messages: ['a rollout of group "g0" was told no budget, enforced is T=2'],
    },
  ],
  findGap: (subject) =>
    listJudged(subject).length === 0 ? "no rollout has both its prompt and the cap that was enforced" : undefined,
  check(subject) {
    return listJudged(subject).flatMap(({ position, told, cap }): RuleFinding[] => {
      const untruth = findUntruth(subject.plan.disclosure, told, cap);
      if (untruth === undefined) return [];
      const rollout = subject.rollouts[position];
      const numbers = told.map(({ turns }) => turns);
      return [
        { message: `${nameRollout(rollout)} ${untruth}`, place: rollout.place, evidence: { told: numbers, cap } },
      ];
    });
  },
  summarize(subject) {
    const judged = listJudged(subject).length;
    const { disclosure } = subject.plan;
    return {
      text: `the prompts of ${judged} of ${countOf(subject.rollouts.length, "rollout")} were read; budgets are ${disclosure === "hidden" ? "hidden" : `told (${disclosure})`}`,
      values: { judged, rollouts: subject.rollouts.length },
    };
  },
});
