import { budgetResponseRule } from "./budget-response.js";
import type { BudgetRule } from "./budget-rule.js";
import { evaluationTaskRule } from "./evaluation-task.js";
import { flatGroupsRule } from "./flat-groups.js";
import { oneBudgetPerGroupRule } from "./one-budget-per-group.js";
import { planConformityRule } from "./plan-conformity.js";
import { seedReuseRule } from "./seed-reuse.js";
import { taskBudgetIndependenceRule } from "./task-budget-independence.js";
import { tokenShareRule } from "./token-share.js";
import { toldBudgetRule } from "./told-budget.js";
import { truncatedRewardRule } from "./truncated-reward.js";
import { turnsWithinBudgetRule } from "./turns-within-budget.js";

/** The checks of a BudgetMix audit, A1 to A11. */
export const budgetRules: readonly BudgetRule[] = [
  planConformityRule,
  oneBudgetPerGroupRule,
  toldBudgetRule,
  turnsWithinBudgetRule,
  tokenShareRule,
  flatGroupsRule,
  taskBudgetIndependenceRule,
  seedReuseRule,
  truncatedRewardRule,
  evaluationTaskRule,
  budgetResponseRule,
];
