// internal
import type { Severity } from "../../core/index.js";
import { checkAggregationWording } from "./checks/aggregation.js";
import { checkRunState, partialWords } from "./checks/comparability.js";
import { checkCeiling, checkEffectWording } from "./checks/wording.js";
import { getWorstStatus, type ClaimFinding, type ClaimStatus } from "./claim-status.js";
import type { ClaimPlace } from "./claim-places.js";
import { compareShown } from "./compare-shown.js";
import { displayValue } from "./display-value.js";
import type { ComputedClaim } from "./evidence.js";
import type { ClaimEntry } from "./ledger.js";
import { findSentence, getContext, getUnclaimedSentence } from "./text/flows.js";

/** One place where the document shows a claim, as judged. */
export interface ClaimOccurrence {
  readonly line: number;
  readonly block: string;
  /** What is shown: as written, or as filled in. */
  readonly text: string;
  readonly isFilled: boolean;
  readonly status: ClaimStatus;
  readonly detail?: string;
}

/** A place with what was found there. */
export interface JudgedPlace {
  readonly occurrence: ClaimOccurrence;
  readonly findings: readonly ClaimFinding[];
}

/** Returns the severity that a status has in verdicts. */
export function getSeverity(status: ClaimStatus, isDeclared: boolean): Severity | undefined {
  if (status === "exact_match") return undefined;
  if (status === "rounding_ok") return isDeclared ? undefined : "warning";
  return status === "ambiguous_mapping" ? "warning" : "error";
}

/** Judges one place where a claim is shown that could be computed. */
export function judgePlace(
  claim: ClaimEntry,
  computed: ComputedClaim,
  place: ClaimPlace,
  context: { readonly lang: string; readonly otherInterval?: readonly [number, number] },
): JudgedPlace {
  const { flow, piece, line, literal } = place;
  const sentence = getContext(flow, piece.from);
  const before = flow.text.slice(findSentence(flow, piece.from).from, piece.from);
  const text = literal ?? displayValue(computed.value, claim);
  const shown = compareShown(text, computed.value, claim, { lang: context.lang, before, sentence });
  // A value that is filled in is written by the ledger's own rule.
  const isDeclared = literal === undefined || (shown.isDeclared ?? true);
  const at = { claim: claim.id, line, block: flow.block, text };
  const findings: ClaimFinding[] = [];
  const add = (status: ClaimStatus, message: string, severity = getSeverity(status, false) ?? "warning"): void => {
    findings.push({ ...at, status, severity, message: `${claim.id}: ${message}` });
  };
  const severity = getSeverity(shown.status, isDeclared);
  if (severity !== undefined)
    add(
      shown.status,
      shown.detail ?? `"${text}" is rounded from ${String(computed.value)}, and the ledger declares no decimals`,
      severity,
    );
  for (const message of checkAggregationWording(claim, computed, sentence, getUnclaimedSentence(flow, piece.from)))
    add("aggregation_mismatch", message);
  if (!partialWords.test(sentence))
    for (const message of checkRunState(computed))
      add("config_mismatch", `${message}, and the sentence does not say so`);
  const faults = [
    ...checkCeiling(claim, sentence),
    ...checkEffectWording(claim, computed, sentence, context.otherInterval),
  ];
  for (const { status, message } of faults) add(status, message);
  const status = getWorstStatus([shown.status, ...findings.map((finding) => finding.status)]);
  const detail = findings.map(({ message }) => message.slice(claim.id.length + 2)).join("; ");
  return {
    occurrence: {
      line,
      block: flow.block,
      text,
      isFilled: literal === undefined,
      status,
      ...(detail === "" ? {} : { detail }),
    },
    findings,
  };
}
