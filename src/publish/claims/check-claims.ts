import { errorMessage, type Finding, type JsonValue } from "../../core/index.js";
import type { Assurance, DocumentKind, PublishDocument } from "../document.js";
import type { PublishVerdict, StageArtefact } from "../verdict.js";
import type { Artefact } from "./artefact.js";
import { checkLedger, type LedgerCheck } from "./check-ledger.js";
import type { CheckedClaim, UnboundNumber } from "./checked-claim.js";
import type { NumberKind } from "./claim-places.js";
import { claimStatuses, isReconciled, type ClaimFinding, type ClaimStatus } from "./claim-status.js";
import type { Evidence } from "./evidence.js";
import type { ClaimLedger } from "./ledger.js";

/** One disagreement, as the audit keeps it. */
export interface ClaimMismatch {
  readonly claim_id?: string;
  readonly location: string;
  readonly text: string;
  readonly value?: string;
  readonly artefact?: string;
  readonly artefact_value?: JsonValue;
  readonly status: ClaimStatus;
  readonly details: string;
}

/** The body of the artefact of the stage `claims`. */
export interface ClaimsDetails {
  readonly document: string;
  readonly file: string;
  readonly level: Assurance;
  readonly ledger?: string;
  readonly ledger_sha256?: string;
  /** Claims of the ledger and cells of bound tables. */
  readonly total: number;
  readonly by_status: { readonly [status in ClaimStatus]?: number };
  readonly numbers: { readonly [kind in NumberKind | "total"]: number };
  readonly claims: readonly CheckedClaim[];
  readonly mismatches: readonly ClaimMismatch[];
  readonly unbound: readonly UnboundNumber[];
  readonly findings: readonly Finding[];
  readonly result_files: readonly string[];
}

/** What the claims of a document are checked against. */
export interface CheckClaimsOptions {
  /** Kind where the document does not say it; default `tutorial`. */
  readonly kind?: DocumentKind;
  readonly level?: Assurance;
  readonly ledger?: { readonly file: string; readonly sha256: string; readonly content: ClaimLedger };
  /** Why the ledger or the evidence cannot be used, where that is so. */
  readonly block?: { readonly reason_code: string; readonly message: string };
  /** Absent: the document names no evidence root. */
  readonly evidence?: Evidence;
  /** UTC, ISO 8601. */
  readonly generatedAt: string;
}

/** The document itself as an artefact: what its own structure counts. */
function describeDocument(document: PublishDocument): Artefact {
  const value = { inventory: { ...document.inventory }, lines: document.lines.length, lang: document.lang };
  return {
    name: "document",
    sha256: `sha256:${document.sha256}`,
    value,
    isTable: false,
  }; // counts and texts only
}

/** Returns evidence that also knows the document, and remembers what was read. */
function recordReads(document: PublishDocument, evidence: Evidence | undefined) {
  const read = new Map<string, string>();
  const own = describeDocument(document);
  return {
    read,
    find(name: string): Artefact | undefined {
      if (name === "document") return own;
      const artefact = evidence?.find(name);
      for (const part of artefact?.parts ?? (artefact === undefined ? [] : [artefact]))
        read.set(part.name, part.sha256);
      return artefact;
    },
  };
}

function toFinding(
  document: PublishDocument,
  { status, severity, message, line, block, claim }: ClaimFinding,
): Finding {
  return {
    ruleId: `claim.${status.replaceAll("_", "-")}`,
    severity,
    message,
    place: { file: document.file, line: line ?? document.bodyLine, ...(block === undefined ? {} : { detail: block }) },
    ...(claim === undefined ? {} : { evidence: { claim } }),
  };
}

function toMismatch(
  { status, message, claim, line, block, text }: ClaimFinding,
  claims: readonly CheckedClaim[],
): ClaimMismatch {
  const checked = claims.find(({ id }) => id === claim);
  return {
    ...(claim === undefined ? {} : { claim_id: claim }),
    location: `${block ?? ""}:${line ?? ""}`,
    text: text ?? "",
    ...(checked?.display === undefined ? {} : { value: checked.display }),
    ...(checked === undefined ? {} : { artefact: checked.inputs.map(({ artefact }) => artefact).join(", ") }),
    ...(checked?.value === undefined ? {} : { artefact_value: checked.value }),
    status,
    details: message,
  };
}

interface Judged {
  readonly verdict: PublishVerdict;
  readonly reason_code: string;
  readonly summary: string;
}

