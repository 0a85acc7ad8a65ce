import {
  lintRules,
  parityRules,
  type CodeRun,
  type LintDetails,
  type LintFinding,
  type StageArtefact,
} from "../publish/index.js";
import type { CheckedCode } from "./publish-code.js";
import type { LintedDocument } from "./publish-lint.js";

/** How the text of publish stages is written. */
export interface PublishTextOptions {
  /** Findings shown of one rule; default 10. */
  readonly maxFindings?: number;
}

const labels = { error: "ERROR  ", warning: "WARN   ", note: "NOTE   " };

function renderFinding({ severity, ruleId, message, place, waiver }: LintFinding): string {
  const label = waiver === undefined ? labels[severity] : "WAIVED ";
  const reason = waiver === undefined ? "" : ` (${waiver.reason})`;
  return `${label}${place?.file}:${place?.line}  ${ruleId}  ${message}${reason}`;
}

function renderFindings({ details }: StageArtefact<LintDetails>, maxFindings: number): string[] {
  const shown = new Map<string, number>();
  const told = new Set<string>();
  return details.findings.flatMap((finding) => {
    const { ruleId, remedy } = finding;
    const count = (shown.get(ruleId) ?? 0) + 1;
    shown.set(ruleId, count);
    if (count > maxFindings) {
      const total = details.findings.filter((other) => other.ruleId === ruleId).length;
      return count === maxFindings + 1 ? [`       and ${total - maxFindings} more of ${ruleId}`] : [];
    }
    const help = remedy === undefined || told.has(ruleId) || finding.waiver !== undefined ? [] : [`       ${remedy}`];
    if (help.length > 0) told.add(ruleId);
    return [renderFinding(finding), ...help];
  });
}

function renderGaps({ details }: StageArtefact<LintDetails>): string[] {
  const reasons = new Map<string, string[]>();
  for (const { ruleId, gap } of details.rules)
    if (gap !== undefined) reasons.set(gap, [...(reasons.get(gap) ?? []), ruleId]);
  return [...reasons].map(([reason, rules]) => `       not judged: ${rules.join(", ")}: ${reason}`);
}

function renderStage(artefact: StageArtefact<LintDetails>, maxFindings: number): string[] {
  const { stage, verdict, summary, details } = artefact;
  const head = `${details.file}  ${stage} ${verdict}: ${summary}`;
  return [head, ...renderFindings(artefact, maxFindings), ...renderGaps(artefact)];
}

/** Returns linted documents as text: a line for each finding, the remedy once for each rule. */
export function renderLintText(linted: readonly LintedDocument[], options: PublishTextOptions = {}): string {
  const { maxFindings = 10 } = options;
  return linted
    .flatMap(({ artefact, parity, fixes }) => [
      ...(fixes === undefined || fixes === "" ? [] : [fixes.trimEnd(), ""]),
      ...renderStage(artefact, maxFindings),
      ...(parity === undefined ? [] : renderStage(parity, maxFindings)),
      "",
    ])
    .join("\n")
    .trimEnd();
}

function renderRun(file: string, { block, line, language, outcome, message }: CodeRun): string {
  const name = language === "" ? "" : ` (${language})`;
  const what = `${outcome.toUpperCase().padEnd(7)} ${file}:${line}  ${block}${name}`;
  return message === undefined ? what : `${what}  ${message}`;
}

/** Returns checked code as text: a line for each block that was run, blocked or skipped. */
export function renderCodeText(checked: readonly CheckedCode[]): string {
  return checked
    .flatMap(({ file, artefact: { verdict, summary, details } }) => [
      `${file}  code ${verdict}: ${summary}`,
      ...details.runs.filter(({ outcome }) => outcome !== "parsed").map((run) => renderRun(file, run)),
      "",
    ])
    .join("\n")
    .trimEnd();
}

/** Returns the lint rules for a list: id, severity, what it finds, thresholds. */
export function listLintRules() {
  return [...lintRules, ...parityRules].map(({ id, severity, description, thresholds }) => ({
    id,
    severity,
    description,
    thresholds: Object.entries(thresholds).map(([name, threshold]) => ({ name, ...threshold })),
  }));
}
