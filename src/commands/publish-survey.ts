import { dirname, resolve } from "node:path";
import {
  computeContentVerdict,
  findChangedInputs,
  readStageArtefacts,
  toRelativePath,
  type Assurance,
  type AuditFile,
  type AuditStageEntry,
  type ContentReview,
  type FoundArtefact,
  type JudgedVerdict,
  type LintDetails,
  type PublishStage,
  type StoredStageArtefact,
} from "../publish/index.js";
import { listMissingInputs, type PublishWorkspace } from "./publish-workspace.js";

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

/** What lies in the folder of a document, held against its last audit. */
interface ReadStages extends Pick<StageSurvey, "inputs" | "found" | "problems"> {
  readonly stages: Record<string, AuditStageEntry>;
  /** Why a stage is stale. */
  readonly stale: ReadonlyMap<PublishStage, string>;
}

/**
 * Says whether an artefact is another than the audit recorded though no run of its stage wrote it since: a run has a new
 * time, or read other bytes.
 */
function isEdited(
  { artefact, sha256 }: FoundArtefact,
  inputs: Readonly<Record<string, string>>,
  audit: AuditFile | undefined,
): boolean {
  const known = audit?.stages[artefact.stage];
  if (known?.sha256 === undefined || known.sha256 === sha256 || known.generated_at !== artefact.generated_at)
    return false;
  return Object.entries(inputs).every(([path, hash]) => audit?.inputs?.[path] === hash);
}

/** Says whether what a stage left is not as it was written. */
function isBrokenArtefact(entry: AuditStageEntry | undefined): boolean {
  return entry?.verdict === "ERROR" && /^artefact-(?:changed|unreadable)$/.test(entry.reason_code);
}

async function readStages({ document, paths, previous }: PublishWorkspace, level: Assurance): Promise<ReadStages> {
  const known = previous?.audit.stages ?? {};
  const folder = dirname(document.file);
  const { found, problems } = await readStageArtefacts(paths);
  const stages: Record<string, AuditStageEntry> = {};
  const inputs: Record<string, string> = {};
  const stale = new Map<PublishStage, string>();
  for (const [stage, each] of found) {
    const { artefact, path, sha256 } = each;
    const changed = await findChangedInputs(artefact.audited_input_hashes, folder);
    if (changed.length > 0) stale.set(stage, "input-changed");
    else if (stage !== "content" && isLevelTooLow(each, level)) stale.set(stage, "judged-at-draft");
    const read = Object.fromEntries(
      Object.entries(artefact.audited_input_hashes).map(([name, hash]) => [
        toRelativePath(paths.out, resolve(folder, name)),
        hash,
      ]),
    );
    Object.assign(inputs, read);
    const reason = stale.get(stage);
    stages[stage] = isEdited(each, read, previous?.audit)
      ? // The hash on record stays, so that the change stays in sight until the stage is run again.
        { ...known[stage], verdict: "ERROR", reason_code: "artefact-changed" }
      : {
          verdict: reason === undefined ? artefact.verdict : "STALE",
          reason_code: reason ?? artefact.reason_code,
          artefact: toRelativePath(paths.out, path),
          sha256,
          generated_at: artefact.generated_at,
          level: getArtefactLevel(artefact),
        };
  }
  for (const stage of problems.keys())
    stages[stage] = { ...known[stage], verdict: "ERROR", reason_code: "artefact-unreadable" };
  // What an old audit said of a stage stands until the stage is run.
  for (const [stage, entry] of Object.entries(known))
    if (entry.artefact === undefined && stages[stage] === undefined) stages[stage] = entry;
  return { stages, inputs, found, problems, stale };
}

/** Verdicts that say more than that a file has changed. */
const worseThanStale = ["FAIL", "ERROR", "BLOCKED", "REVIEW_UNAVAILABLE", "STALE"];

/**
 * Returns what each stage comes to for the files as they are: a stage that read other bytes is STALE, one judged at
 * draft is STALE for release, one whose artefact was edited is ERROR, and the content stage is judged anew from its
 * record.
 */
export async function surveyStages(
  workspace: PublishWorkspace,
  review = workspace.review,
  level = workspace.level,
): Promise<StageSurvey> {
  const { stages, stale, ...read } = await readStages(workspace, level);
  const lint = readLintCounts(read.found.get("lint"), !stale.has("lint") && !isBrokenArtefact(stages["lint"]));
  const hasReview = read.found.has("content") || review.rounds.length > 0;
  const survey = { ...read, stages, lintErrorCount: lint.lintErrorCount };
  if (!hasReview) return survey;
  const judged = judgeContent(workspace, review, lint, level);
  // An evidence file that changed makes the review stale, unless worse is known.
  const content: JudgedVerdict =
    stale.has("content") && !worseThanStale.includes(judged.verdict)
      ? { verdict: "STALE", reason_code: "input-changed", summary: "A file the reviewers read has changed" }
      : judged;
  // The artefact tells what the reviewers read: one that was edited hides no failure, and proves nothing.
  if (!isBrokenArtefact(stages["content"]) || content.verdict === "FAIL")
    stages["content"] = { ...stages["content"], verdict: content.verdict, reason_code: content.reason_code, level };
  return { ...survey, content };
}
