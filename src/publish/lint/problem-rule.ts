// internal
import type { Severity } from "../../core/index.js";
import { lintFinding, lintRule, type LintExample, type LintRule } from "./lint-rule.js";

/** Returns the rule that reports what the parser could not take as written, under the parser's own id for it. */
export function problemRule(parts: {
  readonly id: string;
  readonly severity: Severity;
  readonly description: string;
  readonly rationale: string;
  readonly remedy: string;
  readonly examples: readonly LintExample[];
}): LintRule {
  return lintRule({
    ...parts,
    check: ({ document }) =>
      document.problems.filter(({ rule }) => rule === parts.id).map(({ line, message }) => lintFinding(line, message)),
  });
}
