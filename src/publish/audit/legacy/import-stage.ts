// internal
import { sha256 } from "../../../core/index.js";
import { computeFingerprint } from "../../review/finding.js";
import type { PublishVerdict } from "../../verdict.js";
import type { AuditFile } from "../audit-file.js";
import { decideLegacyStage, expandRun, readLegacyVerdict } from "./legacy-verdict.js";
import {
  collectLegacyTexts,
  findLegacySection,
  readLegacyNeedsVerify,
  readReplacement,
  type LegacyRecord,
} from "./legacy-texts.js";

/** A finding as the audit file holds it. */
export type LegacyFinding = AuditFile["findings"][number];
type Stage = "content" | "render";

/** Fields that hold findings. */
export const issueNames = /^(?:issues?|issues_caught|real_issues_caught(?:_and_fixed)?|blocking_issues)$/;
const fixNames = /^(?:fix|fixes|fixes_applied|fixes_post_\w+)$/;
const deferredNames = /^(?:warnings\w*|issues_deferred_as_low|deferred_for_\w+)$/;
const rejectedNames = /^(?:false_positives_noted|post_fix_status)$/;

/** Everything found in the rounds of one stage. */
export interface ImportedStage {
  readonly verdict: PublishVerdict;
  readonly rounds: NonNullable<AuditFile["math_code_review"]>["rounds"];
  readonly findings: readonly LegacyFinding[];
  readonly corrections: AuditFile["corrections"];
  readonly deferred: AuditFile["deferred"];
  readonly needsVerify: AuditFile["needs_verify"];
}

/** Returns a text that says something, or `undefined`. */
export function readText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

interface FindingContext {
  readonly stage: Stage;
  readonly round: number;
  readonly verdict: PublishVerdict;
  readonly reviewer: string;
  readonly author: string;
  readonly at: string;
}

/** Returns a finding for a sentence of an old record. */
export function createLegacyFinding(
  text: string,
  state: LegacyFinding["state"],
  context: FindingContext,
): LegacyFinding {
  const { stage, round, verdict, reviewer, author, at } = context;
  const section = findLegacySection(text);
  const category = `legacy.${stage}`;
  const fingerprint = computeFingerprint(category, text, section === undefined ? [] : [section]);
  const isMinor = verdict !== "FAIL" || /\b(?:WARN|nit|minor|low)\b/.test(text);
  const raised = { state: "open" as const, at, by: { id: reviewer, role: "reviewer" as const } };
  const reason =
    state === "rejected"
      ? "decided by the author in the imported record"
      : "changed in the imported record, not looked at again";
  return {
    id: `f-${fingerprint.slice(0, 12)}`,
    fingerprint,
    stage,
    round,
    rounds: [round],
    raised_by: [reviewer],
    category,
    severity: isMinor ? "minor" : "major",
    location: section === undefined ? {} : { heading_path: [section] },
    says: text,
    problem: text,
    supported: true,
    state,
    state_history: state === "open" ? [raised] : [raised, { state, at, by: { id: author, role: "author" }, reason }],
  };
}

function createCorrections(
  texts: readonly string[],
  findings: readonly LegacyFinding[],
  documentId: string,
): AuditFile["corrections"] {
  return texts.map((text, index) => {
    const { before, after } = readReplacement(text);
    const section = findLegacySection(text);
    const same = findings.filter(({ location }) => section !== undefined && location.heading_path?.[0] === section);
    const finding = same[0] ?? (findings.length === texts.length ? findings[index] : undefined);
    return {
      id: `c-${sha256(JSON.stringify([text, index])).slice(0, 12)}`,
      ...(finding === undefined ? {} : { finding: finding.id }),
      document: documentId,
      summary: text,
      before: before.map((literal) => ({ literal })),
      after,
      scope: "pair",
      exceptions: [],
    };
  });
}

