import type { Finding } from "../core/index.js";
import type { BoundClaims, CheckedClaims } from "./publish-claims.js";

const labels = { error: "ERROR  ", warning: "WARN   ", note: "NOTE   " };

/** Returns findings as lines, at most `maxFindings` of each rule. */
export function renderFindingLines(findings: readonly Finding[], maxFindings: number): string[] {
  const counts = new Map<string, number>();
  return findings.flatMap(({ severity, ruleId, message, place }) => {
    const count = (counts.get(ruleId) ?? 0) + 1;
    counts.set(ruleId, count);
    if (count > maxFindings) {
      const total = findings.filter((other) => other.ruleId === ruleId).length;
      return count === maxFindings + 1 ? [`       and ${total - maxFindings} more of ${ruleId}`] : [];
    }
    const at = place?.line === undefined ? (place?.file ?? "") : `${place.file}:${place.line}`;
    return [`${labels[severity]}${at}  ${ruleId}  ${message}`];
  });
}

/** Returns checked claims as text: the verdict of each document, then what is wrong. */
export function renderClaimsText(checked: readonly CheckedClaims[], maxFindings = 10): string {
  return checked
    .flatMap(({ file, artefact }) => [
      `${file}  claims ${artefact.verdict}: ${artefact.summary}`,
      ...renderFindingLines(artefact.details.findings, maxFindings),
    ])
    .join("\n");
}

/** Returns the claims of documents as a table in text, and the numbers that have none. */
export function renderClaimList(checked: readonly CheckedClaims[]): string {
  return checked
    .flatMap(({ file, artefact: { details } }) => [
      `${file}: ${details.claims.length} claims, ${details.unbound.length} unbound numbers`,
      ...details.claims.map(
        ({ id, display = "–", status, expr, inputs }) =>
          `  ${id.padEnd(28)} ${display.padStart(12)}  ${status.padEnd(18)} ${expr}  ${inputs.map(({ artefact, select }) => `${artefact} ${select}`).join(" ; ")}`,
      ),
      ...details.unbound.map(
        ({ line, text, sentence }) =>
          `  ${`${file}:${line}`.padEnd(28)} ${text.padStart(12)}  unbound            ${sentence.replace(/\s+/g, " ").slice(0, 100)}`,
      ),
    ])
    .join("\n");
}

/** Returns what binding changed as text. */
export function renderBindText({ file, changes, isWritten }: BoundClaims): string {
  const bound = changes.filter(({ isBound }) => isBound);
  const rows = changes.map(({ line, text, candidates, isBound }) => {
    const what = isBound
      ? `[${text}]{#${candidates[0]}}`
      : candidates.length === 0
        ? "fits no claim of the ledger"
        : candidates.length === 1
          ? `fits ${candidates[0]}: too short to bind by itself`
          : `fits ${candidates.join(", ")}: bind it by hand`;
    return `  ${`${file}:${line}`.padEnd(24)} ${text.padStart(12)}  ${what}`;
  });
  return [
    `${file}: ${bound.length} of ${changes.length} free numbers ${isWritten ? "bound" : "can be bound"}`,
    ...rows,
  ].join("\n");
}
