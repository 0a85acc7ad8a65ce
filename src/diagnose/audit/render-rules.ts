import type { Rule } from "../../core/index.js";

/** A rule without what it judges: what documentation shows of it. */
export type RuleEntry = Pick<
  Rule<unknown>,
  "id" | "severity" | "description" | "rationale" | "remedy" | "thresholds"
> & {
  readonly examples: readonly { readonly name: string; readonly messages: readonly string[] }[];
};

function renderRule({ id, severity, description, rationale, remedy, thresholds, examples }: RuleEntry): string {
  const rows = Object.entries(thresholds).map(
    ([name, threshold]) => `| \`${id}.${name}\` | ${threshold.default} | ${threshold.description} |`,
  );
  const table = rows.length === 0 ? [] : ["| threshold | default | what it bounds |", "|---|---|---|", ...rows, ""];
  const cases = examples.map(
    ({ name, messages }) =>
      `- ${name}: ${messages.length === 0 ? "no finding" : messages.map((message) => `“${message}”`).join("; ")}`,
  );
  return [
    `### ${id}`,
    "",
    `Severity: ${severity}. ${description} ${rationale}`,
    "",
    `What to do: ${remedy}.`,
    "",
    ...table,
    "Examples, which are the rule's tests:",
    "",
    ...cases,
    "",
  ].join("\n");
}

/** Returns the reference of rules as Markdown: severity, reason, remedy, thresholds, and the examples that are their tests. */
export function renderRuleReference(rules: readonly RuleEntry[]): string {
  return rules.map(renderRule).join("\n");
}
