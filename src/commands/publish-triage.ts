import { readFile } from "node:fs/promises";
import { errorMessage, inputError, usageError } from "../core/index.js";
import {
  applyFixes,
  changeFinding,
  parseFixReport,
  resolveNeedsVerify,
  scanResidue,
  verifyFixes,
  type AuditFile,
  type AuditFinding,
  type ContentReview,
  type LookupEvidence,
  type NeedsVerifyState,
  type ReviewActor,
  type ReviewIdentity,
} from "../publish/index.js";
import { saveWorkspace } from "./publish-save.js";
import { openWorkspace, type AuditCommandOptions, type PublishWorkspace } from "./publish-workspace.js";
import { countLintErrors, listResidueFiles } from "./review-setup.js";

/** What is decided in one call. */
export interface TriageOptions extends AuditCommandOptions {
  /** Who decides; for rejecting, deferring and waiving it must be an arbiter who is neither author nor fixer. */
  readonly as?: string;
  readonly accept?: readonly string[];
  readonly reject?: readonly string[];
  readonly defer?: readonly string[];
  readonly reopen?: readonly string[];
  readonly reason?: string;
  readonly owner?: string;
  readonly expires?: string;
  /** Correction whose remaining places are let stand, with `reason`. */
  readonly waive?: string;
  readonly waiveFile?: string;
  readonly waiveText?: string;
  /** File of fixes already made in the text (`review-fix/1`). */
  readonly fixed?: string;
  /** Marked statement that is settled. */
  readonly settle?: string;
  readonly state?: Exclude<NeedsVerifyState, "open">;
  readonly source?: string;
  readonly quote?: string;
  readonly hedge?: string;
}

/** A document after triage. */
export interface TriagedDocument {
  readonly id: string;
  readonly file: string;
  readonly audit: AuditFile | undefined;
  readonly findings: readonly AuditFinding[];
  readonly review: ContentReview;
  readonly written: readonly string[];
}

/** Returns who arbitrates. Nobody arbitrates over their own text. */
function getArbiter({ parties }: PublishWorkspace, as: string | undefined): ReviewIdentity {
  const { arbiter, author, fixer } = parties;
  const id = as ?? arbiter?.id;
  if (id === undefined)
    throw usageError(
      "Cannot decide without an arbiter",
      "Say who decides with --as NAME, or name the arbiter in the configuration",
    );
  if (id === author?.id || id === fixer?.id)
    throw usageError(
      `Cannot decide as "${id}": that is the ${id === author?.id ? "author" : "fixer"}`,
      "Rejecting, deferring and waiving take a person who is neither author nor fixer",
    );
  if (arbiter !== undefined && arbiter.id !== id)
    throw usageError(`Cannot decide as "${id}": the arbiter is "${arbiter.id}"`);
  return arbiter ?? { id, family: "human" };
}

function changeAll(
  review: ContentReview,
  ids: readonly string[],
  change: (finding: AuditFinding) => AuditFinding,
): ContentReview {
  const missing = ids.find((id) => !review.findings.some((finding) => finding.id === id));
  if (missing !== undefined)
    throw usageError(
      `Cannot find finding "${missing}": the record has ${review.findings.map(({ id }) => id).join(", ") || "none"}`,
    );
  return {
    ...review,
    findings: review.findings.map((finding) => (ids.includes(finding.id) ? change(finding) : finding)),
  };
}

/** Applies the decisions an arbiter alone may take. */
function arbitrate(review: ContentReview, options: TriageOptions, by: ReviewActor, at: string): ContentReview {
  const { reject = [], defer = [], reopen = [], reason, owner, expires, waive, waiveFile, waiveText } = options;
  let next = changeAll(review, reject, (finding) => changeFinding(finding, { to: "rejected", by, at, reason }));
  next = changeAll(next, reopen, (finding) => changeFinding(finding, { to: "open", by, at, reason }));
  next = changeAll(next, defer, (finding) =>
    changeFinding(finding, { to: "deferred", by, at, reason, owner, expires }),
  );
  const items = defer.map((finding) => ({
    finding,
    reason: reason ?? "",
    owner: owner ?? "",
    expires: expires ?? "",
    shown_on_page: true,
  }));
  next = { ...next, deferred: [...next.deferred, ...items] };
  if (waive === undefined) return next;
  if (!next.corrections.some(({ id }) => id === waive))
    throw usageError(
      `Cannot find correction "${waive}": the record has ${next.corrections.map(({ id }) => id).join(", ") || "none"}`,
    );
  if (reason === undefined || reason.trim() === "")
    throw usageError(`Cannot waive places of correction "${waive}": no reason is given`, "Say why with --reason");
  const exception = {
    ...(waiveFile === undefined ? {} : { file: waiveFile }),
    ...(waiveText === undefined ? {} : { line_contains: waiveText }),
    reason,
    by: by.id,
  };
  const corrections = next.corrections.map((each) =>
    each.id === waive ? { ...each, exceptions: [...each.exceptions, exception] } : each,
  );
  return { ...next, corrections };
}

