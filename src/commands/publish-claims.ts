import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { errorMessage, inputError, isJsonObject } from "../core/index.js";
import {
  bindClaims,
  checkClaims,
  checkReportClaims,
  parseArtefact,
  type Assurance,
  type BoundNumberChange,
  type ClaimsDetails,
  type StageArtefact,
} from "../publish/index.js";
import { checkReportRuns, gatherEvidence, openEvidence } from "./claims-evidence.js";
import { getPackageVersion } from "./package-version.js";
import {
  publishFolder,
  readDocuments,
  readInput,
  readPublishConfig,
  writeStage,
  type DocumentFlags,
} from "./publish-files.js";

/** What `turnwise publish claims` may use. */
export interface PublishClaimsOptions extends DocumentFlags {
  readonly level?: Assurance;
  /** Default `turnwise-publish`. */
  readonly out?: string;
  /** Default `<id>.claims.yaml` or `claims.yaml` beside the document. */
  readonly ledger?: string;
  /** Evidence folders beside those the document names. */
  readonly evidence?: readonly string[];
  /** Settings of the section `claims`: `ledger` and `evidence`, as seen from this file. */
  readonly config?: string;
  /** Default now. */
  readonly now?: Date;
}

/** What became of the claims of one document or report. */
export interface CheckedClaims {
  readonly id: string;
  readonly file: string;
  readonly artefact: StageArtefact<ClaimsDetails>;
  readonly written: readonly string[];
}

const claimsConfig = z.strictObject({ ledger: z.string().optional(), evidence: z.array(z.string()).optional() });

/** Returns the options with what the configuration adds: a ledger where none is given, and further evidence. */
async function mergeConfig(options: PublishClaimsOptions): Promise<PublishClaimsOptions> {
  const { config } = options;
  const result = claimsConfig.safeParse(await readPublishConfig(config, "claims"));
  if (!result.success) {
    const [{ path, message }] = result.error.issues;
    throw inputError(
      `Cannot use "${["claims", ...path].join(".")}" of configuration "${config}": ${message}`,
      "Allowed are ledger, a file, and evidence, a list of folders",
    );
  }
  const { ledger, evidence = [] } = result.data;
  const near = (file: string): string => resolve(dirname(config ?? "."), file);
  return {
    ...options,
    ledger: options.ledger ?? (ledger === undefined ? undefined : near(ledger)),
    evidence: [...(options.evidence ?? []), ...evidence.map(near)],
  };
}

/** Says whether a path is a folder with a report of turnwise. */
function isReportFolder(path: string): boolean {
  return existsSync(join(path, "report.json")) && statSync(path).isDirectory();
}

/** Returns the page that the data give, when this version made the report; other versions write other pages. */
async function renderAgain(text: string, file: string): Promise<string | undefined> {
  const { parseReport, renderReportPage } = await import("../report/index.js");
  try {
    const report = parseReport(text, file);
    return report.generator.version === getPackageVersion() ? renderReportPage(report) : undefined;
  } catch {
    return undefined; // a changed report that cannot be shown is found by its claims
  }
}

async function checkReport(
  folder: string,
  { out = publishFolder, now = new Date() }: PublishClaimsOptions,
): Promise<CheckedClaims> {
  const file = join(folder, "report.json");
  const bytes = await readInput(file, "report");
  const report = parseArtefact("report.json", bytes);
  const pageFile = join(folder, "report.html");
  const pageBytes = existsSync(pageFile) ? await readFile(pageFile) : undefined;
  const page = pageBytes?.toString("utf8");
  const name = basename(resolve(folder));
  // Reports of runs lie in a folder of that name inside the run.
  const id = name === "report" ? `${basename(dirname(resolve(folder)))}-report` : name;
  const generator = isJsonObject(report.value) ? report.value["generator"] : undefined;
  const expectedPage =
    page === undefined || generator === undefined
      ? undefined
      : await renderAgain(new TextDecoder().decode(bytes), file);
  const artefact = checkReportClaims(report, {
    id,
    evidence: openEvidence(folder, ["."]),
    findings: checkReportRuns(folder, report.value),
    generatedAt: now.toISOString(),
    ...(page === undefined || pageBytes === undefined
      ? {}
      : { page, pageSha256: `sha256:${createHash("sha256").update(pageBytes).digest("hex")}` }),
    ...(expectedPage === undefined ? {} : { expectedPage }),
  });
  return { id, file, artefact, written: [await writeStage(out, id, artefact)] };
}

