import type { Assurance } from "../document.js";
import type { PublishVerdict } from "../verdict.js";
import { isBlocking, type AuditFinding } from "./finding.js";
import type { NeedsVerifyEntry } from "./needs-verify.js";
import type { ReviewPass } from "./passes.js";
import type { PassResult, ReviewRound } from "./round-record.js";

/** Everything the verdict of the content stage is computed from. */
export interface ContentState {
  /** Hash of the text now, `sha256:<hex>`. */
  readonly sourceSha256: string;
  readonly requiredPasses: readonly ReviewPass[];
  readonly rounds: readonly ReviewRound[];
  readonly findings: readonly AuditFinding[];
  readonly needsVerify: readonly NeedsVerifyEntry[];
  /** Corrections whose old wording still stands somewhere without a waiver. */
  readonly residueCount?: number;
  /** Findings of level error that lint has on this text. */
  readonly lintErrorCount?: number;
  /** Findings of level warning, and waivers. */
  readonly lintWarningCount?: number;
  readonly waiverCount?: number;
  readonly privacyHitCount?: number;
  /** What is missing before anybody can review: an evidence folder, the bibliography. */
  readonly missingInputs?: readonly string[];
}

/** A verdict with its reason. */
export interface JudgedVerdict {
  readonly verdict: PublishVerdict;
  /** Kebab-case. */
  readonly reason_code: string;
  /** One sentence from counts. */
  readonly summary: string;
}

/** What one required pass has to show for the text as it is now. */
interface PassStanding {
  readonly pass: ReviewPass;
  readonly kind: "valid" | "error" | "voided" | "ineligible" | "unavailable" | "outdated" | "none";
  readonly result?: PassResult;
  readonly reason_code?: string;
}

/**
 * Returns the latest result of a pass that counts. Rounds on other texts count for nothing but being outdated; a
 * recorded response counts as a review at draft, never at release.
 */
function findStanding(state: ContentState, pass: ReviewPass, level: Assurance): PassStanding {
  const runs = state.rounds.flatMap((round) =>
    round.pass_results.filter((result) => result.pass === pass).map((result) => ({ round, result })),
  );
  const current = runs.filter(({ round }) => round.source_sha256 === state.sourceSha256);
  // A reviewer that was absent later takes nothing from a valid run; one that failed later does, until it is rerun.
  const standings = current.map(({ round, result }) => classifyRun(round, result, level));
  const best = standings.findLast(({ kind }) => kind === "valid");
  const last = standings.at(-1);
  if (last !== undefined && (last.kind === "error" || last.kind === "voided")) return last;
  if (best !== undefined) return best;
  if (last !== undefined) return last;
  return { pass, kind: runs.length > 0 ? "outdated" : "none" };
}

