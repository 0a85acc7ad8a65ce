import { stat } from "node:fs/promises";
import { basename } from "node:path";
import {
  buildAudit,
  checkIndependence,
  hashFile,
  readStageArtefacts,
  toRelativePath,
  writeAudit,
  writeStageArtefact,
  type AuditFile,
  type ContentReview,
  type PublishPaths,
  type StoredStageArtefact,
} from "../publish/index.js";
import { collectRenderReview, collectSections } from "./audit-sections.js";
import { getPackageVersion } from "./package-version.js";
import { surveyStages, type StageSurvey } from "./publish-survey.js";
import type { PublishWorkspace } from "./publish-workspace.js";

async function describePage(paths: PublishPaths) {
  const hash = await hashFile(paths.page);
  if (hash === undefined) return undefined;
  return { path: basename(paths.page), sha256: hash, bytes: (await stat(paths.page)).size };
}

/** What a command adds to the record. */
export interface WorkspaceChange {
  readonly review?: ContentReview;
  readonly traces?: AuditFile["traces"];
  readonly stopReason?: string;
  readonly probes?: NonNullable<AuditFile["math_code_review"]>["probes"];
  /** Further keys of the audit. */
  readonly sections?: Readonly<Record<string, unknown>>;
  /** Write the artefact of the content stage too; the files reviewers read beside the document, by path relative to it. */
  readonly contentInputs?: Readonly<Record<string, string>>;
  /** What is on record of the gate. */
  readonly gate?: AuditFile["gate"];
}

/** A workspace after it was written. */
export interface SavedWorkspace {
  readonly workspace: PublishWorkspace;
  readonly audit: AuditFile;
  readonly survey: StageSurvey;
  readonly written: readonly string[];
}

async function writeContentArtefact(
  workspace: PublishWorkspace,
  review: ContentReview,
  inputs: Readonly<Record<string, string>>,
  traces: AuditFile["traces"],
): Promise<string> {
  const { document, paths, now, level } = workspace;
  const { content } = await surveyStages({ ...workspace, review }, review, level);
  const judged = content ?? {
    verdict: "REVIEW_UNAVAILABLE" as const,
    reason_code: "reviewer-missing",
    summary: "Nobody reviewed the document",
  };
  const last = review.rounds.at(-1);
  const artefact: StoredStageArtefact = {
    stage: "content",
    ...judged,
    audited_input_hashes: { [basename(document.file)]: `sha256:${document.sha256}`, ...inputs },
    generated_at: now().toISOString(),
    mode: "reviewer",
    level,
    details: {
      audit_skill: "turnwise-publish",
      thread_id: last?.thread_id,
      reviewer_model: last?.reviewer_model,
      reviewer_reasoning: last?.reviewer_reasoning,
      trace_path: traces.at(-1)?.path,
      rounds: review.rounds.map(({ run, verdict, reason_code, source_sha256, reviewer_id }) => ({
        run,
        verdict,
        reason_code,
        source_sha256,
        reviewer_id,
      })),
      required_passes: workspace.requiredPasses,
    },
  };
  return (await writeStageArtefact(paths, artefact)).path;
}

/** Returns the files that reviewers read beside the document, as the content stage put them on record; `undefined` before it ran. */
export async function readContentInputs({
  document,
  paths,
}: PublishWorkspace): Promise<Readonly<Record<string, string>> | undefined> {
  const artefact = (await readStageArtefacts(paths)).found.get("content")?.artefact;
  if (artefact === undefined) return undefined;
  const { [basename(document.file)]: _own, ...others } = artefact.audited_input_hashes;
  return others;
}

/** Writes the next version of the audit, and the artefact of the content stage where a review was made. */
export async function saveWorkspace(
  workspace: PublishWorkspace,
  change: WorkspaceChange = {},
): Promise<SavedWorkspace> {
  const { document, kind, level, paths, previous, parties, otherSessions, now } = workspace;
  const review = change.review ?? workspace.review;
  const traces = [...(previous?.audit.traces ?? []), ...(change.traces ?? [])];
  const current = { ...workspace, review };
  const written =
    change.contentInputs === undefined
      ? []
      : [await writeContentArtefact(current, review, change.contentInputs, traces)];
  const survey = await surveyStages(current, review, level);
  const built = buildAudit(previous, {
    document,
    kind,
    source: toRelativePath(paths.out, document.file),
    sourceBytes: (await stat(document.file)).size,
    review,
    content: survey.content,
    stages: survey.stages,
    inputs: { [toRelativePath(paths.out, document.file)]: `sha256:${document.sha256}`, ...survey.inputs },
    traces,
    independence: checkIndependence(parties, review.rounds, review.findings, otherSessions),
    level,
    sections: {
      ...collectSections(survey.found),
      ...collectRenderReview(survey.found, previous?.audit),
      ...change.sections,
    },
    output: await describePage(paths),
    tool: { name: "turnwise", version: getPackageVersion() },
    stopReason: change.stopReason,
    probes: change.probes,
    at: now().toISOString(),
  });
  const audit = change.gate === undefined ? built : { ...built, gate: change.gate };
  const hash = await writeAudit(paths, audit);
  return {
    workspace: { ...current, previous: { audit, sha256: hash } },
    audit,
    survey,
    written: [...written, paths.audit],
  };
}