function judge({ findings, numbers, claims }: LedgerCheck, isStrict: boolean, options: CheckClaimsOptions): Judged {
  const errors = findings.filter(({ severity }) => severity === "error");
  const counts = `${claims.length} claims, ${numbers.total} numbers: ${numbers.bound} bound, ${numbers.cited} cited, ${numbers.structural} structural, ${numbers.illustrative} illustrative, ${numbers.unbound} unbound`;
  const fail = (): Judged => {
    const worst =
      claimStatuses.find((status) => errors.some((finding) => finding.status === status)) ?? "number_mismatch";
    const s = errors.length === 1 ? "" : "s";
    return {
      verdict: "FAIL",
      reason_code: worst.replaceAll("_", "-"),
      summary: `${errors.length} error${s}; ${counts}`,
    };
  };
  const needsEvidence = numbers.bound > 0 || claims.length > 0 || (isStrict && numbers.unbound > 0);
  const blocked = options.block ?? (options.evidence === undefined && needsEvidence ? noEvidence : undefined);
  if (blocked !== undefined) {
    // What contradicts itself fails without evidence.
    if (errors.some(({ claim, status }) => claim === undefined && status !== "unbound")) return fail();
    return { verdict: "BLOCKED", reason_code: blocked.reason_code, summary: `${blocked.message}; ${counts}` };
  }
  if (errors.length > 0) return fail();
  if (numbers.total === 0 && claims.length === 0)
    return { verdict: "NOT_APPLICABLE", reason_code: "no-numbers", summary: "The text states no number" };
  const warnings = findings.filter(({ severity }) => severity === "warning");
  if (warnings.length > 0) {
    const isUnbound = warnings.some(({ status }) => status === "unbound");
    const reason_code = isUnbound ? "unbound" : "rounding-or-ambiguity";
    return { verdict: "WARN", reason_code, summary: `${warnings.length} to look at; ${counts}` };
  }
  return { verdict: "PASS", reason_code: "reconciled", summary: counts };
}

const noEvidence = {
  reason_code: "no-evidence-root",
  message: "The document states numbers and names no evidence root",
};

const emptyLedger: ClaimLedger = { version: 1, claims: [], tables: [], sums: [], illustrative: [] };

/**
 * Checks every number of a document: those bound to claims are recomputed from the artefacts, the others must be
 * cited or declared illustrative, an error in reports and papers, a warning elsewhere. A fault of the engine itself
 * gives the verdict `ERROR`. Never throws.
 */
export function checkClaims(document: PublishDocument, options: CheckClaimsOptions): StageArtefact<ClaimsDetails> {
  const { level = "draft", ledger, generatedAt, evidence } = options;
  const kind = document.frontMatter.kind ?? options.kind ?? "tutorial";
  const isStrict = kind === "report" || kind === "paper";
  const recorded = recordReads(document, evidence);
  const content = ledger?.content ?? emptyLedger;
  let check: LedgerCheck;
  let judged: Judged;
  try {
    check = checkLedger(document, content, recorded, {
      isStrict,
      hasEvidence: evidence !== undefined && options.block === undefined,
    });
    judged = judge(check, isStrict, options);
  } catch (error) {
    check = {
      claims: [],
      findings: [],
      unbound: [],
      numbers: { total: 0, bound: 0, cited: 0, structural: 0, illustrative: 0, unbound: 0 },
    };
    judged = {
      verdict: "ERROR",
      reason_code: "engine-fault",
      summary: `The check itself failed: ${errorMessage(error)}`,
    };
  }
  const { claims, findings, unbound, numbers } = check;
  const by_status: { [status in ClaimStatus]?: number } = {};
  for (const { status } of claims) by_status[status] = (by_status[status] ?? 0) + 1;
  const order = { error: 0, warning: 1, note: 2 };
  const sorted = [...findings].sort((a, b) => order[a.severity] - order[b.severity] || (a.line ?? 0) - (b.line ?? 0));
  return {
    stage: "claims",
    ...judged,
    audited_input_hashes: {
      [document.file.split(/[\\/]/).at(-1) ?? document.file]: `sha256:${document.sha256}`,
      ...(ledger === undefined ? {} : { [ledger.file]: ledger.sha256 }),
      ...Object.fromEntries([...recorded.read].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
    generated_at: generatedAt,
    mode: "deterministic",
    level,
    details: {
      document: document.id,
      file: document.file,
      level,
      ...(ledger === undefined ? {} : { ledger: ledger.file, ledger_sha256: ledger.sha256 }),
      total: claims.length,
      by_status,
      numbers,
      claims,
      mismatches: sorted
        .filter(({ status, severity }) => severity !== "note" && !isReconciled(status) && status !== "unbound")
        .map((finding) => toMismatch(finding, claims)),
      unbound,
      findings: sorted.map((finding) => toFinding(document, finding)),
      result_files: [...recorded.read.keys()].sort(),
    },
  };
}