function settleMarker(
  review: ContentReview,
  options: TriageOptions,
  by: ReviewActor,
  workspace: PublishWorkspace,
  at: string,
): ContentReview {
  const { settle, state, source, quote = "", hedge } = options;
  if (settle === undefined) return review;
  const entry = review.needsVerify.find(({ id }) => id === settle);
  if (entry === undefined)
    throw usageError(
      `Cannot find marked statement "${settle}": the record has ${review.needsVerify.map(({ id }) => id).join(", ") || "none"}`,
    );
  if (state === undefined)
    throw usageError(
      `Cannot settle "${settle}" without saying how`,
      "Give --state verified, corrected, hedged or removed",
    );
  const evidence: LookupEvidence[] = source === undefined ? [] : [{ source, quote, looked_up_at: at.slice(0, 10) }];
  const settled = resolveNeedsVerify(entry, { to: state, by, evidence, hedge }, workspace.document.source);
  return { ...review, needsVerify: review.needsVerify.map((each) => (each.id === settle ? settled : each)) };
}

async function recordFixes(
  review: ContentReview,
  file: string | undefined,
  workspace: PublishWorkspace,
  at: string,
): Promise<ContentReview> {
  if (file === undefined) return review;
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw inputError(`Cannot read fixes "${file}": ${errorMessage(error)}`, undefined, error);
  }
  const report = parseFixReport(value, review.findings, `the fixes in "${file}"`);
  const { document, parties } = workspace;
  const fixer = { id: parties.fixer?.id ?? parties.author?.id ?? "fixer", role: "fixer" as const };
  // The text before is known by its hash alone, from the round that raised the findings.
  const before = review.rounds.at(-1)?.source_sha256.slice(7) ?? document.sha256;
  return applyFixes(review, report, { ...document, sha256: before }, document, { fixer, at });
}

/**
 * Puts decisions about findings, corrections and marked statements on record, scans for residue again, and verifies the
 * fixes for which nothing is missing. Without a decision it only returns what is on record.
 *
 * @throws {TurnwiseError} (usage) for a decision that this person may not take or that lacks something; (input) for files
 * that cannot be used.
 */
export async function triageDocument(file: string, options: TriageOptions = {}): Promise<TriagedDocument> {
  const workspace = await openWorkspace(file, options);
  const { document, previous, paths, parties, now } = workspace;
  const at = now().toISOString();
  const isArbitrating =
    [options.reject, options.defer, options.reopen].some((list) => (list?.length ?? 0) > 0) ||
    options.waive !== undefined;
  const isDeciding =
    isArbitrating || (options.accept?.length ?? 0) > 0 || options.fixed !== undefined || options.settle !== undefined;
  if (!isDeciding)
    return {
      id: document.id,
      file: document.file,
      audit: previous?.audit,
      findings: workspace.review.findings,
      review: workspace.review,
      written: [],
    };
  if (previous === undefined)
    throw inputError(
      `Cannot triage "${file}": it has no audit in "${paths.out}"`,
      `Review it first: turnwise publish review ${file}`,
    );
  let review = workspace.review;
  let arbiter = parties.arbiter;
  if (isArbitrating) {
    arbiter = getArbiter(workspace, options.as);
    review = arbitrate(review, options, { id: arbiter.id, role: "arbiter" }, at);
  }
  const asArbiter = options.as !== undefined && options.as === arbiter?.id;
  const by: ReviewActor = asArbiter
    ? { id: options.as ?? "", role: "arbiter" }
    : { id: options.as ?? parties.author?.id ?? "author", role: "author" };
  review = changeAll(review, options.accept ?? [], (finding) =>
    changeFinding(finding, { to: "accepted", by, at, reason: options.reason }),
  );
  review = await recordFixes(review, options.fixed, workspace, at);
  review = settleMarker(review, options, by, workspace, at);
  review = {
    ...review,
    corrections: scanResidue(review.corrections, await listResidueFiles([document], paths.out), at),
  };
  const hasFixes = review.findings.some(({ state }) => state === "fixed");
  review = verifyFixes(review, document, hasFixes ? await countLintErrors({ set: [] }, workspace) : undefined, at);
  const saved = await saveWorkspace({ ...workspace, parties: { ...parties, arbiter } }, { review });
  return {
    id: document.id,
    file: document.file,
    audit: saved.audit,
    findings: review.findings,
    review,
    written: saved.written,
  };
}
