import type { Assurance, PublishDocument } from "../document.js";
import { getWorstVerdict, type PublishVerdict } from "../verdict.js";
import { countOpen, estimateRemainderOf, type ContentReview } from "../review/content-review.js";
import type { JudgedVerdict } from "../review/content-verdict.js";
import type { AuditFinding } from "../review/finding.js";
import type { ReviewRound } from "../review/round-record.js";
import { auditSchemaVersion, type AuditFile, type AuditStageEntry } from "./audit-file.js";
import type { IndependenceRecord } from "./independence.js";

/** What an audit is made from beside its previous version. */
export interface AuditInput {
  readonly document: PublishDocument;
  readonly kind: string;
  /** Path of the document relative to the audit's folder. */
  readonly source: string;
  readonly sourceBytes: number;
  readonly review: ContentReview;
  /** Verdict of the content stage; absent when it has not been run. */
  readonly content?: JudgedVerdict;
  /** Stages by name, as their artefacts say, with staleness looked at. */
  readonly stages: Readonly<Record<string, AuditStageEntry>>;
  /** Everything any stage read: path relative to the audit's folder, hash. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly traces: AuditFile["traces"];
  readonly independence: IndependenceRecord;
  readonly level: Assurance;
  /** Details of stage artefacts that readers look for in the audit: `lint`, `claims`, `citations`, `render_review`, ... */
  readonly sections?: Readonly<Record<string, unknown>>;
  readonly output?: { readonly path: string; readonly sha256: string; readonly bytes: number };
  readonly tool: { readonly name: string; readonly version: string };
  readonly stopReason?: string;
  /** What probes with known defects came to; earlier ones stay where absent. */
  readonly probes?: NonNullable<AuditFile["math_code_review"]>["probes"];
  readonly at: string;
}

/** Returns the review that an audit holds, empty for none. Rounds of the old shape are left out: they prove nothing. */
export function readContentReview(audit: AuditFile | undefined): ContentReview {
  if (audit === undefined) return { rounds: [], findings: [], corrections: [], needsVerify: [], deferred: [] };
  const rounds = (audit.math_code_review?.rounds ?? []).filter(({ pass_results }) => pass_results !== undefined);
  return {
    // The schema was checked on reading; the types differ only in admitting further keys.
    rounds: rounds as unknown as readonly ReviewRound[],
    findings: audit.findings,
    corrections: audit.corrections,
    needsVerify: audit.needs_verify,
    deferred: audit.deferred,
  };
}

function describeIssue({ severity, location, problem }: AuditFinding): string {
  const place = location.line_start === undefined ? "" : `line ${location.line_start}: `;
  return `${severity}: ${place}${problem}`;
}

