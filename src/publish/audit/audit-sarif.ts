import { toSarif, type Finding, type JsonObject, type SarifTool, type Severity } from "../../core/index.js";
import type { AuditFile } from "./audit-file.js";

const levels: Readonly<Record<string, Severity>> = { blocker: "error", major: "error", minor: "warning", nit: "note" };

/**
 * Returns the findings of an audit as SARIF 2.1.0: reviewers' findings at their lines, our fingerprint as partial
 * fingerprint, and those that are rejected, deferred, fixed or verified as suppressed with the reason on record.
 */
export function toAuditSarif(audit: AuditFile, tool: SarifTool): JsonObject {
  const findings = audit.findings.map((finding): Finding => ({
    ruleId: finding.category,
    severity: levels[finding.severity],
    message: finding.problem,
    place: { file: audit.source, line: finding.location.line_start, detail: finding.location.block },
    ...(finding.proposed === undefined ? {} : { remedy: finding.proposed }),
  }));
  const log = toSarif(findings, [], tool);
  const [run] = log["runs"] as readonly [JsonObject & { readonly results: readonly JsonObject[] }]; // made above
  const results = run.results.map((result, index): JsonObject => {
    const { fingerprint, state, state_history } = audit.findings[index];
    const isSettled = state !== "open" && state !== "accepted";
    const reason = state_history.at(-1)?.reason ?? state;
    return {
      ...result,
      partialFingerprints: { "turnwise/v1": fingerprint },
      ...(isSettled
        ? { suppressions: [{ kind: "external", status: "accepted", justification: `${state}: ${reason}` }] }
        : {}),
    };
  });
  return { ...log, runs: [{ ...run, results }] };
}
