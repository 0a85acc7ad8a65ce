// internal
import type { Severity } from "../../core/index.js";
import type { PublishDocument } from "../document.js";
import type { CheckedClaim, UnboundNumber } from "./checked-claim.js";
import { judgePlace, type ClaimOccurrence } from "./check-place.js";
import { checkTable, type CheckedTable } from "./check-table.js";
import { checkAggregation } from "./checks/aggregation.js";
import { checkComparability } from "./checks/comparability.js";
import { listClaimPlaces, listFreeNumbers, type ClaimPlace, type NumberKind } from "./claim-places.js";
import type { ClaimFinding, ClaimStatus } from "./claim-status.js";
import { computeOrFault, describeCell, describeClaim, type Computation } from "./describe-claim.js";
import { checkFlows, checkSentences, checkSums, checkTotals } from "./document-checks.js";
import type { ClaimFault, ComputedClaim, Evidence } from "./evidence.js";
import type { ClaimLedger, ClaimEntry } from "./ledger.js";
import { getContext } from "./text/flows.js";

/** What the check of a ledger against a document gives. */
export interface LedgerCheck {
  readonly claims: readonly CheckedClaim[];
  readonly findings: readonly ClaimFinding[];
  readonly unbound: readonly UnboundNumber[];
  readonly numbers: { readonly [kind in NumberKind | "total"]: number };
}

/** How strict the check is. */
export interface LedgerCheckOptions {
  readonly isStrict: boolean;
  /** Without evidence nothing is recomputed, and that alone is no finding. */
  readonly hasEvidence: boolean;
}

/** A claim of the ledger with what it comes to. */
interface KnownClaim {
  readonly claim: ClaimEntry;
  readonly result: Computation;
}

/** A claim's places as judged. */
interface JudgedClaim {
  readonly occurrences: readonly ClaimOccurrence[];
  readonly findings: readonly ClaimFinding[];
}

/** Returns what is wrong with a claim wherever it is shown. */
function checkWhole(claim: ClaimEntry, computed: ComputedClaim): ClaimFinding[] {
  const make =
    (status: ClaimStatus, severity: Severity) =>
    (message: string): ClaimFinding => ({
      status,
      severity,
      claim: claim.id,
      message: `${claim.id}: ${message}`,
    });
  const { interval, value } = computed;
  const isOutside = interval !== undefined && typeof value === "number" && (value < interval[0] || value > interval[1]);
  return [
    ...checkComparability(claim, computed).map(make("config_mismatch", "error")),
    ...checkAggregation(claim, computed).map(make("aggregation_mismatch", "error")),
    ...(isOutside
      ? [
          make(
            "number_mismatch",
            "error",
          )(`The interval [${interval[0]}, ${interval[1]}] does not contain the estimate ${value}`),
        ]
      : []),
  ];
}

/** Returns the interval that another claim of the same sentence gives, where there is exactly one. */
function findIntervalInSentence(
  place: ClaimPlace,
  places: readonly ClaimPlace[],
  known: ReadonlyMap<string, KnownClaim>,
) {
  const context = getContext(place.flow, place.piece.from);
  const others = places.filter(
    (other) => other.flow === place.flow && other !== place && getContext(other.flow, other.piece.from) === context,
  );
  const intervals = others.flatMap((other) => {
    const entry = known.get(other.claim);
    if (entry === undefined || entry.claim.kind !== "interval" || !("computed" in entry.result)) return [];
    const { value } = entry.result.computed;
    if (typeof value !== "object") return [];
    const [lower, upper] = value;
    return typeof lower === "number" && typeof upper === "number" ? [[lower, upper] as const] : [];
  });
  return intervals.length === 1 ? intervals[0] : undefined;
}

function judgeFault(
  id: string,
  { status, message }: ClaimFault,
  shown: readonly ClaimPlace[],
  hasEvidence: boolean,
): JudgedClaim {
  const [first] = shown;
  const occurrences = shown.map(({ line, flow, literal }): ClaimOccurrence => ({
    line,
    block: flow.block,
    text: literal ?? `[[${id}]]`,
    isFilled: literal === undefined,
    status,
    detail: message,
  }));
  // Without evidence the stage is blocked as a whole.
  if (!hasEvidence) return { occurrences, findings: [] };
  const at = { claim: id, line: first?.line, block: first?.flow.block, text: first?.literal };
  return { occurrences, findings: [{ ...at, status, severity: "error", message: `${id}: ${message}` }] };
}

