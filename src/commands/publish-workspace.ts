import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { inputError } from "../core/index.js";
import {
  buildAudit,
  checkIndependence,
  computeContentVerdict,
  findChangedInputs,
  findModelFamily,
  getPublishPaths,
  hashFile,
  listAnsweredSessions,
  listAudits,
  listRequiredPasses,
  readAudit,
  readContentReview,
  readStageArtefacts,
  toRelativePath,
  writeAudit,
  writeStageArtefact,
  type Assurance,
  type AuditFile,
  type AuditStageEntry,
  type ContentReview,
  type FoundArtefact,
  type JudgedVerdict,
  type LintDetails,
  type PublishDocument,
  type PublishPaths,
  type PublishStage,
  type ReviewParties,
  type ReviewPass,
  type StoredStageArtefact,
} from "../publish/index.js";
import { collectRenderReview, collectSections } from "./audit-sections.js";
import { getPackageVersion } from "./package-version.js";
import { publishFolder, readDocuments, readPublishConfig, type DocumentFlags } from "./publish-files.js";

/** What every command on audits is told. */
export interface AuditCommandOptions extends DocumentFlags {
  readonly level?: Assurance;
  /** Default `turnwise-publish`. */
  readonly out?: string;
  readonly config?: string;
  /** Default now. */
  readonly now?: () => Date;
}

const identitySchema = z.strictObject({
  id: z.string().min(1),
  family: z.string().min(1).optional(),
  model: z.string().min(1).optional(),
  reasoning: z.string().min(1).optional(),
});

const partiesConfig = z.strictObject({
  author: identitySchema.optional(),
  fixer: identitySchema.optional(),
  arbiter: identitySchema.optional(),
});

/** All that is on record about one document, with the document. */
export interface PublishWorkspace {
  readonly document: PublishDocument;
  readonly kind: string;
  readonly level: Assurance;
  readonly paths: PublishPaths;
  readonly previous?: { readonly audit: AuditFile; readonly sha256: string };
  readonly review: ContentReview;
  readonly parties: ReviewParties;
  readonly requiredPasses: readonly ReviewPass[];
  /** Sessions that other documents of the output folder used. */
  readonly otherSessions: ReadonlySet<string>;
  readonly now: () => Date;
}

const draftRecord = z.looseObject({ author: identitySchema });

