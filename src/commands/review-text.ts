import {
  toAuditSarif,
  type AuditFile,
  type AuditFinding,
  type GateBlock,
  type VerifyResult,
} from "../publish/index.js";
import type { JsonObject } from "../core/index.js";
import { getPackageVersion } from "./package-version.js";
import type { GateResult, ImportedAudit } from "./publish-audit.js";
import type { ProbedDocument } from "./publish-probe.js";
import type { ResidueScan } from "./publish-residue.js";
import type { ReviewedDocument } from "./publish-review.js";
import type { TriagedDocument } from "./publish-triage.js";

function shorten(text: string, length = 100): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

function describeFinding({ id, severity, state, supported, location, problem, category }: AuditFinding): string {
  const line = location.line_start === undefined ? "" : `line ${location.line_start}  `;
  const mark = supported ? "" : " (unsupported)";
  return `  ${id}  ${severity.padEnd(7)} ${state.padEnd(10)} ${line}${category}: ${shorten(problem)}${mark}`;
}

/** Returns what a review came to, for a terminal. */
export function renderReviewText({
  file,
  verdict,
  reason_code,
  summary,
  rounds,
  stop,
  audit,
}: ReviewedDocument): string {
  const lines = [`${file}: content ${verdict} (${reason_code}) ${summary}`];
  for (const { run, backend, reviewer_id, reviewer_family, voided, eligibility, pass_results } of rounds) {
    const who =
      reviewer_id === undefined
        ? "nobody"
        : `"${reviewer_id}"${reviewer_family === undefined ? "" : ` of family ${reviewer_family}`}`;
    const remark = voided ? ", void" : eligibility === undefined ? "" : `, does not count: ${eligibility}`;
    lines.push(`round ${run}: ${who} by ${backend}${remark}`);
    for (const {
      pass,
      verdict: each,
      reason_code: code,
      coverage_ratio,
      item_count,
      findings,
      message,
    } of pass_results) {
      const counts =
        item_count === 0
          ? "nothing to do"
          : `${Math.round(coverage_ratio * item_count)} of ${item_count} items, ${findings.length} findings`;
      lines.push(
        `  ${pass.padEnd(12)} ${each.padEnd(18)} ${counts}${each === "PASS" || each === "NOT_APPLICABLE" ? "" : `  ${message === undefined ? code : shorten(message, 160)}`}`,
      );
    }
  }
  const findings: readonly AuditFinding[] = audit.findings;
  const open = findings.filter(({ state }) => state === "open" || state === "accepted");
  if (open.length > 0) lines.push("open findings:", ...open.map(describeFinding));
  const markers = audit.needs_verify.filter(({ state }) => state === "open");
  if (markers.length > 0)
    lines.push(
      "to verify:",
      ...markers.map(({ id, text, location }) => `  ${id}  line ${location.line ?? "?"}  ${shorten(text)}`),
    );
  if (stop !== undefined) lines.push(`stopped: ${stop}`);
  return lines.join("\n");
}

/** Returns the findings, corrections and marked statements on record, for a terminal. */
export function renderTriageText({ file, findings, review }: TriagedDocument): string {
  const corrections = review.corrections.map(({ id, summary, residue }) => {
    const places =
      residue === undefined
        ? "not scanned"
        : residue.clean
          ? "clean"
          : `${residue.hits.filter(({ waived }) => waived === undefined).length} places left`;
    return `  ${id}  ${places.padEnd(14)} ${shorten(summary ?? "")}`;
  });
  const markers = review.needsVerify.map(({ id, state, text }) => `  ${id}  ${state.padEnd(10)} ${shorten(text)}`);
  return [
    `${file}: ${findings.length} findings, ${corrections.length} corrections, ${markers.length} marked statements`,
    ...findings.map(describeFinding),
    ...(corrections.length > 0 ? ["corrections:", ...corrections] : []),
    ...(markers.length > 0 ? ["to verify:", ...markers] : []),
  ].join("\n");
}

