import { toSarif, type JsonObject, type SarifTool } from "../../core/index.js";
import type { LintFinding } from "./lint-document.js";
import { lintRules, parityRules } from "./lint-rules.js";

/**
 * Returns findings as SARIF 2.1.0 with fingerprints that survive edits elsewhere. Waived findings are suppressed with
 * their reason: code hosts then show them as closed.
 */
export function toLintSarif(findings: readonly LintFinding[], tool: SarifTool): JsonObject {
  const rules = [...lintRules, ...parityRules];
  const sarif = toSarif(findings, rules, tool);
  const [run] = sarif["runs"] as JsonObject[]; // toSarif() writes one run
  const plain = run["results"] as JsonObject[]; // one for each finding
  const results = plain.map((result, i): JsonObject => {
    const { fingerprint, waiver } = findings[i];
    const suppression =
      waiver === undefined
        ? {}
        : {
            suppressions: [
              { kind: waiver.place.startsWith("line ") ? "inSource" : "external", justification: waiver.reason },
            ],
          };
    return { ...result, partialFingerprints: { "turnwiseLint/v1": fingerprint }, ...suppression };
  });
  return { ...sarif, runs: [{ ...run, results }] };
}
