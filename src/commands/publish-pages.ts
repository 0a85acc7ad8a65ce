import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorMessage, inputError } from "../core/index.js";
import {
  parseAuditFile,
  readStageArtefacts,
  renderAuditPage,
  renderCitationsPage,
  renderClaimsPage,
  renderDiffPage,
  renderExperimentPage,
  renderIndependencePage,
  renderResultPage,
  renderTracesPage,
  type AuditFile,
  type CitationsDetails,
  type ClaimsDetails,
  type ExperimentAudit,
  type PublishPaths,
  type RelatedPage,
  type ResultToClaim,
  type StageArtefact,
} from "../publish/index.js";

/** Writes a page, or says why it cannot be written. */
export async function writePage(path: string, html: string): Promise<string> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, html);
  } catch (error) {
    throw inputError(`Cannot write "${path}": ${errorMessage(error)}`, "Choose another folder with --out", error);
  }
  return path;
}

/**
 * Returns the audit that a page of differences starts from: the youngest earlier one of another text, else the first of
 * this text; `undefined` when there is no earlier one.
 */
async function findEarlierAudit(paths: PublishPaths, audit: AuditFile): Promise<AuditFile | undefined> {
  let earlier: AuditFile | undefined;
  const seen = new Set<string>();
  for (let hash = audit.prev_audit_sha256; hash !== undefined && !seen.has(hash); hash = earlier.prev_audit_sha256) {
    seen.add(hash);
    const path = join(paths.history, `${hash.slice(7)}.json`);
    if (!existsSync(path)) break;
    earlier = parseAuditFile(await readFile(path, "utf8"), path);
    if (earlier.source_sha256 !== audit.source_sha256) return earlier;
  }
  return earlier;
}

interface PlannedPage {
  readonly suffix: string;
  readonly name: string;
  readonly render: (pages: readonly RelatedPage[]) => string;
}

/** Pages of a document beside its own, those for which there is something on record. */
async function planPages(
  paths: PublishPaths,
  audit: AuditFile,
  against: AuditFile | undefined,
): Promise<PlannedPage[]> {
  const { found } = await readStageArtefacts(paths);
  const subject = audit.title ?? audit.document_id;
  const planned: PlannedPage[] = [{ suffix: "audit", name: "Audit", render: (pages) => renderAuditPage(audit, pages) }];
  // The details of each artefact are what its stage writes.
  const add = <Details>(
    stage: "claims" | "citations" | "experiment" | "result_to_claim",
    name: string,
    render: (input: { subject: string; artefact: StageArtefact<Details>; pages: readonly RelatedPage[] }) => string,
  ): void => {
    const artefact = found.get(stage)?.artefact as StageArtefact<Details> | undefined; // as above
    if (artefact !== undefined && typeof artefact.details === "object")
      planned.push({
        suffix: stage.replaceAll("_", "-"),
        name,
        render: (pages) => render({ subject, artefact, pages }),
      });
  };
  add<ClaimsDetails>("claims", "Claims", renderClaimsPage);
  add<CitationsDetails>("citations", "Citations", renderCitationsPage);
  add<ExperimentAudit>("experiment", "Experiment audit", renderExperimentPage);
  add<{ readonly results: readonly ResultToClaim[] }>("result_to_claim", "Result to claim", renderResultPage);
  planned.push(
    { suffix: "independence", name: "Independence", render: (pages) => renderIndependencePage(audit, pages) },
    { suffix: "traces", name: "Traces", render: (pages) => renderTracesPage(audit, pages) },
  );
  const earlier = against ?? (await findEarlierAudit(paths, audit));
  if (earlier !== undefined)
    planned.push({ suffix: "diff", name: "Difference", render: (pages) => renderDiffPage(earlier, audit, pages) });
  return planned;
}

/** A page that was written, by its name. */
export interface WrittenPage {
  readonly name: string;
  readonly path: string;
  /** Relative to the output folder. */
  readonly href: string;
}

/**
 * Writes the pages about a document beside its own: audit, claims, citations, results, experiments, independence, traces
 * and what changed since an earlier audit. A page is made from the record alone.
 */
export async function writeRecordPages(
  paths: PublishPaths,
  audit: AuditFile,
  against?: AuditFile,
): Promise<readonly WrittenPage[]> {
  const { document_id: id } = audit;
  const planned = await planPages(paths, audit, against);
  const article = { name: "Article", href: `${encodeURIComponent(id)}.html` };
  const getHref = (suffix: string): string => `${encodeURIComponent(id)}.${suffix}.html`;
  const written: WrittenPage[] = [];
  for (const { suffix, name, render } of planned) {
    const related = [
      ...(existsSync(paths.page) ? [article] : []),
      ...planned.map((other) =>
        other.suffix === suffix ? { name: other.name } : { name: other.name, href: getHref(other.suffix) },
      ),
    ];
    const path = await writePage(join(paths.out, `${id}.${suffix}.html`), render(related));
    written.push({ name, path, href: getHref(suffix) });
  }
  return written;
}
