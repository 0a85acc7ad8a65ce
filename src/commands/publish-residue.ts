import { usageError } from "../core/index.js";
import { scanResidue, verifyFixes, type Correction } from "../publish/index.js";
import { listAuditedSources } from "./publish-audit.js";
import { publishFolder, readDocuments } from "./publish-files.js";
import { readContentInputs, saveWorkspace } from "./publish-save.js";
import { openWorkspace, type AuditCommandOptions } from "./publish-workspace.js";
import { countLintErrors, listResidueFiles } from "./review-setup.js";

/** What `turnwise publish residue` looks at. */
export interface ResidueScan {
  readonly id: string;
  readonly audit: string;
  readonly corrections: readonly Correction[];
  readonly isClean: boolean;
}

/** What is scanned. */
export interface PublishResidueOptions extends AuditCommandOptions {
  /** All documents that have an audit in the output folder. */
  readonly isAll?: boolean;
}

/**
 * Looks for the old wordings of every correction on record in all given documents, in every language, and their pages,
 * and writes the result into the audits.
 *
 * @throws {TurnwiseError} (usage, input) for files that cannot be used.
 */
export async function scanResidueFiles(
  given: readonly string[],
  options: PublishResidueOptions = {},
): Promise<readonly ResidueScan[]> {
  const { out = publishFolder, now = () => new Date(), isAll = false } = options;
  if (isAll === given.length > 0)
    throw usageError(
      isAll ? "Cannot scan both named documents and all" : "Cannot scan nothing",
      "Name documents, or give --all",
    );
  const paths = isAll ? await listAuditedSources(out) : given;
  const documents = await readDocuments(paths, { kind: options.kind, lang: options.lang });
  const files = await listResidueFiles(documents, out);
  const scans: ResidueScan[] = [];
  for (const { file } of documents) {
    const workspace = await openWorkspace(file, options);
    if (workspace.previous === undefined || workspace.review.corrections.length === 0) continue;
    const at = now().toISOString();
    const corrections = scanResidue(workspace.review.corrections, files, at);
    // A fix whose old words were the last thing missing is verified now.
    const hasFixes = workspace.review.findings.some(({ state }) => state === "fixed");
    const lintErrors = hasFixes ? await countLintErrors({ set: documents }, workspace) : undefined;
    const review = verifyFixes({ ...workspace.review, corrections }, workspace.document, lintErrors, at);
    await saveWorkspace(workspace, { review, contentInputs: await readContentInputs(workspace) });
    const isClean = corrections.every(({ residue }) => residue?.clean === true);
    scans.push({ id: workspace.document.id, audit: workspace.paths.audit, corrections, isClean });
  }
  return scans;
}
