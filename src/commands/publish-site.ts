import { join } from "node:path";
import { inputError } from "../core/index.js";
import {
  readStageArtefacts,
  renderAssurancePage,
  renderCorpusPage,
  renderSiteIndex,
  type ClaimsDetails,
  type IndexEntry,
  type RelatedPage,
  type SetEntry,
} from "../publish/index.js";
import { auditDocument, gateFiles } from "./publish-audit.js";
import { publishFolder, readDocuments } from "./publish-files.js";
import { writePage, writeRecordPages } from "./publish-pages.js";
import { writeDocumentPage } from "./publish-render.js";
import { openWorkspace, type AuditCommandOptions, type PublishWorkspace } from "./publish-workspace.js";

/** What `turnwise publish site` does. */
export interface PublishSiteOptions extends AuditCommandOptions {
  /** Default the name of the folder. */
  readonly title?: string;
}

/** A site as it was written. */
export interface WrittenSite {
  readonly index: string;
  readonly documents: readonly {
    readonly id: string;
    readonly file: string;
    readonly page: string;
    readonly verdict: string;
    readonly gate: string;
  }[];
  readonly written: readonly string[];
}

const setPages: readonly { readonly name: string; readonly href: string }[] = [
  { name: "Index", href: "index.html" },
  { name: "Assurance", href: "assurance.html" },
  { name: "Corpus", href: "corpus.html" },
];

function listSetPages(current: string): RelatedPage[] {
  return setPages.map(({ name, href }) => (name === current ? { name } : { name, href }));
}

/** Returns what stands on the page for each claim, by its id. */
async function readShownClaims({ paths }: PublishWorkspace): Promise<{ readonly [id: string]: string }> {
  const details = (await readStageArtefacts(paths)).found.get("claims")?.artefact.details as
    | Partial<ClaimsDetails>
    | undefined; // written by the claims stage; parts may lack
  const shown = (details?.claims ?? []).flatMap(({ id, display }) =>
    display === undefined ? [] : [[id, display] as const],
  );
  return Object.fromEntries(shown);
}

/**
 * Writes the site of a folder of documents into the output folder: each document with the pages of its record, links
 * between translations, the matrix of stages, the corpus, and an index with a search that works without a network.
 * Nothing is judged anew: a document that no stage has looked at says so.
 *
 * @throws {TurnwiseError} (usage, input) for folders and files that cannot be used.
 */
export async function writeSite(paths: readonly string[], options: PublishSiteOptions = {}): Promise<WrittenSite> {
  const { out = publishFolder, title = "Documents" } = options;
  const documents = await readDocuments(paths, { kind: options.kind, lang: options.lang });
  const reserved = documents.find(({ id }) => setPages.some(({ href }) => href === `${id}.html`));
  if (reserved !== undefined)
    throw inputError(
      `Cannot make a site with "${reserved.file}": its page would be "${reserved.id}.html", which the site has of its own`,
      "Give the document another id",
    );
  const made = new Set(documents.map(({ id }) => id));
  const written: string[] = [];
  const entries: SetEntry[] = [];
  const index: IndexEntry[] = [];
  const listed: WrittenSite["documents"][number][] = [];
  for (const document of documents) {
    const { id, file } = document;
    const before = await openWorkspace(file, options);
    const audit = before.previous?.audit ?? (await auditDocument(file, options)).audit;
    const workspace = await openWorkspace(file, options);
    const { page } = await writeDocumentPage(workspace, { made });
    const pages = await writeRecordPages(workspace.paths, audit);
    const { documents: gates } = await gateFiles([file], { ...options, isRecorded: false });
    const [gate] = gates;
    entries.push({ id, title: document.title, kind: workspace.kind, lang: document.lang, audit, gate });
    index.push({
      document,
      verdict: gate.stages.length === 0 ? "MISSING" : gate.verdict,
      gate: gate.decision,
      claims: await readShownClaims(workspace),
      pages: pages.map(({ name, href }) => ({ name, href })),
    });
    listed.push({ id, file, page, verdict: gate.verdict, gate: gate.decision });
    written.push(page, ...pages.map(({ path }) => path));
  }
  written.push(
    await writePage(join(out, "assurance.html"), renderAssurancePage(entries, listSetPages("Assurance"))),
    await writePage(join(out, "corpus.html"), renderCorpusPage(entries, listSetPages("Corpus"))),
  );
  const path = await writePage(join(out, "index.html"), renderSiteIndex(title, index, listSetPages("Index")));
  return { index: path, documents: listed, written: [...written, path] };
}
