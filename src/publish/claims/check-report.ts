import { isJsonObject, type Claim, type Finding, type JsonValue } from "../../core/index.js";
import { formatClaim } from "../../page/index.js";
import type { StageArtefact } from "../verdict.js";
import type { Artefact } from "./artefact.js";
import type { ClaimMismatch, ClaimsDetails } from "./check-claims.js";
import type { CheckedClaim } from "./checked-claim.js";
import type { ClaimOccurrence } from "./check-place.js";
import { getWorstStatus, type ClaimStatus } from "./claim-status.js";
import { ClaimFault, computeClaim, type Evidence } from "./evidence.js";
import type { ExpressionValue } from "./expression-value.js";
import type { ClaimEntry } from "./ledger.js";
import { checkReportPage, type Recomputed } from "./report-page.js";

/** A report of turnwise: its data, its page, and what they rest on. */
export interface ReportClaimsOptions {
  /** Name of the report, e.g. that of its folder. */
  readonly id: string;
  /** The text of the page; absent when there is none to check. */
  readonly page?: string;
  readonly pageSha256?: string;
  /** The page that the data gives today: whatever else of the page differs was changed by hand. */
  readonly expectedPage?: string;
  /** Answers for artefacts beside report.json. */
  readonly evidence?: Evidence;
  /** What else was found, e.g. about the runs it names. */
  readonly findings?: readonly Finding[];
  /** UTC, ISO 8601. */
  readonly generatedAt: string;
}

function toLedgerClaim({ id, kind, expr, inputs }: Claim): ClaimEntry {
  const display = { format: "plain", rounding: "half_up", percent: false, signed: false } as const;
  return {
    id,
    kind,
    expr,
    inputs: inputs.map(({ artefact, select, sha256 }) => ({
      artefact,
      select,
      ...(sha256 === undefined ? {} : { sha256 }),
    })),
    display,
  };
}

function toNumberOrText(value: JsonValue): ExpressionValue | undefined {
  if (typeof value === "number" || typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map(toNumberOrText); // an array inside JSON holds JSON
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  return isJsonObject(value) && typeof value["$number"] === "string" ? Number(value["$number"]) : undefined;
}

function isSame(x: ExpressionValue | undefined, y: ExpressionValue | undefined): boolean {
  if (typeof x === "number" && typeof y === "number") {
    if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) && Number.isNaN(y);
    return x === y || Math.abs(x - y) <= 1e-12 * Math.max(Math.abs(x), Math.abs(y));
  }
  if (typeof x === "object" && typeof y === "object")
    return x.length === y.length && x.every((item, index) => isSame(item, y[index]));
  return x === y;
}

function isClaim(value: JsonValue): value is JsonValue & { readonly [key: string]: JsonValue } {
  return (
    isJsonObject(value) &&
    typeof value["id"] === "string" &&
    typeof value["kind"] === "string" &&
    typeof value["expr"] === "string" &&
    Array.isArray(value["inputs"]) &&
    value["inputs"].every(
      (input) => isJsonObject(input) && typeof input["artefact"] === "string" && typeof input["select"] === "string",
    ) &&
    isJsonObject(value["display"]) &&
    typeof value["display"]["decimals"] === "number" &&
    value["value"] !== undefined
  );
}

/** Returns the claims a report states, or why they cannot be read. */
function readClaims({ value }: Artefact): readonly Claim[] | string {
  const claims = isJsonObject(value) ? value["claims"] : undefined;
  if (!Array.isArray(claims)) return "report.json holds no list of claims";
  const items = claims as readonly JsonValue[]; // an array inside JSON holds JSON
  const odd = items.findIndex((item) => !isClaim(item));
  return odd < 0 ? (items as unknown as readonly Claim[]) : `claim ${odd} of report.json lacks a field`; // each was just checked
}

function recompute(claim: Claim, evidence: Evidence): Recomputed {
  try {
    const { value, inputs } = computeClaim(toLedgerClaim(claim), evidence);
    const sha256 = inputs[0]?.artefact.sha256;
    const sound = { ...claim, value: toJson(value) };
    if (isSame(value, toNumberOrText(claim.value))) return { claim, status: "exact_match", sound: claim, sha256 };
    const detail = `report.json says ${JSON.stringify(claim.value)}, what it selects gives ${JSON.stringify(sound.value)}`;
    return { claim, status: "number_mismatch", detail, sound, sha256 };
  } catch (error) {
    if (!(error instanceof ClaimFault)) throw error;
    return { claim, status: error.status, detail: error.message, sound: claim };
  }
}

function toJson(value: ExpressionValue): JsonValue {
  if (typeof value === "object") return value.map(toJson);
  return typeof value === "number" && !Number.isFinite(value) ? { $number: String(value) } : value;
}

