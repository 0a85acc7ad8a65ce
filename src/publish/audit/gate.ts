import type { Assurance } from "../document.js";
import { getWorstVerdict, type PublishStage, type PublishVerdict } from "../verdict.js";
import { listMandatoryStages, publishStages } from "./stage-artefact.js";

/** A stage as the gate sees it: its verdict now, with staleness already looked at. */
export interface GateStage {
  readonly stage: PublishStage;
  /** Absent when the stage left no artefact. */
  readonly verdict?: PublishVerdict;
  readonly reason_code: string;
}

/** What the gate looks at beside the stages. */
export interface GateInput {
  readonly kind: string;
  readonly stages: readonly GateStage[];
  /** Whether the content stage has traces that are kept. */
  readonly hasTrace: boolean;
  /** What on record is not as it was written: the verdicts computed from it stand for nothing. */
  readonly faults?: readonly { readonly rule: string; readonly message: string }[];
  /** Rules of independence that are broken. */
  readonly violations: readonly { readonly rule: string; readonly message: string }[];
}

/** A stage that closes the gate. */
export interface GateBlock {
  readonly stage: string;
  /** `MISSING` for a mandatory stage without an artefact. */
  readonly verdict: PublishVerdict | "MISSING";
  readonly reason_code: string;
  /** What was found, where the reason does not say it all. */
  readonly message?: string;
}

/** What the gate decided. */
export interface GateDecision {
  readonly level: Assurance;
  readonly decision: "open" | "closed";
  /** Worst stage. */
  readonly verdict: PublishVerdict;
  readonly blocking: readonly GateBlock[];
  /** Mandatory stages that were not run, and are let pass at draft. */
  readonly skipped: readonly string[];
  /** 0 open, 1 closed by a verdict, 3 closed only because something is stale or missing. */
  readonly exitCode: 0 | 1 | 3;
}

/** Verdicts that close the gate in a mandatory stage at release. */
const closing: readonly PublishVerdict[] = ["FAIL", "ERROR", "BLOCKED", "REVIEW_UNAVAILABLE", "STALE", "NOT_RUN"];

function isClosing(verdict: PublishVerdict, level: Assurance, isMandatory: boolean): boolean {
  // A known failure closes wherever it is; so does, in what must be there, a check that broke.
  if (verdict === "FAIL") return true;
  if (level === "draft") return verdict === "ERROR" || verdict === "STALE";
  return isMandatory && closing.includes(verdict);
}

/**
 * Returns whether a document may go out at a level. At draft, stages may be missing and reviewers absent, and the page
 * says so; what failed, broke or belongs to another text still closes. At release every mandatory stage must be there,
 * fresh and sound, with a trace of its review and independent parties.
 */
export function decideGate(input: GateInput, level: Assurance): GateDecision {
  const { kind, stages, hasTrace, faults = [], violations } = input;
  const mandatory = listMandatoryStages(kind);
  const blocking: GateBlock[] = [];
  const skipped: string[] = [];
  for (const stage of publishStages) {
    const entry = stages.find((each) => each.stage === stage);
    const isMandatory = mandatory.includes(stage);
    if (entry?.verdict === undefined) {
      if (isMandatory && level === "release")
        blocking.push({ stage, verdict: "MISSING", reason_code: entry?.reason_code ?? "no-artefact" });
      else if (isMandatory) skipped.push(stage);
    } else if (isClosing(entry.verdict, level, isMandatory)) {
      blocking.push({ stage, verdict: entry.verdict, reason_code: entry.reason_code });
    }
  }
  const present = stages.flatMap(({ verdict }) => (verdict === undefined ? [] : [verdict]));
  if (present.length === 0 && level === "draft")
    blocking.push({ stage: "lint", verdict: "MISSING", reason_code: "no-stage-was-run" });
  blocking.push(...listRecordFaults(faults, level));
  if (level === "release" && mandatory.includes("content"))
    blocking.push(...listReviewFaults(stages, hasTrace, violations));
  const isByVerdict = blocking.some(({ verdict }) => verdict !== "STALE" && verdict !== "MISSING");
  return {
    level,
    decision: blocking.length === 0 ? "open" : "closed",
    verdict: getWorstVerdict(present),
    blocking,
    skipped,
    exitCode: blocking.length === 0 ? 0 : isByVerdict ? 1 : 3,
  };
}

/** A trace that is not at hand closes at release alone, as a missing artefact does; a changed record closes always. */
function listRecordFaults(faults: NonNullable<GateInput["faults"]>, level: Assurance): GateBlock[] {
  return [...new Set(faults.map(({ rule }) => rule))]
    .filter((rule) => rule !== "trace-gone" || level === "release")
    .map((rule) => {
      const [{ message }, ...others] = faults.filter((each) => each.rule === rule);
      return {
        stage: "content",
        verdict: rule === "trace-gone" ? "MISSING" : "ERROR",
        reason_code: rule,
        message: others.length === 0 ? message : `${message}, and ${others.length} more`,
      };
    });
}

/** Returns what a review that came to a good verdict still lacks at release. */
function listReviewFaults(
  stages: readonly GateStage[],
  hasTrace: boolean,
  violations: GateInput["violations"],
): GateBlock[] {
  const content = stages.find(({ stage }) => stage === "content")?.verdict;
  const faults: GateBlock[] = [];
  if (content !== "PASS" && content !== "WARN") return faults;
  if (!hasTrace) faults.push({ stage: "content", verdict: "ERROR", reason_code: "no-trace" });
  for (const { rule } of violations)
    faults.push({ stage: "content", verdict: "ERROR", reason_code: `not-independent: ${rule}` });
  return faults;
}

/** Returns the exit code of several decisions: 1 when a verdict closes any, else 3 when anything is stale or missing. */
export function combineExitCodes(codes: readonly number[]): number {
  return codes.includes(1) ? 1 : codes.includes(3) ? 3 : 0;
}