function judgeComputed(
  claim: ClaimEntry,
  computed: ComputedClaim,
  shown: readonly ClaimPlace[],
  lang: string,
  findInterval: (place: ClaimPlace) => readonly [number, number] | undefined,
): JudgedClaim {
  const [first] = shown;
  const at = { line: first?.line, block: first?.flow.block, text: first?.literal };
  const judged = shown.map((place) => {
    const otherInterval = findInterval(place);
    return judgePlace(claim, computed, place, { lang, ...(otherInterval === undefined ? {} : { otherInterval }) });
  });
  return {
    occurrences: judged.map(({ occurrence }) => occurrence),
    findings: [
      ...checkWhole(claim, computed).map((finding) => ({ ...finding, ...at })),
      ...judged.flatMap(({ findings }) => findings),
    ],
  };
}

function noteUnused(id: string): ClaimFinding {
  return { status: "exact_match", severity: "note", claim: id, message: `${id} is shown nowhere in the document` };
}

function listUnknown(places: readonly ClaimPlace[], known: ReadonlyMap<string, unknown>): ClaimFinding[] {
  return places
    .filter(({ claim }) => !known.has(claim))
    .map(({ claim, line, flow, literal }) => ({
      status: "unsupported_claim",
      severity: "error",
      claim,
      line,
      block: flow.block,
      text: literal ?? `[[${claim}]]`,
      message: `The ledger has no claim ${claim}`,
    }));
}

function indexClaims(
  ledger: ClaimLedger,
  evidence: Evidence,
): { readonly known: Map<string, KnownClaim>; readonly findings: ClaimFinding[] } {
  const known = new Map<string, KnownClaim>();
  const findings: ClaimFinding[] = [];
  for (const claim of ledger.claims) {
    if (!known.has(claim.id)) known.set(claim.id, { claim, result: computeOrFault(claim, evidence) });
    else
      findings.push({
        status: "ambiguous_mapping",
        severity: "error",
        claim: claim.id,
        message: `The ledger has two claims ${claim.id}`,
      });
  }
  return { known, findings };
}

/** Says whether a claim is made from the document alone. */
function isStructural({ inputs }: ClaimEntry): boolean {
  return inputs.every(({ artefact }) => artefact === "document");
}

/** Checks all numbers of a document against its ledger. */
export function checkLedger(
  document: PublishDocument,
  ledger: ClaimLedger,
  evidence: Evidence,
  { isStrict, hasEvidence }: LedgerCheckOptions,
): LedgerCheck {
  const places = listClaimPlaces(document);
  const { known, findings } = indexClaims(ledger, evidence);
  const claims: CheckedClaim[] = [];
  for (const { claim, result } of known.values()) {
    const shown = places.filter((place) => place.claim === claim.id);
    const judged =
      "fault" in result
        ? judgeFault(claim.id, result.fault, shown, hasEvidence)
        : judgeComputed(claim, result.computed, shown, document.lang, (place) =>
            findIntervalInSentence(place, places, known),
          );
    findings.push(...judged.findings, ...(shown.length === 0 ? [noteUnused(claim.id)] : []));
    claims.push(describeClaim(claim, result, judged.occurrences, findings));
  }
  const tables = ledger.tables.map((table) => checkTable(document, table, evidence));
  claims.push(...tables.flatMap(({ cells }) => cells.map(describeCell)));
  const { numbers, unbound } = countNumbers(document, ledger, places, tables);
  return {
    claims,
    numbers,
    unbound,
    findings: [
      ...findings,
      ...listUnknown(places, known),
      ...(hasEvidence ? [...tables.flatMap((table) => table.findings), ...checkSums(ledger, known)] : []),
      ...checkSentences(places, ledger, isStrict),
      ...checkFlows(document, isStrict),
      ...checkTotals(document),
      ...unbound.map(({ text, line, block }): ClaimFinding => ({
        status: "unbound",
        severity: isStrict ? "error" : "warning",
        line,
        block,
        text,
        message: `The number ${text} is bound to no claim and not cited`,
      })),
    ],
  };
}

function countNumbers(
  document: PublishDocument,
  ledger: ClaimLedger,
  places: readonly ClaimPlace[],
  tables: readonly CheckedTable[],
): Pick<LedgerCheck, "unbound" | "numbers"> {
  const free = listFreeNumbers(document, ledger, new Set(tables.flatMap(({ boundCells }) => boundCells)));
  const unbound = free
    .filter(({ kind }) => kind === "unbound")
    .map(({ quantity, line, flow }) => ({
      text: quantity.text.trim(),
      line,
      block: flow.block,
      sentence: getContext(flow, quantity.from).slice(0, 300),
    }));
  const own = new Set(ledger.claims.filter(isStructural).map(({ id }) => id));
  const structural = places.filter(({ claim }) => own.has(claim)).length;
  const cells = tables.reduce((sum, table) => sum + table.cells.length, 0);
  const bound = places.length - structural + cells;
  const count = (kind: NumberKind): number => free.filter((number) => number.kind === kind).length;
  const total = bound + structural + free.length;
  const numbers = {
    total,
    bound,
    cited: count("cited"),
    structural,
    illustrative: count("illustrative"),
    unbound: unbound.length,
  };
  return { numbers, unbound };
}
