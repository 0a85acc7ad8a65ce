import {
  isJsonObject,
  type AuditedFile,
  type AuditResult,
  type Finding,
  type RefusedFile,
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
/** Files shown that were passed over in folders. */
const maxSkipped = 10;

function countWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function findExcerpt({ evidence }: Finding): TokenExcerpt | undefined {
  const excerpt = evidence?.["excerpt"];
  return isJsonObject(excerpt) ? (excerpt as unknown as TokenExcerpt) : undefined; // only rules about masks write this field
}

function renderFile(
  kind: AuditResult["kind"],
  { file, format, run, rowCount, unreadCount = 0, facts, metrics = {}, problems: all }: AuditedFile,
): string[] {
  const problems = all.slice(unreadCount); // records that were not read have a line of their own
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

/** Records that could not be read are as loud as a finding: the rules say nothing of them. */
function renderUnread({ file, rowCount, unreadCount = 0, problems }: AuditedFile): string[] {
  if (unreadCount === 0) return [];
  const shown = problems.slice(0, Math.min(unreadCount, maxProblems)).map((problem) => `${indent}${problem}`);
  const rest = unreadCount > maxProblems ? [`${indent}and ${unreadCount - maxProblems} more`] : [];
  return [
    `UNREAD   ${countWords(unreadCount, "record")} of ${file} could not be read, beside ${countWords(rowCount, "sample")} that could: no rule says anything of them`,
    ...shown,
    ...rest,
    "",
  ];
}

function renderRefused({ reason, remedy }: RefusedFile): string[] {
  return [`REFUSED  ${reason}`, ...(remedy === undefined ? [] : [`${indent}${remedy}`]), ""];
}

function renderSkipped(skipped: readonly RefusedFile[]): string[] {
  if (skipped.length === 0) return [];
  const shown = skipped.slice(0, maxSkipped).map(({ file, reason }) => `  ${file}: ${reason}`);
  const rest = skipped.length > maxSkipped ? [`  and ${skipped.length - maxSkipped} more`] : [];
  return [`Passed over ${countWords(skipped.length, "file")}:`, ...shown, ...rest, ""];
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
 * Returns an audit as text for a terminal: what was read and what was not, the findings worst first with place, tokens and remedy, and
 * the rules that could not judge anything, with the reason.
 */
export function renderAuditText(result: AuditResult, { colour = false }: AuditTextOptions = {}): string {
  const { kind, files, findings, counts, refused = [], skipped = [] } = result;
  const omittedCount = counts.error + counts.warning + counts.note - findings.length;
  const hasExcerpt = findings.some((finding) => findExcerpt(finding) !== undefined);
  const legend = colour
    ? "Green is trained, underlined is the place; ~ follows tokens the policy sampled"
    : "[token] is trained, ^ marks the place, ~ follows tokens the policy sampled";
  return [
    ...files.flatMap((file) => renderFile(kind, file)),
    "",
    ...renderSkipped(skipped),
    ...refused.flatMap(renderRefused),
    ...files.flatMap(renderUnread),
    ...findings.flatMap((finding) => renderFinding(finding, colour)),
    ...(hasExcerpt ? [legend, ""] : []),
    ...(omittedCount > 0 ? [`${countWords(omittedCount, "more finding")} not shown (--max-findings)`, ""] : []),
    ...renderSummary(result),
  ].join("\n");
}
