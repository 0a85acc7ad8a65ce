import { usageError, type AuditResult, type Finding, type Rule, type Severity } from "../../core/index.js";

/** Which rules run and with which thresholds. */
export interface AuditOptions {
  /** Only these rules; default all. */
  readonly rules?: readonly string[];
  /** Not these. */
  readonly disabled?: readonly string[];
  /** Values by `rule-id.threshold`. */
  readonly thresholds?: { readonly [name: string]: number };
  /** Findings kept of each rule; default 5. The rest is counted. */
  readonly maxFindings?: number;
}

/** What rules found in subjects handed in one after another. */
export interface RuleRun<Subject> {
  /** The rules that run. */
  readonly ruleIds: readonly string[];
  /** Returns the ids of the rules that could judge the subject. */
  add(subject: Subject): string[];
  finish(): Pick<AuditResult, "rules" | "findings" | "counts">;
}

interface RuleState<Subject> {
  readonly rule: Rule<Subject>;
  readonly thresholds: { readonly [name: string]: number };
  readonly findings: Finding[];
  readonly gaps: Map<string, number>;
  readonly counts: { [severity in Severity]: number };
  judgedCount: number;
  affectedCount: number;
}

function refuseUnknown(ids: readonly string[], known: readonly { readonly id: string }[], what: string): void {
  const odd = ids.find((id) => !known.some((rule) => rule.id === id));
  if (odd !== undefined)
    throw usageError(`Cannot ${what} rule "${odd}": rules are ${known.map(({ id }) => id).join(", ")}`);
}

function readThresholds<Subject>(rules: readonly Rule<Subject>[], given: { readonly [name: string]: number }): void {
  const known = rules.flatMap(({ id, thresholds }) => Object.keys(thresholds).map((name) => `${id}.${name}`));
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name))
      throw usageError(`Cannot set the threshold "${name}": thresholds are ${known.join(", ")}`);
    if (!Number.isFinite(value) || value < 0)
      throw usageError(`Cannot set the threshold "${name}" to ${value}: it must be a number from 0`);
  }
}

/** Lets one rule judge a subject and says whether it could. */
function judge<Subject>(state: RuleState<Subject>, subject: Subject, maxFindings: number): boolean {
  const { rule, thresholds } = state;
  const gap = rule.findGap?.(subject, thresholds);
  if (gap !== undefined) {
    state.gaps.set(gap, (state.gaps.get(gap) ?? 0) + 1);
    return false;
  }
  state.judgedCount += 1;
  const found = rule.check(subject, thresholds);
  if (found.length > 0) state.affectedCount += 1;
  for (const finding of found) {
    const severity = finding.severity ?? rule.severity;
    state.counts[severity] += 1;
    if (state.findings.length < maxFindings)
      state.findings.push({ ruleId: rule.id, ...finding, severity, remedy: finding.remedy ?? rule.remedy });
  }
  return true;
}

const severityOrder = ["error", "warning", "note"] as const;

function countFindings<Subject>(states: readonly RuleState<Subject>[], severity: Severity): number {
  return states.reduce((sum, { counts }) => sum + counts[severity], 0);
}

/**
 * Starts a run of rules over subjects. Each rule judges each subject on its own; one that cannot judge a subject says
 * why, which is not a pass. Findings come out worst first, then in the order of the rules.
 *
 * @throws {TurnwiseError} (usage) for a rule or threshold that does not exist.
 */
export function startRuleRun<Subject>(known: readonly Rule<Subject>[], options: AuditOptions = {}): RuleRun<Subject> {
  const { rules: only, disabled = [], thresholds: given = {}, maxFindings = 5 } = options;
  refuseUnknown(only ?? [], known, "run");
  refuseUnknown(disabled, known, "disable");
  readThresholds(known, given);
  const states = known
    .filter(({ id }) => (only === undefined || only.includes(id)) && !disabled.includes(id))
    .map((rule): RuleState<Subject> => {
      const thresholds = Object.entries(rule.thresholds).map(
        ([name, threshold]) => [name, given[`${rule.id}.${name}`] ?? threshold.default] as const,
      );
      return {
        rule,
        thresholds: Object.fromEntries(thresholds),
        findings: [],
        gaps: new Map(),
        counts: { error: 0, warning: 0, note: 0 },
        judgedCount: 0,
        affectedCount: 0,
      };
    });
  if (states.length === 0) {
    throw usageError(
      "Cannot audit without a rule: every rule that was asked for is disabled",
      "Leave out --disable for one of them, or name others with --rule",
    );
  }
  return {
    ruleIds: states.map(({ rule }) => rule.id),
    add: (subject) => states.flatMap((state) => (judge(state, subject, maxFindings) ? [state.rule.id] : [])),
    finish: () => ({
      rules: states.map(({ rule, thresholds, gaps, judgedCount, affectedCount }) => ({
        ruleId: rule.id,
        severity: rule.severity,
        description: rule.description,
        thresholds,
        judgedCount,
        affectedCount,
        gaps: [...gaps].map(([reason, count]) => ({ reason, count })),
      })),
      findings: severityOrder.flatMap((severity) =>
        states.flatMap(({ findings }) => findings.filter((finding) => finding.severity === severity)),
      ),
      counts: {
        error: countFindings(states, "error"),
        warning: countFindings(states, "warning"),
        note: countFindings(states, "note"),
      },
    }),
  };
}