/** Returns the places where corrected wordings still stand, for a terminal. */
export function renderResidueText(scans: readonly ResidueScan[]): string {
  if (scans.length === 0) return "no corrections on record";
  return scans
    .flatMap(({ id, corrections }) => [
      `${id}: ${corrections.length} corrections, ${corrections.filter(({ residue }) => residue?.clean === true).length} clean`,
      ...corrections.flatMap(({ id: correction, residue }) =>
        (residue?.hits ?? [])
          .filter(({ waived }) => waived === undefined)
          .map(
            ({ file, line, block, excerpt }) =>
              `  ${correction}  ${file}${line === undefined ? (block === undefined ? "" : ` block ${block}`) : `:${line}`}  ${shorten(excerpt)}`,
          ),
      ),
    ])
    .join("\n");
}

/** Returns what closes a gate as one line. */
export function renderGateBlock({ stage, verdict, reason_code, message }: GateBlock): string {
  return `  closed by ${stage}: ${verdict} (${reason_code})${message === undefined ? "" : `: ${message}`}`;
}

/** Returns what the gate decided, for a terminal. */
export function renderGateText({ documents }: GateResult): string {
  return documents
    .flatMap(({ file, level, decision, verdict, stages, blocking, skipped }) => [
      `${file}: gate ${decision} at ${level}, worst stage ${verdict}`,
      ...stages.map(
        ({ stage, verdict: each, reason_code }) => `  ${stage.padEnd(16)} ${(each ?? "").padEnd(18)} ${reason_code}`,
      ),
      ...(skipped.length > 0 ? [`  not run, let pass at draft: ${skipped.join(", ")}`] : []),
      ...blocking.map(renderGateBlock),
    ])
    .join("\n");
}

/** Returns what checking hashes came to, for a terminal. */
export function renderVerifyText(results: readonly VerifyResult[]): string {
  return results
    .flatMap(({ audit, checked, problems }) => [
      `${audit}: ${problems.length === 0 ? "all hashes hold" : `${problems.length} problems`} (${checked.inputs} inputs, ${checked.outputs} pages, ${checked.artefacts} artefacts, ${checked.traces} traces, ${checked.versions} versions)`,
      ...problems.map(({ kind, path, message }) => `  ${kind.padEnd(9)} ${path}: ${message}`),
    ])
    .join("\n");
}

/** Returns what imports came to, for a terminal. */
export function renderImportText(imported: readonly ImportedAudit[]): string {
  return imported
    .map(({ from, written, audit }) => {
      const label =
        audit.legacy?.["verdict"] ??
        (audit.legacy?.["math_code_review"] as { readonly verdict?: unknown } | undefined)?.verdict; // as somebody wrote it
      const violations = audit.independence?.violations.length ?? 0;
      return `${from} -> ${written}: ${audit.summary}${typeof label === "string" ? ` Its label said "${shorten(label, 60)}".` : ""}${violations > 0 ? ` ${violations} decisions by the author.` : ""}`;
    })
    .join("\n");
}

/** Returns the recall a reviewer showed, for a terminal. */
export function renderProbeText({ file, probe }: ProbedDocument): string {
  const rows = probe.recall.map(
    ({ class: name, n, found, low, high }) =>
      `  ${name.padEnd(20)} ${found} of ${n}  (95 % interval ${low.toFixed(2)} to ${high.toFixed(2)})`,
  );
  const failed = probe.passes.filter(({ verdict }) => verdict === "ERROR" || verdict === "REVIEW_UNAVAILABLE");
  return [
    `${file}: known defects found by the reviewer, seed ${probe.seed}`,
    ...(rows.length === 0 ? ["  no pass was answered"] : rows),
    ...failed.map(({ pass, verdict, message, reason_code }) => `  ${pass}: ${verdict} ${message ?? reason_code}`),
    `  ${probe.otherFindings} further findings`,
  ].join("\n");
}

/** Returns the findings of an audit as SARIF 2.1.0. */
export function renderAuditSarif(audit: AuditFile): JsonObject {
  return toAuditSarif(audit, { name: "turnwise", version: getPackageVersion() });
}