function describe(
  { claim, status, detail, sound, sha256 }: Recomputed,
  occurrences: readonly ClaimOccurrence[],
): CheckedClaim {
  const worst = getWorstStatus([status, ...occurrences.map((occurrence) => occurrence.status)]);
  const why = detail ?? occurrences.find((occurrence) => occurrence.detail !== undefined)?.detail;
  return {
    id: claim.id,
    kind: claim.kind,
    expr: claim.expr,
    inputs: claim.inputs.map(({ artefact, select }) => ({
      artefact,
      select,
      ...(sha256 === undefined ? {} : { sha256 }),
    })),
    status: worst,
    ...(why === undefined ? {} : { detail: why }),
    value: sound.value,
    display: formatClaim(sound),
    rounding: "half_up",
    ...(claim.n === undefined ? {} : { n: claim.n }),
    occurrences,
  };
}

/** Returns the verdict; `problem` says why the report could not be read. */
function judge(
  problem: string | undefined,
  findings: readonly Finding[],
  counts: string,
): Pick<StageArtefact, "verdict" | "reason_code" | "summary"> {
  if (problem !== undefined)
    return {
      verdict: "BLOCKED",
      reason_code: "report-unreadable",
      summary: `The report cannot be checked: ${problem}`,
    };
  const reason = ({ ruleId }: Finding): string => ruleId.replace("claim.", "");
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0)
    return {
      verdict: "FAIL",
      reason_code: reason(errors[0]),
      summary: `${errors.length} ${errors.length === 1 ? "error" : "errors"}; ${counts}`,
    };
  const warnings = findings.filter(({ severity }) => severity === "warning");
  if (warnings.length > 0)
    return { verdict: "WARN", reason_code: reason(warnings[0]), summary: `${warnings.length} to look at; ${counts}` };
  return { verdict: "PASS", reason_code: "reconciled", summary: counts };
}

function toMismatch({ message, ruleId, place, evidence }: Finding): ClaimMismatch {
  const claim = evidence?.["claim"];
  return {
    ...(typeof claim === "string" ? { claim_id: claim } : {}),
    location: `${place?.file ?? ""}:${place?.line ?? ""}`,
    text: "",
    status: ruleId.replace("claim.", "").replaceAll("-", "_") as ClaimStatus, // every finding here is named for its status
    details: message,
  };
}

/**
 * Checks one of turnwise's own reports: every claim is computed again from report.json, every number on the page must
 * be that value as it is written, and the page as a whole must be what the data give.
 */
export function checkReportClaims(report: Artefact, options: ReportClaimsOptions): StageArtefact<ClaimsDetails> {
  const { id, page, pageSha256, evidence, generatedAt, findings: given = [] } = options;
  const claims = readClaims(report);
  const find = (name: string): Artefact | undefined => (name === "report.json" ? report : evidence?.find(name));
  const recomputed = typeof claims === "string" ? [] : claims.map((claim) => recompute(claim, { find }));
  const own = recomputed.flatMap(({ claim, status, detail }): Finding[] =>
    status === "exact_match"
      ? []
      : [
          {
            ruleId: `claim.${status.replaceAll("_", "-")}`,
            severity: "error",
            message: `${claim.id}: ${detail ?? status}`,
            place: { file: "report.json" },
            evidence: { claim: claim.id },
          },
        ],
  );
  const { findings: onPage, occurrences, shownCount } = checkReportPage(recomputed, page, options.expectedPage);
  const findings = [...own, ...onPage, ...given];
  const checked = recomputed.map((each) => describe(each, occurrences.get(each.claim.id) ?? []));
  const by_status: { [status in ClaimStatus]?: number } = {};
  for (const { status } of checked) by_status[status] = (by_status[status] ?? 0) + 1;
  const counts = `${checked.length} claims recomputed, ${shownCount} numbers on the page bound to them`;
  return {
    stage: "claims",
    ...judge(typeof claims === "string" ? claims : undefined, findings, counts),
    audited_input_hashes: {
      "report.json": report.sha256,
      ...(pageSha256 === undefined ? {} : { "report.html": pageSha256 }),
    },
    generated_at: generatedAt,
    mode: "deterministic",
    level: "release",
    details: {
      document: id,
      file: page === undefined ? "report.json" : "report.html",
      level: "release",
      total: checked.length,
      by_status,
      numbers: { total: shownCount, bound: shownCount, cited: 0, structural: 0, illustrative: 0, unbound: 0 },
      claims: checked,
      mismatches: findings.filter(({ severity }) => severity !== "note").map(toMismatch),
      unbound: [],
      findings,
      result_files: ["report.json"],
    },
  };
}
