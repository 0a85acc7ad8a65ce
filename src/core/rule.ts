import type { Finding, Severity } from "./finding.js";

/** A number a rule compares with, which its user can change. */
export interface RuleThreshold {
  readonly default: number;
  /** What it bounds and in which unit. */
  readonly description: string;
}

/** The thresholds of one rule by name. */
export type RuleThresholds = { readonly [name: string]: RuleThreshold };

/** The values of a rule's thresholds during one check. */
export type ThresholdValues<Thresholds extends RuleThresholds> = { readonly [Name in keyof Thresholds]: number };

/** What a rule found; the engine adds the rule's id, and its severity and remedy where the rule states none. */
export type RuleFinding = Omit<Finding, "ruleId" | "severity"> & { readonly severity?: Severity };

/** One documented case of a rule: its test, and part of the rule's documentation. */
export interface RuleExample<Subject> {
  /** What the case shows, as a clause: `one NaN among good values is reported and does no more harm`. */
  readonly name: string;
  readonly subject: Subject;
  /** The messages the rule must give, in order; empty when the subject is sound. */
  readonly messages: readonly string[];
}

/** One diagnosis: what it looks for in a subject, why it matters and what to do. */
export interface Rule<Subject, Thresholds extends RuleThresholds = RuleThresholds> {
  /** Kebab-case, unique among the rules of a subject. */
  readonly id: string;
  /** The severity of its findings where they state none. */
  readonly severity: Severity;
  /** One sentence: what it finds. */
  readonly description: string;
  /** One or two sentences: why that matters, and what the rule cannot tell. */
  readonly rationale: string;
  /** What to do about a finding. */
  readonly remedy: string;
  readonly thresholds: Thresholds;
  readonly examples: readonly RuleExample<Subject>[];
  /** Returns why this subject cannot be judged (what is missing in it), or `undefined` when it can. Absent: always. */
  findGap?(subject: Subject, thresholds: ThresholdValues<Thresholds>): string | undefined;
  /** Returns everything found in a subject that can be judged; empty when it is sound. Must not throw. */
  check(subject: Subject, thresholds: ThresholdValues<Thresholds>): readonly RuleFinding[];
}
