import type { RuleFinding } from "../../../core/index.js";
import { measureAuditShares, weighsTokens, type AuditedBudget } from "./audit-shares.js";
import type { BudgetSubject } from "./budget-subject.js";
import { budgetRule, examplePlan, exampleSubject } from "./rule-kit.js";

const plan = examplePlan([
  ["a", 2],
  ["b", 16],
]);

function showShares(budgets: readonly AuditedBudget[], read: (budget: AuditedBudget) => number | undefined): string {
  return budgets.map((budget) => `T=${budget.maxTurns} ${Math.round(100 * (read(budget) ?? 0))} %`).join(", ");
}

/** Returns the share of the loss that each budget has: of tokens, unless the trainer averages over sequences. */
function readWeight({ settings }: BudgetSubject): (budget: AuditedBudget) => number {
  const isByTokens = weighsTokens(settings.aggregation ?? "token_mean");
  return ({ tokenShare = 0, sequenceShare }) => (isByTokens ? tokenShare : sequenceShare);
}

/** A5: the loss weighs budgets as the plan does. */
export const tokenShareRule = budgetRule({
  number: "A5",
  id: "token-share",
  severity: "error",
  description: "Compares the weight each budget has in the loss with its share of the plan.",
  rationale:
    "A mean over the tokens of a batch, the default of verl and TRL, gives a budget the weight of its tokens: episodes with many turns outweigh the mix that was planned. Where the aggregation is not named, a mean over tokens is assumed and a shift is a warning.",
  remedy:
    "Average over sequences, give the budgets weights that undo the shift, or plan the mix with the shift in mind; name what the trainer does with --aggregation",
  thresholds: {
    maxShift: { default: 0.1, description: "most difference between weight and planned share of a budget" },
  },
  examples: [
    {
      name: "a mean over sequences keeps the mix whatever the lengths",
      subject: exampleSubject(plan, ({ maxTurns }) => ({ tokens: 10 * maxTurns }), { aggregation: "sequence_mean" }),
      messages: [],
    },
    {
      name: "a mean over tokens with equally long episodes",
      subject: exampleSubject(plan, () => ({ tokens: 40 }), { aggregation: "token_mean" }),
      messages: [],
    },
    {
      name: "a mean over tokens lets the large budget take over",
      subject: exampleSubject(plan, ({ maxTurns }) => ({ tokens: 10 * maxTurns }), { aggregation: "token_mean" }),
      messages: ["the loss weighs budgets T=2 11 %, T=16 89 % (mean over tokens), planned are T=2 50 %, T=16 50 %"],
    },
    {
      name: "the same where the aggregation is not named: a warning",
      subject: exampleSubject(plan, ({ maxTurns }) => ({ tokens: 10 * maxTurns })),
      messages: [
        "if the loss is a mean over tokens, it weighs budgets T=2 11 %, T=16 89 %, planned are T=2 50 %, T=16 50 %",
      ],
    },
  ],
  findGap: (subject) => {
    const budgets = measureAuditShares(subject);
    if (budgets.length < 2) return "the plan has only one budget in these updates";
    if (budgets.every(({ rollouts }) => rollouts === 0)) return "no rollout states its budget";
    const isByTokens = weighsTokens(subject.settings.aggregation ?? "token_mean");
    return isByTokens && budgets.every(({ tokenShare }) => tokenShare === undefined)
      ? "not all rollouts state their sampled tokens"
      : undefined;
  },
  check(subject, { maxShift }) {
    const budgets = measureAuditShares(subject);
    const read = readWeight(subject);
    const shift = Math.max(...budgets.map((budget) => Math.abs(read(budget) - budget.plannedShare)));
    if (shift <= maxShift) return [];
    const { aggregation } = subject.settings;
    const [found, planned] = [showShares(budgets, read), showShares(budgets, ({ plannedShare }) => plannedShare)];
    const finding: RuleFinding =
      aggregation === undefined
        ? {
            severity: "warning",
            message: `if the loss is a mean over tokens, it weighs budgets ${found}, planned are ${planned}`,
          }
        : {
            message: `the loss weighs budgets ${found} (mean over ${weighsTokens(aggregation) ? "tokens" : "sequences"}), planned are ${planned}`,
          };
    return [{ ...finding, evidence: { shift } }];
  },
  summarize(subject) {
    const budgets = measureAuditShares(subject);
    const shares = showShares(budgets, ({ tokenShare, sequenceShare }) => tokenShare ?? sequenceShare);
    return { text: `${budgets[0]?.tokenShare === undefined ? "episodes" : "tokens"}: ${shares}` };
  },
});
