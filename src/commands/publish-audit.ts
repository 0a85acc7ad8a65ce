import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { errorMessage, inputError, usageError } from "../core/index.js";
import {
  checkIndependence,
  checkReviewRecord,
  combineExitCodes,
  decideGate,
  getPublishPaths,
  importLegacyAudit,
  listAudits,
  publishStages,
  readAudit,
  readTraceFiles,
  readVcsState,
  verifyAudit,
  writeAudit,
  type AuditFile,
  type GateDecision,
  type GateStage,
  type IndependenceViolation,
  type RecordFault,
  type VerifyResult,
} from "../publish/index.js";
import { getPackageVersion } from "./package-version.js";
import { writeExperimentStages } from "./publish-experiment.js";
import { publishFolder } from "./publish-files.js";
import { writeRecordPages, type WrittenPage } from "./publish-pages.js";
import { saveWorkspace } from "./publish-save.js";
import { surveyStages } from "./publish-survey.js";
import { openWorkspace, type AuditCommandOptions, type PublishWorkspace } from "./publish-workspace.js";

/** The audit of one document after its stages were merged. */
export interface AuditedDocument {
  readonly id: string;
  readonly file: string;
  readonly audit: AuditFile;
  readonly pages: readonly WrittenPage[];
  readonly written: readonly string[];
}

/** How an audit is made. */
export interface PublishAuditOptions extends AuditCommandOptions {
  /** Audit file that the page of differences starts from; default the last one of another text. */
  readonly against?: string;
}

/**
 * Merges what the stages of a document left into its audit, and writes the pages about it. For reports and papers it also audits the experiments, which
 * have no command of their own.
 *
 * @throws {TurnwiseError} (usage, input) for arguments and files that cannot be used.
 */
export async function auditDocument(file: string, options: PublishAuditOptions = {}): Promise<AuditedDocument> {
  const workspace = await openWorkspace(file, options);
  const experiment = await writeExperimentStages(workspace, options.config);
  const against = options.against === undefined ? undefined : (await readAudit(options.against))?.audit;
  if (options.against !== undefined && against === undefined)
    throw inputError(`Cannot compare with "${options.against}": there is no such audit`);
  const { audit, written } = await saveWorkspace(workspace, { sections: experiment.sections });
  const pages = await writeRecordPages(workspace.paths, audit, against);
  return {
    id: workspace.document.id,
    file: workspace.document.file,
    audit,
    pages,
    written: [...experiment.written, ...written, ...pages.map(({ path }) => path)],
  };
}

/** What the gate decided on one document. */
export interface GatedDocument extends GateDecision {
  readonly id: string;
  readonly file: string;
  readonly stages: readonly GateStage[];
}

/** What the gate decided on several documents. */
export interface GateResult {
  readonly documents: readonly GatedDocument[];
  /** 0 open, 1 closed by a verdict, 3 closed only because something is stale or missing. */
  readonly exitCode: number;
}

/** Documents to gate, and how. */
export interface PublishGateOptions extends AuditCommandOptions {
  /** All documents that have an audit in the output folder. */
  readonly isAll?: boolean;
  /** Put the decision into the audit; default true. */
  readonly isRecorded?: boolean;
}

/** Returns the documents that audits in a folder are about. */
export async function listAuditedSources(out: string): Promise<string[]> {
  const paths = await listAudits(out);
  if (paths.length === 0)
    throw inputError(
      `Cannot find documents in "${out}": it holds no audit`,
      "Run a stage first, for example turnwise publish lint FILE",
    );
  return Promise.all(
    paths.map(async (path) => {
      const source = (await readAudit(path))?.audit.source ?? "";
      const file = resolve(out, source);
      if ((await stat(file).catch(() => undefined)) === undefined)
        throw inputError(
          `Cannot gate "${path}": its source "${source}" is not there`,
          "Move the document back, or name documents instead of --all",
        );
      return file;
    }),
  );
}

/** Traces count when they are on record for a round that counts. */
function hasTrace({ previous, review }: PublishWorkspace): boolean {
  const runs = new Set(review.rounds.filter(({ voided }) => !voided).map(({ run }) => run));
  return (previous?.audit.traces ?? []).some(({ round, bytes }) => runs.has(round) && bytes > 0);
}

function isSameGate(before: AuditFile["gate"], now: GateDecision): boolean {
  if (before === undefined) return false;
  const text = (blocking: readonly unknown[]): string => JSON.stringify(blocking);
  return before.level === now.level && before.decision === now.decision && text(before.blocking) === text(now.blocking);
}

/** Returns where the record breaks the rules of independence, and where it is not as it was written. */
async function checkRecord({ previous, review, parties, otherSessions, paths }: PublishWorkspace): Promise<{
  readonly violations: readonly IndependenceViolation[];
  readonly faults: readonly RecordFault[];
}> {
  if (previous === undefined) return { violations: [], faults: [] };
  const { audit } = previous;
  const { violations } = checkIndependence(parties, review.rounds, review.findings, otherSessions);
  // What the rounds of an old audit broke is known from its import alone.
  const imported = audit.legacy === undefined ? [] : (audit.independence?.violations ?? []);
  return {
    violations: [
      ...violations,
      ...imported.filter(({ message }) => !violations.some((each) => each.message === message)),
    ],
    faults: checkReviewRecord(audit, await readTraceFiles(audit, paths.out)),
  };
}

