import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { inputError, usageError } from "../core/index.js";
import type { PublishDocument, PublishVerdict } from "../publish/index.js";
import { auditDocument, gateFiles, type GatedDocument } from "./publish-audit.js";
import { checkDocumentPage, openPageChecker, type CheckHtmlOptions, type PageChecker } from "./publish-check-html.js";
import { checkCitationFiles } from "./publish-cites.js";
import { checkClaimFiles } from "./publish-claims.js";
import { checkCodeFiles } from "./publish-code.js";
import { writeExperimentStages } from "./publish-experiment.js";
import { publishFolder, readDocuments } from "./publish-files.js";
import { lintFiles } from "./publish-lint.js";
import { buildDocumentPage, listPageIds, writeDocumentPage } from "./publish-render.js";
import { scanResidueFiles } from "./publish-residue.js";
import { reviewFile } from "./publish-review.js";
import { readContentInputs, saveWorkspace } from "./publish-save.js";
import { openWorkspace } from "./publish-workspace.js";
import { renderGateBlock } from "./review-text.js";
import type { PublishReviewOptions } from "./review-options.js";

/** What `turnwise publish all` does. */
export interface PublishAllOptions extends PublishReviewOptions {
  /** File of terms that must not be published. */
  readonly banList?: string;
  /** Waivers beside those the documents name. */
  readonly waivers?: string;
  /** Python interpreter; `none` leaves Python blocks blocked; default the first on the PATH. */
  readonly python?: string;
  /** Path of the browser that looks at pages; `none` leaves them unchecked; default the one that is found. */
  readonly browser?: string;
  /** Page that readers know, or a folder of such pages by id: their ids must still lead somewhere. Default `out`. */
  readonly previous?: string;
  /** Seconds for one code block; default 10. */
  readonly maxSeconds?: number;
}

/** One stage as it ended. */
export interface FinishedStage {
  readonly stage: string;
  readonly verdict: PublishVerdict;
  readonly reason_code: string;
}

/** One document after everything was run. */
export interface PublishedDocument {
  readonly id: string;
  readonly file: string;
  readonly page: string;
  readonly audit: string;
  readonly gate: GatedDocument;
  readonly summary: string;
}

/** What publishing came to. */
export interface PublishAllResult {
  readonly documents: readonly PublishedDocument[];
  /** For whoever commits; nothing is committed here. */
  readonly commitMessage: string;
  /** That of the gate. */
  readonly exitCode: number;
}

/** Pages made at most until a page shows the verdict of its own check. */
const maxPages = 3;

/** Runs the stages that a program decides alone, over the whole set. */
async function runDeterministicStages(files: readonly string[], options: PublishAllOptions): Promise<void> {
  const { out, kind, lang, level, config, banList, waivers, python, maxSeconds, now = () => new Date() } = options;
  const shared = { out, kind, lang, level, config };
  await lintFiles(files, { ...shared, banList, waivers, now: now() });
  await checkCodeFiles(files, { out, kind, lang, python, maxSeconds, now: now() });
  await checkClaimFiles(files, { ...shared, now: now() });
  await checkCitationFiles(files, { ...shared, now: now() });
  for (const file of files) await writeExperimentStages(await openWorkspace(file, options), config);
}

/**
 * Reviews a document by the configured backend. Without one, a review on record stays what it is, judged for the text as
 * it is now; where there is none, that nobody reviewed is put on record.
 */
async function reviewOrKeep(file: string, set: readonly string[], options: PublishAllOptions): Promise<void> {
  const { backend = "none" } = options;
  const workspace = await openWorkspace(file, options);
  const isReviewed = workspace.review.rounds.some((round) => round.backend !== "none");
  if (backend === "none" && isReviewed)
    await saveWorkspace(workspace, { contentInputs: (await readContentInputs(workspace)) ?? {} });
  else await reviewFile(file, { ...options, set: [...(options.set ?? []), ...set] });
}

/**
 * Returns the ids of the page that readers know of each document, by file; none for a document that had no page. They
 * are read before anything is written, since the new page takes the place of the old one.
 */
async function readPreviousIds(
  documents: readonly PublishDocument[],
  { out = publishFolder, previous = out }: PublishAllOptions,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await stat(previous).catch(() => undefined);
  if (found === undefined && previous !== out)
    throw inputError(`Cannot compare with "${previous}": there is no such file or folder`);
  if (found?.isFile() === true && documents.length > 1)
    throw usageError(
      `Cannot compare ${documents.length} documents with the one page "${previous}"`,
      "Name the folder of their pages",
    );
  const ids = documents.map(async ({ id, file }) => {
    const page = found?.isFile() === true ? previous : join(previous, `${id}.html`);
    const html = await readFile(page, "utf8").catch(() => "");
    return [file, listPageIds(html)] as const;
  });
  return new Map(await Promise.all(ids));
}