/** Returns who wrote the draft of a document, where it came from a backend. */
async function readDraftAuthor({ folder }: PublishPaths) {
  const text = await readFile(join(folder, "draft.json"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return draftRecord.parse(JSON.parse(text)).author;
  } catch {
    throw inputError(
      `Cannot read "${join(folder, "draft.json")}": it does not say who wrote the draft`,
      "Name the author under parties in the configuration, and move the file away",
    );
  }
}

/** Returns the parties that a configuration file names under `parties`, over those the last audit and the draft name. */
async function readParties(
  config: string | undefined,
  audit: AuditFile | undefined,
  paths: PublishPaths,
): Promise<ReviewParties> {
  const parsed = partiesConfig.safeParse(await readPublishConfig(config, "parties"));
  if (!parsed.success)
    throw inputError(
      `Cannot use "parties" of configuration "${config}":\n${z.prettifyError(parsed.error)}`,
      "Allowed are author, fixer and arbiter, each with id, and family, model, reasoning",
    );
  const recorded = audit?.legacy === undefined ? audit?.independence : undefined;
  const named = {
    author: recorded?.author ?? (await readDraftAuthor(paths)),
    fixer: recorded?.fixer,
    arbiter: recorded?.arbiter,
    ...parsed.data,
  };
  const complete = Object.entries(named).flatMap(([role, identity]) => {
    if (identity === undefined) return [];
    const family = identity.family ?? findModelFamily(identity.model ?? identity.id);
    return [[role, { ...identity, ...(family === undefined ? {} : { family }) }] as const];
  });
  return Object.fromEntries(complete);
}

async function listOtherSessions(out: string, own: string): Promise<Set<string>> {
  if (!existsSync(out)) return new Set();
  const others = (await listAudits(out)).filter((path) => resolve(path) !== resolve(own));
  const audits = await Promise.all(others.map((path) => readAudit(path).catch(() => undefined)));
  const rounds = audits.flatMap((found) => found?.audit.math_code_review?.rounds ?? []);
  return new Set(rounds.flatMap(({ pass_results = [] }) => listAnsweredSessions(pass_results)));
}

/**
 * Opens what is on record about a document.
 *
 * @throws {TurnwiseError} (input) for a document, configuration or audit that cannot be read.
 */
export async function openWorkspace(file: string, options: AuditCommandOptions = {}): Promise<PublishWorkspace> {
  const { out = publishFolder, now = () => new Date(), config } = options;
  const [document] = await readDocuments([file], { kind: options.kind, lang: options.lang });
  const paths = getPublishPaths(out, document.id);
  const previous = await readAudit(paths.audit);
  const kind = document.frontMatter.kind ?? options.kind ?? "tutorial";
  return {
    document,
    kind,
    level: options.level ?? document.frontMatter.assurance ?? "draft",
    paths,
    previous,
    review: readContentReview(previous?.audit),
    parties: await readParties(config, previous?.audit, paths),
    requiredPasses: listRequiredPasses(kind),
    otherSessions: await listOtherSessions(out, paths.audit),
    now,
  };
}

/** Returns the evidence folders and bibliographies a document names that are not there. */
export function listMissingInputs({ file, frontMatter }: PublishDocument): string[] {
  const named = [...(frontMatter.evidence ?? []), ...(frontMatter.bibliography ?? [])];
  return named.filter((path) => !existsSync(resolve(dirname(file), path)));
}

/** Levels of artefacts that say it in their details. */
function getArtefactLevel({ level, details }: StoredStageArtefact): Assurance | undefined {
  if (level !== undefined) return level;
  const inner = typeof details === "object" && details !== null && "level" in details ? details.level : undefined;
  return inner === "draft" || inner === "release" ? inner : undefined;
}

/** Verdicts that do not depend on the level: what failed at draft fails at release. */
function isLevelTooLow({ artefact }: FoundArtefact, level: Assurance): boolean {
  return level === "release" && getArtefactLevel(artefact) === "draft" && artefact.verdict !== "FAIL";
}

/** What the stages of a document come to now. */
export interface StageSurvey {
  readonly stages: Readonly<Record<string, AuditStageEntry>>;
  readonly inputs: Readonly<Record<string, string>>;
  readonly found: ReadonlyMap<PublishStage, FoundArtefact>;
  readonly problems: ReadonlyMap<PublishStage, string>;
  readonly content?: JudgedVerdict;
  /** Errors that lint has on the text as it is; `undefined` when lint has not seen it. */
  readonly lintErrorCount?: number;
}

function readLintCounts(found: FoundArtefact | undefined, isFresh: boolean) {
  if (found === undefined || !isFresh) return {};
  const details = found.artefact.details as Partial<LintDetails> | undefined; // written by the lint stage; parts may lack
  const privacy = (details?.findings ?? []).filter(
    ({ ruleId, severity, waiver }) => ruleId.startsWith("privacy.") && severity === "error" && waiver === undefined,
  );
  return {
    lintErrorCount: details?.counts?.error ?? (found.artefact.verdict === "FAIL" ? 1 : 0),
    lintWarningCount: details?.counts?.warning ?? 0,
    waiverCount: details?.waivedCount ?? 0,
    privacyHitCount: privacy.length,
  };
}

/** Returns the verdict of the content stage from what is on record, whatever its artefact says. */
function judgeContent(
  workspace: PublishWorkspace,
  review: ContentReview,
  lint: ReturnType<typeof readLintCounts>,
  level: Assurance,
): JudgedVerdict {
  const { document, requiredPasses } = workspace;
  const state = {
    sourceSha256: `sha256:${document.sha256}`,
    requiredPasses,
    rounds: review.rounds,
    findings: review.findings.filter(({ stage }) => stage === "content"),
    needsVerify: review.needsVerify,
    residueCount: review.corrections.filter(
      ({ residue }) => residue?.clean === false && residue.hits.some(({ waived }) => waived === undefined),
    ).length,
    missingInputs: listMissingInputs(document),
    ...lint,
  };
  return computeContentVerdict(state, level);
}

/**
 * Returns what each stage comes to for the files as they are: a stage that read other bytes is STALE, one judged at
 * draft is STALE for release, and the content stage is judged anew from its record.
 */
export async function surveyStages(
  workspace: PublishWorkspace,
  review = workspace.review,
  level = workspace.level,
): Promise<StageSurvey> {
  const { document, paths, previous } = workspace;
  const folder = dirname(document.file);
  const { found, problems } = await readStageArtefacts(paths);
  const stages: Record<string, AuditStageEntry> = {};
  const inputs: Record<string, string> = {};
  const stale = new Map<PublishStage, string>();
  for (const [stage, each] of found) {
    const changed = await findChangedInputs(each.artefact.audited_input_hashes, folder);
    if (changed.length > 0) stale.set(stage, "input-changed");
    else if (stage !== "content" && isLevelTooLow(each, level)) stale.set(stage, "judged-at-draft");
    for (const [path, hash] of Object.entries(each.artefact.audited_input_hashes))
      inputs[toRelativePath(paths.out, resolve(folder, path))] = hash;
  }
  for (const [stage, { artefact, path, sha256: hash }] of found) {
    const reason = stale.get(stage);
    stages[stage] = {
      verdict: reason === undefined ? artefact.verdict : "STALE",
      reason_code: reason ?? artefact.reason_code,
      artefact: toRelativePath(paths.out, path),
      sha256: hash,
      generated_at: artefact.generated_at,
      level: getArtefactLevel(artefact),
    };
  }
  for (const stage of problems.keys()) stages[stage] = { verdict: "ERROR", reason_code: "artefact-unreadable" };
  // What an old audit said of a stage stands until the stage is run.
  for (const [stage, entry] of Object.entries(previous?.audit.stages ?? {}))
    if (entry.artefact === undefined && stages[stage] === undefined) stages[stage] = entry;
  const lint = readLintCounts(found.get("lint"), !stale.has("lint"));
  const hasReview = found.has("content") || review.rounds.length > 0;
  if (!hasReview) return { stages, inputs, found, problems, lintErrorCount: lint.lintErrorCount };
  const content = judgeContent(workspace, review, lint, level);
  // An evidence file that changed makes the review stale, unless worse is known.
  const isStale =
    stale.has("content") && !["FAIL", "ERROR", "BLOCKED", "REVIEW_UNAVAILABLE", "STALE"].includes(content.verdict);
  const judged: JudgedVerdict = isStale
    ? { verdict: "STALE", reason_code: "input-changed", summary: "A file the reviewers read has changed" }
    : content;
  stages["content"] = { ...stages["content"], verdict: judged.verdict, reason_code: judged.reason_code, level };
  return { stages, inputs, found, problems, content: judged, lintErrorCount: lint.lintErrorCount };
}

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
