import type { BudgetRollout, RuleFinding } from "../../../core/index.js";
import { budgetRule, countOf, examplePlan, exampleSubject } from "./rule-kit.js";

const plan = examplePlan([
  ["a", 2],
  ["b", 8],
]);

/** What all episodes of a group must share. */
const shared: readonly { readonly what: string; readonly read: (rollout: BudgetRollout) => string | undefined }[] = [
  { what: "budgets", read: ({ maxTurns }) => (maxTurns === undefined ? undefined : `T=${maxTurns}`) },
  { what: "tasks", read: ({ taskHash, taskId }) => taskId ?? taskHash },
  { what: "env seeds", read: ({ envSeed }) => (envSeed === undefined ? undefined : String(envSeed)) },
];

/** A2: one budget, task and env seed in a group. */
export const oneBudgetPerGroupRule = budgetRule({
  number: "A2",
  id: "one-budget-per-group",
  severity: "error",
  description: "Finds groups whose episodes differ in budget, task or env seed.",
  rationale:
    "The advantage is a return less its group's mean. When a group mixes budgets, long ones look good and short ones bad whatever the policy did: with rewards 0, 0, 0, 1 at a tight and 1, 1, 1, 0 at a loose budget the pooled advantages are ∓0.935 and say only which budget was drawn.",
  remedy: "Group by task and budget: one row of the plan is one group",
  thresholds: {},
  examples: [
    { name: "one budget in each group", subject: exampleSubject(plan), messages: [] },
    {
      name: "two budgets in one group",
      subject: exampleSubject(plan, ({ group }, member) => (group === "g1" && member === 1 ? { maxTurns: 2 } : {})),
      messages: ['group "g1" mixes budgets: T=8, T=2'],
    },
    {
      name: "two env seeds in one group",
      subject: exampleSubject(plan, ({ group }, member) => (group === "g0" && member === 1 ? { envSeed: 5 } : {})),
      messages: ['group "g0" mixes env seeds: 100, 5'],
    },
  ],
  findGap: ({ rollouts, groups }) => {
    if (groups.size === 0) return "the rollouts name no groups";
    return rollouts.some(({ maxTurns }) => maxTurns !== undefined) ? undefined : "the rollouts state no budget";
  },
  check: ({ rollouts, groups }) =>
    [...groups].flatMap(([group, members]) =>
      shared.flatMap(({ what, read }): RuleFinding[] => {
        const values = [...new Set(members.map((position) => read(rollouts[position])))].filter(
          (value) => value !== undefined,
        );
        if (values.length < 2) return [];
        const odd = members.find((position) => read(rollouts[position]) === values[1]) ?? members[0];
        return [
          {
            message: `group "${group}" mixes ${what}: ${values.join(", ")}`,
            place: rollouts[odd].place,
            evidence: { group, values },
          },
        ];
      }),
    ),
  summarize: ({ groups }) => ({ text: `${countOf(groups.size, "group")} looked at`, values: { groups: groups.size } }),
});