/**
 * Makes the page of a document and has it checked until the page shows the verdict of its own check: a page is made from
 * the record, its check is part of the record, and the check belongs to exactly this page.
 */
async function settlePage(file: string, checker: PageChecker, options: CheckHtmlOptions): Promise<string> {
  for (let count = 1; ; count += 1) {
    const { page } = await checkDocumentPage(file, checker, options);
    const { html } = await buildDocumentPage(await openWorkspace(file, options), options);
    if (count === maxPages || (await readFile(page, "utf8")) === html) return page;
  }
}

function listVerdicts({ stages }: GatedDocument): string {
  return stages.map(({ stage, verdict = "" }) => `${stage} ${verdict}`).join(", ");
}

function composeCommitMessage(documents: readonly PublishedDocument[]): string {
  const [first] = documents;
  const open = documents.filter(({ gate }) => gate.decision === "open").length;
  const what = documents.length === 1 ? first.id : `${documents.length} documents`;
  const gates = documents.length === 1 ? `gate ${first.gate.decision}` : `${open} of ${documents.length} gates open`;
  const lines = documents.map(({ id, gate }) => `${id}: ${listVerdicts(gate)}`);
  return [`Publish ${what}: ${gates} at ${first.gate.level}`, "", ...lines].join("\n");
}

/**
 * Publishes documents: lint, code, parity of translations in the set, claims, citations, experiments, review, the page
 * with its checks, audit with its pages, gate. Every stage leaves its artefact whatever came before, and the gate alone
 * decides. A review that changes a text has everything else run again on it.
 *
 * @throws {TurnwiseError} (usage, input) for arguments and files that cannot be used.
 */
export async function publishAll(paths: readonly string[], options: PublishAllOptions = {}): Promise<PublishAllResult> {
  const { kind, lang, onMessage } = options;
  const documents = await readDocuments(paths, { kind, lang });
  const files = documents.map(({ file }) => file);
  if (options.backend === "replay" && options.level === "release")
    throw usageError(
      "Cannot publish for release on a replayed review",
      "Ask a reviewer: --backend command, http or human",
    );
  const previousIds = await readPreviousIds(documents, options);
  onMessage?.("lint, code, claims, citations, experiments");
  await runDeterministicStages(files, options);
  const others = (file: string): string[] => files.filter((other) => other !== file);
  let isEdited = false;
  for (const { file, source } of documents) {
    onMessage?.(`review of ${file}`);
    await reviewOrKeep(file, others(file), options);
    isEdited ||= (await readFile(file, "utf8")) !== source;
  }
  if (isEdited) await runDeterministicStages(files, options);
  const made = new Set(documents.map(({ id }) => id));
  const pages = new Map<string, string>();
  // Pages link to each other and to their audits, so all are there before any is checked.
  for (const file of files) {
    await auditDocument(file, options);
    await writeDocumentPage(await openWorkspace(file, options), { made });
  }
  // What was corrected must be gone from the pages too.
  await scanResidueFiles(files, options);
  const checker = await openPageChecker(options.browser);
  try {
    for (const file of files) {
      onMessage?.(`page of ${file}`);
      const checks = { ...options, previous: undefined, previousIds: previousIds.get(file), made };
      pages.set(file, await settlePage(file, checker, checks));
    }
  } finally {
    if ("browser" in checker) await checker.close();
  }
  const published: PublishedDocument[] = [];
  for (const { id, file } of documents) {
    const { audit } = await auditDocument(file, options);
    const { documents: gates } = await gateFiles([file], options);
    const { paths: own } = await openWorkspace(file, options);
    published.push({
      id,
      file,
      page: pages.get(file) ?? own.page,
      audit: own.audit,
      gate: gates[0],
      summary: audit.summary,
    });
  }
  const codes = published.map(({ gate }) => gate.exitCode);
  return {
    documents: published,
    commitMessage: composeCommitMessage(published),
    exitCode: codes.includes(1) ? 1 : codes.includes(3) ? 3 : 0,
  };
}

/** Returns what publishing came to as text: stages with their reasons, the gate, and a commit message to use. */
export function renderPublishText({ documents, commitMessage }: PublishAllResult): string {
  return [
    ...documents.flatMap(({ file, gate }) => [
      `${file}: gate ${gate.decision} at ${gate.level}`,
      ...gate.stages.map(
        ({ stage, verdict = "", reason_code }) => `  ${stage.padEnd(16)} ${verdict.padEnd(18)} ${reason_code}`,
      ),
      ...(gate.skipped.length > 0 ? [`  not run, let pass at draft: ${gate.skipped.join(", ")}`] : []),
      ...gate.blocking.map(renderGateBlock),
    ]),
    "",
    "Nothing was committed. A message for whoever does:",
    ...commitMessage.split("\n").map((line) => (line === "" ? "" : `    ${line}`)),
  ].join("\n");
}
