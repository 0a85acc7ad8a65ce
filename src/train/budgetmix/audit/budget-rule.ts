import type { JsonObject, Rule, RuleThresholds } from "../../../core/index.js";
import type { BudgetSubject } from "./budget-subject.js";

/** What a check looked at, whether or not it found something. */
export interface BudgetEvidence {
  /** One line: how much was judged and what came out. */
  readonly text: string;
  readonly values?: JsonObject;
}

/** One check of a BudgetMix audit. */
export interface BudgetRule<Thresholds extends RuleThresholds = RuleThresholds> extends Rule<
  BudgetSubject,
  Thresholds
> {
  /** Its number, e.g. `A1`. */
  readonly number: string;
  /** Returns what a subject that can be judged shows. */
  summarize(subject: BudgetSubject): BudgetEvidence;
}
