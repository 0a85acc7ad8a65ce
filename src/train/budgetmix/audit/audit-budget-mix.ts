import { usageError, type BudgetPlan, type BudgetRollout, type Finding } from "../../../core/index.js";
import { measureAuditShares, type AuditedBudget } from "./audit-shares.js";
import type { BudgetEvidence, BudgetRule } from "./budget-rule.js";
import { budgetRules } from "./budget-rules.js";
import { createBudgetSubject, type BudgetAuditSettings, type BudgetSubject } from "./budget-subject.js";

/** How an audit is run. */
export interface BudgetAuditOptions extends BudgetAuditSettings {
  /** Values by `rule-id.threshold`. */
  readonly thresholds?: { readonly [name: string]: number };
  /** Findings kept of each check; default 5. The rest is counted. */
  readonly maxFindings?: number;
}

/** What became of one check. A check that could not judge did not pass. */
export interface BudgetCheck {
  /** `A1` to `A11`. */
  readonly number: string;
  readonly ruleId: string;
  readonly description: string;
  /** `fail` when it found an error; warnings alone pass, and are listed. */
  readonly verdict: "pass" | "fail" | "not_judged";
  /** Why it could not judge. */
  readonly gap?: string;
  readonly evidence?: BudgetEvidence;
  /** The first findings; `findingCount` counts them all. */
  readonly findings: readonly Finding[];
  readonly findingCount: number;
}

/** What an audit of a BudgetMix run found. */
export interface BudgetAudit {
  readonly kind: "budgetmix";
  readonly planHash: string;
  readonly rolloutCount: number;
  readonly checks: readonly BudgetCheck[];
  /** What each budget was planned to be and weighs in the loss. */
  readonly budgets: readonly AuditedBudget[];
  readonly aggregation?: BudgetAuditSettings["aggregation"];
}

function readThresholds(given: { readonly [name: string]: number }): void {
  const known = budgetRules.flatMap(({ id, thresholds }) => Object.keys(thresholds).map((name) => `${id}.${name}`));
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name))
      throw usageError(`Cannot set the threshold "${name}": thresholds are ${known.join(", ")}`);
    if (!Number.isFinite(value) || value < 0)
      throw usageError(`Cannot set the threshold "${name}" to ${value}: it must be a number from 0`);
  }
}

function runRule(rule: BudgetRule, subject: BudgetSubject, options: BudgetAuditOptions): BudgetCheck {
  const { thresholds: given = {}, maxFindings = 5 } = options;
  const { number, id: ruleId, description, severity, remedy } = rule;
  const thresholds = Object.fromEntries(
    Object.entries(rule.thresholds).map(([name, each]) => [name, given[`${ruleId}.${name}`] ?? each.default]),
  );
  const gap = rule.findGap?.(subject, thresholds);
  if (gap !== undefined)
    return { number, ruleId, description, verdict: "not_judged", gap, findings: [], findingCount: 0 };
  const findings = rule
    .check(subject, thresholds)
    .map((finding): Finding => ({ severity, remedy, ...finding, ruleId }));
  const hasError = findings.some((finding) => finding.severity === "error");
  return {
    number,
    ruleId,
    description,
    verdict: hasError ? "fail" : "pass",
    evidence: rule.summarize(subject),
    findings: findings.slice(0, maxFindings),
    findingCount: findings.length,
  };
}

/**
 * Judges rollouts against their plan by the checks A1 to A11, each passed, failed or not judged, with what it saw; and
 * returns what each budget weighs in the loss, whether or not that is a fault.
 *
 * @throws {TurnwiseError} (usage) for a threshold that does not exist.
 */
export function auditBudgetMix(
  plan: BudgetPlan,
  rollouts: readonly BudgetRollout[],
  options: BudgetAuditOptions = {},
): BudgetAudit {
  readThresholds(options.thresholds ?? {});
  const subject = createBudgetSubject(plan, rollouts, options);
  return {
    kind: "budgetmix",
    planHash: plan.hash,
    rolloutCount: rollouts.length,
    checks: budgetRules.map((rule) => runRule(rule, subject, options)),
    budgets: measureAuditShares(subject),
    ...(options.aggregation === undefined ? {} : { aggregation: options.aggregation }),
  };
}
