import {
  isJsonObject,
  type AuditedFile,
  type AuditResult,
  type Finding,
  type Severity,
  type TokenExcerpt,
} from "../core/index.js";
import { renderExcerpt } from "../diagnose/index.js";

/** How the text of an audit is written. */
export interface AuditTextOptions {
  /** Terminal colours; default plain markers. */
  readonly colour?: boolean;
}

const indent = " ".repeat(9);
/** Reading problems shown of one file. */
const maxProblems = 5;

function countWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function findExcerpt({ evidence }: Finding): TokenExcerpt | undefined {
  const excerpt = evidence?.["excerpt"];
  return isJsonObject(excerpt) ? (excerpt as unknown as TokenExcerpt) : undefined; // only rules about masks write this field
}

function renderFile(
  kind: AuditResult["kind"],
  { file, format, run, rowCount, facts, metrics = {}, problems }: AuditedFile,
): string[] {
  const name = run === undefined ? file : `${file}, run "${run}"`;
  const what =
    kind === "log"
      ? `${countWords(rowCount, "row")}, updates ${facts["firstUpdate"]} to ${facts["lastUpdate"]}, ordered by ${facts["orderedBy"]}`
      : `${countWords(rowCount, "sample")}, ${facts["trainedCount"]} of ${facts["tokenCount"]} tokens trained`;
  const taken = Object.entries(metrics).map(([metric, column]) => `${metric} = ${column}`);
  const shown = problems.slice(0, maxProblems).map((problem) => `  ${problem}`);
  const rest =
    problems.length > maxProblems
      ? [`  and ${countWords(problems.length - maxProblems, "more problem")} while reading`]
      : [];
  return [`${name} (${format}): ${what}`, ...(taken.length === 0 ? [] : [`  ${taken.join(", ")}`]), ...shown, ...rest];
}

function renderPlace({ place }: Finding): string[] {
  if (place === undefined) return [];
  const file = place.file === undefined ? [] : [place.line === undefined ? place.file : `${place.file}:${place.line}`];
  return [`${indent}at ${[...file, ...(place.detail === undefined ? [] : [place.detail])].join(", ")}`];
}

function renderFinding(finding: Finding, colour: boolean): string[] {
  const { severity, ruleId, message, remedy } = finding;
  const excerpt = findExcerpt(finding);
  return [
    `${severity.toUpperCase().padEnd(8)} ${ruleId}: ${message}`,
    ...renderPlace(finding),
    ...(excerpt === undefined ? [] : [`${indent}${renderExcerpt(excerpt, { colour })}`]),
    ...(remedy === undefined ? [] : [`${indent}${remedy}`]),
    "",
  ];
}

function renderSummary({ rules, counts: found }: AuditResult): string[] {
  const judged = rules.filter(({ judgedCount }) => judgedCount > 0);
  const severities: readonly Severity[] = ["error", "warning", "note"];
  const counts = severities.map((severity) => countWords(found[severity], severity));
  const gaps = rules.flatMap(({ ruleId, judgedCount, gaps: reasons }) =>
    judgedCount > 0
      ? []
      : [`  not judged  ${ruleId}: ${reasons.map(({ reason }) => reason).join("; ") || "there was nothing to judge"}`],
  );
  return [`${judged.length} of ${rules.length} rules could judge: ${counts.join(", ")}`, ...gaps];
}

/**
 * Returns an audit as text for a terminal: what was read, the findings worst first with place, tokens and remedy, and
 * the rules that could not judge anything, with the reason.
 */
export function renderAuditText(result: AuditResult, { colour = false }: AuditTextOptions = {}): string {
  const { kind, files, findings, counts } = result;
  const omittedCount = counts.error + counts.warning + counts.note - findings.length;
  const hasExcerpt = findings.some((finding) => findExcerpt(finding) !== undefined);
  const legend = colour
    ? "Green is trained, underlined is the place; ~ follows tokens the policy sampled"
    : "[token] is trained, ^ marks the place, ~ follows tokens the policy sampled";
  return [
    ...files.flatMap((file) => renderFile(kind, file)),
    "",
    ...findings.flatMap((finding) => renderFinding(finding, colour)),
    ...(hasExcerpt ? [legend, ""] : []),
    ...(omittedCount > 0 ? [`${countWords(omittedCount, "more finding")} not shown (--max-findings)`, ""] : []),
    ...renderSummary(result),
  ].join("\n");
}