function classifyRun(round: ReviewRound, result: PassResult, level: Assurance): PassStanding {
  const { pass, verdict, reason_code } = result;
  if (verdict === "NOT_APPLICABLE") return { pass, kind: "valid", result };
  if (round.voided || result.independence_findings.length > 0)
    return { pass, kind: "voided", result, reason_code: "round-voided" };
  if (verdict === "ERROR") return { pass, kind: "error", result, reason_code };
  if (verdict === "REVIEW_UNAVAILABLE") return { pass, kind: "unavailable", result, reason_code };
  const isTolerated = round.eligibility === "replayed" && level === "draft";
  if (round.eligibility !== undefined && !isTolerated)
    return { pass, kind: "ineligible", result, reason_code: round.eligibility };
  return { pass, kind: "valid", result };
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

function list(standings: readonly PassStanding[]): string {
  return standings.map(({ pass }) => pass).join(", ");
}

/** Returns the failure that is known, if any. It is looked at first: no missing reviewer hides it. */
function findFailure(state: ContentState, level: Assurance): JudgedVerdict | undefined {
  const { findings, needsVerify, privacyHitCount = 0, lintErrorCount = 0, residueCount = 0 } = state;
  const blocking = findings.filter(isBlocking).length;
  const open = needsVerify.filter((entry) => entry.state === "open").length;
  const fail = (reason_code: string, summary: string): JudgedVerdict => ({ verdict: "FAIL", reason_code, summary });
  if (privacyHitCount > 0) return fail("privacy", `${count(privacyHitCount, "privacy hit")} in the text`);
  if (blocking > 0) return fail("blocking-findings", `${count(blocking, "blocker or major finding")} open or accepted`);
  if (residueCount > 0) return fail("residue", `${count(residueCount, "correction")} not carried through everywhere`);
  if (lintErrorCount > 0) return fail("lint-errors", `${count(lintErrorCount, "lint error")} in the text`);
  if (open > 0 && level === "release")
    return fail("open-markers", `${count(open, "statement")} marked as unverified still open`);
  return undefined;
}

function findReservations(state: ContentState, standings: readonly PassStanding[], level: Assurance): string[] {
  const { findings, needsVerify, lintWarningCount = 0, waiverCount = 0 } = state;
  const isLeft = ({ state: at }: AuditFinding): boolean => at === "open" || at === "accepted" || at === "fixed";
  const left = findings.filter(isLeft).filter((finding) => !isBlocking(finding));
  const unsupported = left.filter(({ supported, state: at }) => !supported && at === "open").length;
  const deferred = findings.filter(({ state: at }) => at === "deferred").length;
  const open = needsVerify.filter((entry) => entry.state === "open").length;
  const hedged = needsVerify.filter((entry) => entry.state === "hedged").length;
  const partial = standings.filter(({ result }) => (result?.coverage_ratio ?? 1) < 1);
  const parts: readonly (readonly [number, string])[] = [
    [left.length - unsupported, "finding"],
    [unsupported, "unsupported finding"],
    [deferred, "deferred finding"],
    [partial.length, "pass with coverage below 100 %"],
    [level === "draft" ? open : 0, "open marker"],
    [hedged, "hedged statement"],
    [lintWarningCount, "lint warning"],
    [waiverCount, "waiver"],
  ];
  return parts
    .filter(([number]) => number > 0)
    .map(([number, word]) => (number === 1 ? `1 ${word}` : `${number} ${pluralize(word)}`));
}

function pluralize(words: string): string {
  const [head, ...rest] = words.split(" with ");
  return [head.endsWith("ss") ? `${head}es` : `${head}s`, ...rest].join(" with ");
}

/**
 * Returns the verdict of the content stage: the first of FAIL, ERROR, BLOCKED, REVIEW_UNAVAILABLE, STALE, NOT_APPLICABLE,
 * WARN and PASS whose condition holds. Nothing a reviewer writes is a verdict; it is computed from findings, coverage
 * and who spoke about which text.
 */
export function computeContentVerdict(state: ContentState, level: Assurance): JudgedVerdict {
  const failure = findFailure(state, level);
  if (failure !== undefined) return failure;
  const standings = state.requiredPasses.map((pass) => findStanding(state, pass, level));
  const of = (...kinds: readonly PassStanding["kind"][]): PassStanding[] =>
    standings.filter(({ kind }) => kinds.includes(kind));
  const broken = of("error", "voided");
  if (broken.length > 0)
    return {
      verdict: "ERROR",
      reason_code: broken[0].reason_code ?? "pass-failed",
      summary: `No valid answer in ${list(broken)}`,
    };
  const missing = state.missingInputs ?? [];
  if (missing.length > 0)
    return { verdict: "BLOCKED", reason_code: "input-missing", summary: `Missing: ${missing.join(", ")}` };
  const absent = of("none", "unavailable", "ineligible");
  if (absent.length > 0) {
    const reason = of("ineligible").at(0)?.reason_code ?? absent[0].reason_code ?? "reviewer-missing";
    return { verdict: "REVIEW_UNAVAILABLE", reason_code: reason, summary: `No independent review of ${list(absent)}` };
  }
  const outdated = of("outdated");
  if (outdated.length > 0)
    return {
      verdict: "STALE",
      reason_code: "source-changed",
      summary: `The text changed since ${list(outdated)} was reviewed`,
    };
  if (standings.every(({ result }) => result?.verdict === "NOT_APPLICABLE"))
    return { verdict: "NOT_APPLICABLE", reason_code: "no-items", summary: "The document has nothing for these passes" };
  const reservations = findReservations(state, standings, level);
  if (reservations.length > 0)
    return { verdict: "WARN", reason_code: "reservations", summary: reservations.join(", ") };
  return {
    verdict: "PASS",
    reason_code: "clean",
    summary: `${standings.length === 1 ? "1 pass" : `${standings.length} passes`} covered, nothing open`,
  };
}
