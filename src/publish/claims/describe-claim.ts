// internal
import { tagNumber, type JsonValue } from "../../core/index.js";
import type { CheckedClaim } from "./checked-claim.js";
import type { ClaimOccurrence } from "./check-place.js";
import type { CheckedCell } from "./check-table.js";
import { getWorstStatus, type ClaimFinding } from "./claim-status.js";
import { displayValue } from "./display-value.js";
import { ClaimFault, computeClaim, type ComputedClaim, type Evidence } from "./evidence.js";
import type { ExpressionValue } from "./expression-value.js";
import type { ClaimEntry } from "./ledger.js";

/** A claim as computed, or why it could not be. */
export type Computation = { readonly computed: ComputedClaim } | { readonly fault: ClaimFault };

/** Returns what a claim comes to, or why it comes to nothing. */
export function computeOrFault(claim: ClaimEntry, evidence: Evidence): Computation {
  try {
    return { computed: computeClaim(claim, evidence) };
  } catch (error) {
    if (!(error instanceof ClaimFault)) throw error;
    return { fault: error };
  }
}

function toJson(value: ExpressionValue): JsonValue {
  if (typeof value === "object") return value.map(toJson);
  if (typeof value !== "number") return value;
  const tagged = tagNumber(value);
  return typeof tagged === "number" ? tagged : { ...tagged };
}

/** Returns a claim with its status: the worst of its places and of what is wrong with it as a whole. */
export function describeClaim(
  claim: ClaimEntry,
  result: Computation,
  occurrences: readonly ClaimOccurrence[],
  findings: readonly ClaimFinding[],
): CheckedClaim {
  const own = findings.filter((finding) => finding.claim === claim.id);
  const status =
    "fault" in result
      ? result.fault.status
      : getWorstStatus([
          ...occurrences.map((each) => each.status),
          ...own.filter(({ severity }) => severity !== "note").map((each) => each.status),
        ]);
  const detail = "fault" in result ? result.fault.message : own.find((finding) => finding.status === status)?.message;
  const computed = "computed" in result ? result.computed : undefined;
  const n = claim.aggregation?.n ?? computed?.listCount;
  return {
    id: claim.id,
    kind: claim.kind,
    expr: claim.expr,
    inputs: claim.inputs.map(({ artefact, select }, index) => {
      const sha256 = computed?.inputs[index].artefact.sha256;
      return { artefact, select, ...(sha256 === undefined ? {} : { sha256 }) };
    }),
    status,
    ...(detail === undefined ? {} : { detail }),
    ...(computed === undefined ? {} : { value: toJson(computed.value), display: displayValue(computed.value, claim) }),
    rounding: claim.display.rounding,
    ...(n === undefined ? {} : { n }),
    ...(claim.eval_type === undefined ? {} : { eval_type: claim.eval_type }),
    ...(claim.note === undefined ? {} : { note: claim.note }),
    occurrences,
  };
}

/** Returns a cell of a bound table as a claim. */
export function describeCell({
  id,
  claim,
  line,
  block,
  text,
  status,
  detail,
  value,
  artefactHash,
}: CheckedCell): CheckedClaim {
  const [{ artefact, select }] = claim.inputs;
  return {
    id,
    kind: "value",
    expr: "value",
    inputs: [{ artefact, select, ...(artefactHash === undefined ? {} : { sha256: artefactHash }) }],
    status,
    ...(detail === undefined ? {} : { detail }),
    ...(value === undefined ? {} : { value: toJson(value), display: displayValue(value, claim) }),
    rounding: claim.display.rounding,
    occurrences: [{ line, block, text, isFilled: false, status, ...(detail === undefined ? {} : { detail }) }],
  };
}