/** Returns a round with the plain-text lists that readers of the old shape look for. */
function addMirrors(round: ReviewRound, review: ContentReview): Record<string, unknown> {
  const raised = review.findings.filter(({ rounds = [] }) => rounds.includes(round.run));
  const ids = new Set(raised.map(({ id }) => id));
  const issues = raised.filter(({ severity }) => severity === "blocker" || severity === "major").map(describeIssue);
  const warnings = raised.filter(({ severity }) => severity === "minor" || severity === "nit").map(describeIssue);
  const fixes = review.corrections
    .filter(({ finding }) => finding !== undefined && ids.has(finding))
    .map(({ summary, after }) => summary ?? after);
  return {
    ...round,
    ...(issues.length === 0 ? {} : { issues }),
    ...(fixes.length === 0 ? {} : { fixes }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** Returns how much of the last text's items was examined, over the latest result of each pass. */
function summarizeCoverage(rounds: readonly ReviewRound[], sha256: string) {
  const latest = new Map(
    rounds
      .filter(({ source_sha256, voided }) => source_sha256 === `sha256:${sha256}` && !voided)
      .flatMap(({ pass_results }) => pass_results)
      .filter(({ verdict }) => verdict !== "NOT_APPLICABLE")
      .map((result) => [result.pass, result]),
  );
  const results = [...latest.values()];
  const items = results.reduce((sum, { item_count }) => sum + item_count, 0);
  const checked = results.reduce(
    (sum, { coverage }) => sum + coverage.filter(({ status }) => status === "checked").length,
    0,
  );
  const unchecked = results.flatMap(({ pass, coverage }) =>
    coverage.filter(({ status }) => status !== "checked").map(({ item }) => `${pass}:${item}`),
  );
  return { items, checked, ratio: items === 0 ? 1 : checked / items, unchecked };
}

function buildContentReview(previous: AuditFile | undefined, input: AuditInput): AuditFile["math_code_review"] {
  const { review, content, document, stopReason, probes } = input;
  const before = previous?.math_code_review;
  const probed = probes === undefined ? {} : { probes };
  if (content === undefined) {
    if (before === undefined && probes === undefined) return undefined;
    return { verdict: "REVIEW_UNAVAILABLE", rounds: [], ...before, ...probed };
  }
  const remainder = estimateRemainderOf(review);
  const old = (before?.rounds ?? []).filter(({ pass_results }) => pass_results === undefined);
  return {
    ...before,
    verdict: content.verdict,
    // The mirrors only add keys to rounds, and the writer checks the whole against the schema.
    rounds: [...old, ...review.rounds.map((round) => addMirrors(round, review))] as NonNullable<
      AuditFile["math_code_review"]
    >["rounds"],
    summary: content.summary,
    ...(stopReason === undefined ? {} : { stop_reason: stopReason }),
    open: { ...countOpen(review.findings) },
    coverage: summarizeCoverage(review.rounds, document.sha256),
    ...probed,
    ...(remainder === undefined ? {} : { remainder: { ...remainder } }),
  };
}

function summarize(verdict: PublishVerdict, stages: AuditInput["stages"], review: ContentReview): string {
  const counts = countOpen(review.findings);
  const parts = Object.entries(stages).map(([stage, entry]) => `${stage} ${entry.verdict}`);
  const open = counts.blocker + counts.major + counts.minor + counts.nit + counts.unsupported;
  const markers = review.needsVerify.filter(({ state }) => state === "open").length;
  return `${verdict}: ${parts.join(", ") || "no stage was run"}. ${review.rounds.length} review rounds, ${review.findings.length} findings, ${open} open, ${markers} statements to verify.`;
}

/** Returns whether deferring is in order: no open marker and nothing deferred at release. */
function checkNoDefer({ review, level }: AuditInput): boolean {
  return level !== "release" || review.needsVerify.every(({ state }) => state !== "open");
}

/**
 * Returns the next version of an audit. Keys of the previous version that nobody here knows are kept, the legacy part
 * too; counts, verdict and summary are computed anew.
 *
 * @param previous The audit before, with the hash of its text.
 */
export function buildAudit(
  previous: { readonly audit: AuditFile; readonly sha256: string } | undefined,
  input: AuditInput,
): AuditFile {
  const { document, kind, source, sourceBytes, review, stages, inputs, traces, independence, at } = input;
  const before = previous?.audit;
  const { frontMatter, inventory } = document;
  const verdict = getWorstVerdict(Object.values(stages).map((entry) => entry.verdict));
  const output = input.output;
  return {
    ...before,
    ...input.sections,
    schema: "publish-audit",
    schema_version: before?.schema_version ?? auditSchemaVersion,
    skill: before?.skill ?? "turnwise-publish",
    document_id: document.id,
    kind,
    lang: document.lang,
    profile: frontMatter.profile ?? before?.profile ?? kind,
    source,
    source_sha256: `sha256:${document.sha256}`,
    source_sha256_prefix: document.sha256.slice(0, 16),
    source_bytes: sourceBytes,
    source_lines: document.inventory.lines,
    lines_md: document.inventory.lines,
    ...(output === undefined
      ? {}
      : { output: output.path, output_sha256: output.sha256, output_bytes: output.bytes, bytes_html: output.bytes }),
    toc_entries: inventory.toc,
    title: document.title,
    subtitle: frontMatter.subtitle ?? before?.subtitle,
    eyebrow: frontMatter.eyebrow ?? before?.eyebrow,
    byline: frontMatter.byline ?? before?.byline,
    author: frontMatter.byline ?? before?.author,
    effort: frontMatter.effort ?? before?.effort,
    assurance: input.level,
    reviewer: independence.reviewers.map(({ id }) => id).join(", ") || undefined,
    verdict,
    stages: { ...stages },
    tool: { ...before?.tool, ...input.tool },
    inputs: { ...inputs },
    audited_input_hashes: { ...inputs },
    inventory: { ...before?.inventory, ...inventory },
    math_code_review: buildContentReview(before, input),
    findings: review.findings.map((finding) => ({ ...finding })) as unknown as AuditFile["findings"], // readonly lists
    corrections: review.corrections.map((each) => ({ ...each })) as unknown as AuditFile["corrections"], // as above
    needs_verify: review.needsVerify.map((each) => ({ ...each })) as unknown as AuditFile["needs_verify"], // as above
    deferred: review.deferred.map((each) => ({ ...each })),
    ...(before?.no_defer_compliance === undefined ? {} : { no_defer_compliance: checkNoDefer(input) }),
    waivers: before?.waivers ?? [],
    independence: independence as unknown as AuditFile["independence"], // readonly lists
    traces,
    summary: summarize(verdict, stages, review),
    created_at: before?.created_at ?? at,
    updated_at: at,
    prev_audit_sha256: previous?.sha256,
  };
}