async function gateDocument(file: string, options: PublishGateOptions): Promise<GatedDocument> {
  const workspace = await openWorkspace(file, options);
  const { document, kind, level, previous, now } = workspace;
  const survey = await surveyStages(workspace);
  const stages = publishStages.flatMap((stage): GateStage[] => {
    const entry = survey.stages[stage];
    return entry === undefined ? [] : [{ stage, verdict: entry.verdict, reason_code: entry.reason_code }];
  });
  const decision = decideGate(
    { kind, stages, hasTrace: hasTrace(workspace), ...(await checkRecord(workspace)) },
    level,
  );
  // A decision that says nothing new is not written again, so that asking costs no version.
  if (options.isRecorded !== false && previous !== undefined && !isSameGate(previous.audit.gate, decision)) {
    const before = await readVcsState(dirname(document.file));
    const gate = {
      level,
      decision: decision.decision,
      blocking: decision.blocking.map((block) => ({ ...block })),
      evaluated_at: now().toISOString(),
      auto_commit: false as const,
      vcs: {
        head: before.head,
        index_before: before.index,
        index_after: (await readVcsState(dirname(document.file))).index,
      },
    };
    const { audit } = await saveWorkspace(workspace, { gate });
    await writeRecordPages(workspace.paths, audit);
  }
  return { id: document.id, file: document.file, stages, ...decision };
}

/**
 * Decides whether documents may go out, from what their stages left and the files as they are.
 *
 * @throws {TurnwiseError} (usage, input) for arguments and files that cannot be used.
 */
export async function gateFiles(files: readonly string[], options: PublishGateOptions = {}): Promise<GateResult> {
  const { out = publishFolder, isAll = false } = options;
  if (isAll === files.length > 0)
    throw usageError(
      isAll ? "Cannot gate both named documents and all" : "Cannot gate nothing",
      "Name documents, or give --all",
    );
  const sources = isAll ? await listAuditedSources(out) : files;
  const documents: GatedDocument[] = [];
  for (const source of sources) documents.push(await gateDocument(source, options));
  return { documents, exitCode: combineExitCodes(documents.map(({ exitCode }) => exitCode)) };
}

/**
 * Checks the hashes of all audits in a folder: inputs, pages, artefacts, traces, and the chain of versions.
 *
 * @throws {TurnwiseError} (input) for a folder without audits.
 */
export async function verifyAudits(folder: string): Promise<readonly VerifyResult[]> {
  const found = await stat(folder).catch(() => undefined);
  const paths = found?.isFile() === true ? [folder] : await listAudits(folder);
  if (paths.length === 0)
    throw inputError(`Cannot verify "${folder}": it holds no audit`, "Name the output folder of turnwise publish");
  return Promise.all(paths.map((path) => verifyAudit(path)));
}

/** What became of one old audit. */
export interface ImportedAudit {
  readonly from: string;
  readonly written: string;
  readonly audit: AuditFile;
}

/** Where old audits go. */
export interface PublishImportOptions {
  readonly out?: string;
  /** Folder that the paths in the old audits are relative to, for hashing their files; default: not hashed. */
  readonly root?: string;
  readonly now?: () => Date;
}

async function readOptional(root: string | undefined, path: unknown): Promise<Uint8Array | undefined> {
  if (root === undefined || typeof path !== "string") return undefined;
  return readFile(resolve(root, path)).catch(() => undefined);
}

async function readLegacy(file: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>; // judged by the import
  } catch (error) {
    throw inputError(`Cannot import "${file}": ${errorMessage(error)}`, undefined, error);
  }
}

/**
 * Imports audits of before version 1 into the output folder. Labels decide nothing there; the old record is kept whole.
 *
 * @throws {TurnwiseError} (input) for a file that is no old audit, or whose audit is there already.
 */
export async function importAudits(
  files: readonly string[],
  options: PublishImportOptions = {},
): Promise<readonly ImportedAudit[]> {
  const { out = publishFolder, root, now = () => new Date() } = options;
  const imported: ImportedAudit[] = [];
  for (const file of files) {
    const old = await readLegacy(file);
    const audit = importLegacyAudit(old, basename(file), {
      at: now().toISOString(),
      tool: { name: "turnwise", version: getPackageVersion() },
      source: await readOptional(root, old["source"]),
      output: await readOptional(root, old["output"]),
    });
    const paths = getPublishPaths(out, audit.document_id);
    if ((await readAudit(paths.audit)) !== undefined)
      throw inputError(
        `Cannot import "${file}": "${paths.audit}" is there already`,
        "Move it away, or name another folder with --out",
      );
    await writeAudit(paths, audit);
    imported.push({ from: file, written: join(out, basename(paths.audit)), audit });
  }
  return imported;
}
