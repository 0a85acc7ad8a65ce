import type { Correction } from "./correction.js";
import { isBlocking, type AuditFinding } from "./finding.js";
import type { ReviewRound } from "./round-record.js";
import { findWording, toSearchText } from "./search-text.js";

/** Two reviewers who cannot both be right about one place. */
export interface Disagreement {
  readonly kind: "same_text" | "reversal";
  readonly finding: string;
  readonly item?: string;
  readonly message: string;
}

/** Returns who examined an item of a text, by reviewer, without finding anything there. */
function listAcquittals(rounds: readonly ReviewRound[], findings: readonly AuditFinding[]): Map<string, Set<string>> {
  const acquittals = new Map<string, Set<string>>();
  for (const { reviewer_id, source_sha256, pass_results, voided, run } of rounds) {
    if (voided || reviewer_id === undefined) continue;
    for (const { pass, coverage } of pass_results) {
      for (const { item, status, method } of coverage) {
        // To have read an item is no judgement of it; to have derived or run it is.
        if (status !== "checked" || method === "read") continue;
        const isRaised = findings.some(
          ({ location, rounds: raised }) => location.block === item && (raised ?? []).includes(run),
        );
        if (isRaised) continue;
        const key = JSON.stringify([source_sha256, pass, item]);
        acquittals.set(key, (acquittals.get(key) ?? new Set()).add(reviewer_id));
      }
    }
  }
  return acquittals;
}

/**
 * Returns where reviewers contradict each other: one found a blocking defect in an item that another one, on the same
 * text and in the same pass, derived, probed or executed without a finding; or a finding asks for the words that an
 * earlier correction took out.
 */
export function findDisagreements(
  rounds: readonly ReviewRound[],
  findings: readonly AuditFinding[],
  corrections: readonly Correction[] = [],
): Disagreement[] {
  const acquittals = listAcquittals(rounds, findings);
  const live = findings.filter((finding) => isBlocking(finding) && finding.state === "open");
  const sameText = live.flatMap((finding): Disagreement[] => {
    const { block } = finding.location;
    if (block === undefined) return [];
    for (const run of finding.rounds ?? []) {
      const round = rounds.find((each) => each.run === run);
      if (round === undefined) continue;
      const others = acquittals.get(JSON.stringify([round.source_sha256, finding.pass, block])) ?? new Set<string>();
      const other = [...others].find((id) => !(finding.raised_by ?? []).includes(id));
      if (other !== undefined)
        return [
          {
            kind: "same_text",
            finding: finding.id,
            item: block,
            message: `"${(finding.raised_by ?? []).join(", ")}" found a defect in ${block} that "${other}" examined and let pass`,
          },
        ];
    }
    return [];
  });
  const reversals = live.flatMap((finding): Disagreement[] => {
    if (finding.proposed === undefined) return [];
    const proposed = toSearchText(finding.proposed);
    const undone = corrections.find(
      ({ before, finding: fixed }) =>
        fixed !== finding.id &&
        before.some((pattern) => "literal" in pattern && findWording(proposed, pattern.literal).length > 0),
    );
    if (undone === undefined) return [];
    return [
      {
        kind: "reversal",
        finding: finding.id,
        message: `Finding "${finding.id}" asks for the words that correction "${undone.id}" took out`,
      },
    ];
  });
  return [...sameText, ...reversals];
}