/** Returns the rounds one old round stands for, without what was found in them. */
function expandRound(old: LegacyRecord): {
  readonly run: number | string;
  readonly verdict: PublishVerdict;
  readonly thread_id?: string;
  readonly edited_after_round?: boolean;
  readonly [key: string]: unknown;
}[] {
  const runs = expandRun(old["run"]);
  const words = readText(old["verdict"]) ?? "";
  const { verdicts, isEdited, isClaimOnly } = readLegacyVerdict(words);
  const thread = readText(old["thread_id"]);
  const isPost = Object.keys(old).some((name) => name.startsWith("fixes_post_"));
  const edited = isEdited || isPost ? { edited_after_round: true } : {};
  if (verdicts.length > 1) {
    return verdicts.map((verdict, index) => ({
      run: runs[index] !== undefined && runs.length === verdicts.length ? runs[index] : `${runs[0]}.${index + 1}`,
      verdict: "NOT_RUN",
      claimed_verdict: verdict,
      legacy_verdict: words,
      ...(index === verdicts.length - 1 ? edited : {}),
    }));
  }
  return runs.map((run, index) => {
    const isLast = index === runs.length - 1;
    const isBacked = thread !== undefined && isLast;
    const isClaim = (isClaimOnly || runs.length > 1) && !isBacked;
    return {
      run,
      verdict: isClaim ? "NOT_RUN" : verdicts[0],
      ...(isBacked ? { thread_id: thread } : {}),
      ...(words !== "" && words !== verdicts[0] ? { legacy_verdict: words } : {}),
      ...(typeof old["run"] === "string" ? { legacy_run: old["run"] } : {}),
      ...(isLast ? edited : {}),
    };
  });
}

/** What all sentences of one stage share. */
export interface StageContext extends Omit<FindingContext, "round" | "verdict"> {
  readonly documentId: string;
  readonly date: string;
}

/** Returns one stage from its old rounds and what the stage itself lists beside them. */
export function importStage(
  oldRounds: readonly LegacyRecord[],
  own: LegacyRecord,
  context: StageContext,
): ImportedStage {
  const { documentId, date } = context;
  const rounds: ImportedStage["rounds"] = [];
  const findings: LegacyFinding[] = [];
  const corrections: AuditFile["corrections"] = [];
  const deferredTexts = collectLegacyTexts(own, deferredNames);
  const needsVerify: AuditFile["needs_verify"] = [];
  for (const old of oldRounds) {
    const expanded = expandRound(old);
    const last = expanded[expanded.length - 1];
    const issues = collectLegacyTexts(old, issueNames);
    const fixes = collectLegacyTexts(old, fixNames);
    const round = rounds.length + expanded.length;
    const spoken = readLegacyVerdict(readText(old["verdict"]) ?? "").verdicts.at(-1) ?? "NOT_RUN";
    const reviewer = readText(old["reviewer"]) ?? context.reviewer;
    const raise = { ...context, reviewer, round, verdict: spoken };
    const raised = issues.map((text) => createLegacyFinding(text, fixes.length > 0 ? "fixed" : "open", raise));
    findings.push(
      ...raised,
      ...collectLegacyTexts(old, rejectedNames).map((text) => createLegacyFinding(text, "rejected", raise)),
    );
    corrections.push(...createCorrections(fixes, raised, documentId));
    deferredTexts.push(...collectLegacyTexts(old, deferredNames));
    needsVerify.push(
      ...collectLegacyTexts(old, /^needs_verify_resolved$/).map((text) => readLegacyNeedsVerify(text, date)),
    );
    for (const each of expanded) {
      const { run: _run, verdict: _verdict, thread_id: _thread, ...rest } = each === last ? withoutNulls(old) : {};
      rounds.push({
        ...rest,
        ...each,
        ...(each === last && issues.length > 0 ? { issues } : {}),
        ...(each === last && fixes.length > 0 ? { fixes } : {}),
      });
    }
  }
  const deferred = deferredTexts.map((reason) => ({
    reason,
    owner: "not recorded",
    expires: date,
    shown_on_page: false,
  }));
  return { verdict: decideLegacyStage(rounds), rounds, findings, corrections, deferred, needsVerify };
}

/** Old records write `null` for what is absent; ours leave it out. */
export function withoutNulls(record: LegacyRecord): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