/**
 * Recomputes every claim of documents, and of turnwise's own reports where a folder with `report.json` is named, and
 * writes the artefacts of the stage `claims`.
 *
 * @throws {TurnwiseError} (usage, input) for arguments and files that cannot be used.
 */
export async function checkClaimFiles(
  paths: readonly string[],
  given: PublishClaimsOptions = {},
): Promise<readonly CheckedClaims[]> {
  const options = await mergeConfig(given);
  const { out = publishFolder, now = new Date(), kind, lang, level } = options;
  const folders = paths.filter(isReportFolder);
  const rest = paths.filter((path) => !folders.includes(path));
  const documents = rest.length > 0 || folders.length === 0 ? await readDocuments(rest, { kind, lang }) : [];
  const checked: CheckedClaims[] = [];
  for (const folder of folders) checked.push(await checkReport(folder, options));
  for (const document of documents) {
    const { found, ...gathered } = gatherEvidence(document, options);
    const artefact = checkClaims(document, {
      ...gathered,
      ...(kind === undefined ? {} : { kind }),
      level: level ?? document.frontMatter.assurance ?? "draft",
      generatedAt: now.toISOString(),
    });
    // A ledger that cannot be read is an input all the same: mending it makes the artefact stale.
    const hashes = found === undefined ? {} : { [found.file]: found.sha256 };
    const whole = { ...artefact, audited_input_hashes: { ...artefact.audited_input_hashes, ...hashes } };
    checked.push({
      id: document.id,
      file: document.file,
      artefact: whole,
      written: [await writeStage(out, document.id, whole)],
    });
  }
  return checked;
}

/** What binding the numbers of one document changed. */
export interface BoundClaims {
  readonly file: string;
  readonly changes: readonly BoundNumberChange[];
  readonly isWritten: boolean;
}

/**
 * Puts claim ids to the numbers of a document that state the value of exactly one claim of its ledger. With
 * `isDryRun` nothing is written.
 *
 * @throws {TurnwiseError} (usage, input) without a ledger or evidence, and for files that cannot be used.
 */
export async function bindClaimFile(
  file: string,
  options: PublishClaimsOptions & { readonly isDryRun?: boolean } = {},
): Promise<BoundClaims> {
  const [document] = await readDocuments([file], { kind: options.kind, lang: options.lang });
  const { ledger, evidence, block } = gatherEvidence(document, await mergeConfig(options));
  if (block !== undefined) throw inputError(`Cannot bind numbers of "${file}": ${block.message}`);
  if (ledger === undefined)
    throw inputError(
      `Cannot bind numbers of "${file}": there is no ledger`,
      `Write ${join(dirname(document.file), "claims.yaml")}, or name one with --ledger`,
    );
  if (evidence === undefined)
    throw inputError(
      `Cannot bind numbers of "${file}": no evidence is named`,
      "Give evidence: [folder] in its front matter, or --evidence FOLDER",
    );
  const { source, changes } = bindClaims(document, ledger.content, evidence);
  const isWritten = options.isDryRun !== true && source !== document.source;
  if (isWritten) {
    try {
      await writeFile(document.file, source);
    } catch (error) {
      throw inputError(`Cannot write "${document.file}": ${errorMessage(error)}`, undefined, error);
    }
  }
  return { file: document.file, changes, isWritten };
}
