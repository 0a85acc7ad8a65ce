import type { PublishDocument } from "../document.js";
import { listFreeNumbers } from "./claim-places.js";
import { compareShown } from "./compare-shown.js";
import { ClaimFault, computeClaim, type Evidence } from "./evidence.js";
import type { ExpressionValue } from "./expression-value.js";
import type { ClaimLedger, ClaimEntry } from "./ledger.js";
import { getContext } from "./text/flows.js";

/** A number that was bound, or why it was not. */
export interface BoundNumberChange {
  readonly text: string;
  readonly line: number;
  /** Claims whose value it states. One: it was bound. */
  readonly candidates: readonly string[];
  readonly isBound: boolean;
}

/** A document with claim ids put to its numbers. */
export interface BoundDocument {
  readonly source: string;
  readonly changes: readonly BoundNumberChange[];
}

function computeAll(ledger: ClaimLedger, evidence: Evidence): (readonly [ClaimEntry, ExpressionValue])[] {
  return ledger.claims.flatMap((claim) => {
    try {
      return [[claim, computeClaim(claim, evidence).value] as const];
    } catch (error) {
      if (error instanceof ClaimFault) return [];
      throw error;
    }
  });
}

/** Digits that say enough to tell one claim from another: a bare 5 fits too much. */
function isTelling(text: string): boolean {
  return (text.match(/\d/g)?.length ?? 0) >= 2;
}

/**
 * Binds every free number that states the value of exactly one claim: `74.2%` becomes `[74.2%]{#c:id}`. Numbers that
 * fit several claims, or have a single digit, are left and listed.
 */
export function bindClaims(document: PublishDocument, ledger: ClaimLedger, evidence: Evidence): BoundDocument {
  const values = computeAll(ledger, evidence);
  const free = listFreeNumbers(document, ledger, new Set()).filter(({ kind }) => kind === "unbound");
  const edits: { readonly at: number; readonly text: string; readonly claim: string }[] = [];
  const changes = free.map(({ quantity, line, flow, offset }): BoundNumberChange => {
    const sentence = getContext(flow, quantity.from);
    const context = { lang: document.lang, before: flow.text.slice(0, quantity.from), sentence };
    const text = quantity.text.trimEnd();
    const candidates = values
      .filter(
        ([claim, value]) => typeof value === "number" && claim.kind !== "rank" && fits(text, value, claim, context),
      )
      .map(([{ id }]) => id);
    const isBound = candidates.length === 1 && offset !== undefined && isTelling(text);
    if (isBound) edits.push({ at: offset, text, claim: candidates[0] });
    return { text, line, candidates, isBound };
  });
  let source = document.source;
  for (const { at, text, claim } of edits.sort((a, b) => b.at - a.at))
    source = `${source.slice(0, at)}[${text}]{#${claim}}${source.slice(at + text.length)}`;
  return { source, changes };
}

function fits(
  text: string,
  value: ExpressionValue,
  claim: ClaimEntry,
  context: Parameters<typeof compareShown>[3],
): boolean {
  const { status } = compareShown(text, value, claim, context);
  return status === "exact_match" || status === "rounding_ok";
}
