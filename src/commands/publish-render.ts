import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, extname, join, relative, resolve } from "node:path";
import { errorMessage, inputError } from "../core/index.js";
import {
  createEvidenceResolver,
  createReferenceResolver,
  findChangedInputs,
  getWorstVerdict,
  listHedgedStatements,
  listMandatoryStages,
  parseAnchorLedger,
  parseFrontMatter,
  publishStages,
  renderDocumentPage,
  renderEvidence,
  toRelativePath,
  updateAnchors,
  type AnchorLedger,
  type ClaimsDetails,
  type FrontMatter,
  type PageImage,
  type PageVerdicts,
  type ParseProblem,
  type RenderedPage,
  type RenderPageOptions,
} from "../publish/index.js";
import { readReferences } from "./publish-references.js";
import { surveyStages, type StageSurvey } from "./publish-survey.js";
import { openWorkspace, type AuditCommandOptions, type PublishWorkspace } from "./publish-workspace.js";
import { publishFolder, readDocuments } from "./publish-files.js";

const mediaTypes: { readonly [extension: string]: string } = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".svg": "image/svg+xml",
};

/** Names of languages as their readers write them. */
const languageNames: { readonly [lang: string]: string } = { en: "English", zh: "中文", vi: "Tiếng Việt" };

/** A Markdown file beside a document, as far as links need it. */
interface Neighbour {
  readonly file: string;
  readonly id: string;
  readonly frontMatter: FrontMatter;
}

/** Returns the Markdown files in the folder of a document with their heads, the document itself left out. */
async function listNeighbours({ document }: PublishWorkspace): Promise<Neighbour[]> {
  const folder = dirname(document.file);
  const names = (await readdir(folder)).filter((name) => /\.(?:md|markdown)$/i.test(name)).sort();
  const found = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8").catch(() => "");
      const { frontMatter } = parseFrontMatter(text);
      return { file: name, id: frontMatter.id ?? name.replace(/\.[^.]+$/, ""), frontMatter };
    }),
  );
  return found.filter(({ file }) => resolve(folder, file) !== resolve(document.file));
}

/** Returns the same text in other languages, of which a page is there or is being made. */
function listTranslations(
  { document, paths }: PublishWorkspace,
  neighbours: readonly Neighbour[],
  made: ReadonlySet<string>,
): NonNullable<RenderPageOptions["translations"]> {
  const original = document.frontMatter.translation_of ?? document.id;
  return neighbours
    .filter(({ id, frontMatter }) => id === original || frontMatter.translation_of === original)
    .filter(({ id }) => id !== document.id && (made.has(id) || existsSync(join(paths.out, `${id}.html`))))
    .map(({ id, frontMatter: { lang = "und" } }) => ({
      lang,
      name: languageNames[lang.split("-")[0]] ?? lang,
      href: `${encodeURIComponent(id)}.html`,
    }));
}

/** Returns the function that says where a link to a file leads from the page: to the page of that text, or to the file. */
function createLinkResolver(
  { document, paths }: PublishWorkspace,
  neighbours: readonly Neighbour[],
  made: ReadonlySet<string>,
): (url: string) => string | undefined {
  return (url) => {
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|\/|#)/i.test(url)) return undefined;
    const [path, fragment] = url.split("#", 2);
    const hash = fragment === undefined ? "" : `#${fragment}`;
    const target = resolve(dirname(document.file), decodePath(path));
    const neighbour = neighbours.find(({ file }) => resolve(dirname(document.file), file) === target);
    const hasPage =
      neighbour !== undefined && (made.has(neighbour.id) || existsSync(join(paths.out, `${neighbour.id}.html`)));
    if (hasPage) return `${encodeURIComponent(neighbour.id)}.html${hash}`;
    return `${toRelativePath(paths.out, target).split("/").map(encodeURIComponent).join("/")}${hash}`;
  };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // a percent sign that is one
  }
}

function createImageLoader({ document }: PublishWorkspace): (url: string) => PageImage | undefined {
  return (url) => {
    const path = resolve(dirname(document.file), decodePath(url.split(/[?#]/, 1)[0]));
    const mediaType = mediaTypes[extname(path).toLowerCase()];
    if (mediaType === undefined || !existsSync(path)) return undefined;
    return { bytes: readFileSync(path), mediaType };
  };
}

/**
 * Returns the stages with the render stage as it was judged when only the page itself is another one now: a page cannot
 * show the hash of its own check, so it shows the verdict of the page before it, and is checked until both agree.
 */
async function keepRenderVerdict({ document, paths }: PublishWorkspace, { stages, found }: StageSurvey) {
  const artefact = found.get("render")?.artefact;
  if (artefact === undefined || stages["render"]?.reason_code !== "input-changed") return stages;
  const changed = await findChangedInputs(artefact.audited_input_hashes, dirname(document.file));
  const isOnlyPage = changed.every(({ path }) => resolve(dirname(document.file), path) === resolve(paths.page));
  const { verdict, reason_code } = artefact;
  return isOnlyPage ? { ...stages, render: { ...stages["render"], verdict, reason_code } } : stages;
}

/**
 * Returns the verdicts a page shows of itself: the stages as they are for the files as they are, what was deferred and
 * what is hedged. Its date is that of the youngest artefact, so that the same record gives the same page.
 */
export async function describePageVerdicts(workspace: PublishWorkspace): Promise<PageVerdicts | undefined> {
  const { document, kind, review, level, paths } = workspace;
  const auditPage = `${document.id}.audit.html`;
  const survey = await surveyStages(workspace);
  const stages = await keepRenderVerdict(workspace, survey);
  const known = publishStages.flatMap((stage) => {
    const entry = stages[stage];
    return entry === undefined
      ? []
      : [{ stage, verdict: entry.verdict, reason: entry.reason_code, at: entry.generated_at }];
  });
  if (known.length === 0) return undefined;
  const findings = new Map(review.findings.map((finding) => [finding.id, finding]));
  return {
    overall: getWorstVerdict(known.map(({ verdict }) => verdict)),
    stages: known.map(({ stage, verdict, reason }) => ({ stage, verdict, reason })),
    date: `${
      known
        .map(({ at = "" }) => at)
        .sort()
        .at(-1)
        ?.slice(0, 10) ?? ""
    } · ${level}`,
    // A page never leads to what is not there.
    ...(existsSync(join(paths.out, auditPage)) ? { auditHref: encodeURIComponent(auditPage) } : {}),
    deferred: review.deferred.map(({ finding = "", reason, owner, expires }) => {
      const problem = findings.get(finding)?.problem;
      return `${problem === undefined ? "" : `${problem} – `}${reason} (${owner}, ${expires})`;
    }),
    hedged: [
      ...new Set([
        ...review.needsVerify.filter(({ state }) => state === "hedged").map(({ text }) => text),
        ...listHedgedStatements(document),
      ]),
    ],
    skipped: listMandatoryStages(kind).filter((stage) => stages[stage] === undefined),
  };
}

/** Returns the ids of a page that readers may link to, in order. */
export function listPageIds(html: string): string[] {
  // Ids of the page's own furniture may change with the renderer.
  return [...html.matchAll(/<[a-z][^<>]*\sid="([^"]+)"/gi)].map(([, id]) => id).filter((id) => !id.startsWith("tw-"));
}

/** Returns the anchors of a page of ours, where it was made in another folder or the ledger was not kept. */
async function readPageAnchors(page: string): Promise<AnchorLedger | undefined> {
  const html = await readFile(page, "utf8").catch(() => "");
  return html.includes('<main id="tw-main">') ? updateAnchors(undefined, listPageIds(html)) : undefined;
}

/**
 * Returns the anchors of a document's headings with those of earlier pages and where they lead now.
 */
async function readAnchors({ document, paths }: PublishWorkspace): Promise<AnchorLedger> {
  const path = join(paths.folder, "anchors.json");
  const text = await readFile(path, "utf8").catch(() => undefined);
  const now = document.blocks.flatMap(({ anchor }) => (anchor === undefined ? [] : [anchor]));
  const ledger = text === undefined ? await readPageAnchors(paths.page) : parseAnchorLedger(text, path);
  return updateAnchors(ledger, now);
}

/** How a page is made. */
export interface BuildPageOptions {
  /** Ids of documents whose pages are being made too, so that links to them are right before they are written. */
  readonly made?: ReadonlySet<string>;
}

/**
 * Returns the page of a document with what is on record about it: verdicts, evidence of its numbers, works cited,
 * translations. Reads files, writes none; the same files give the same page.
 */
export async function buildDocumentPage(
  workspace: PublishWorkspace,
  { made = new Set<string>() }: BuildPageOptions = {},
): Promise<RenderedPage> {
  const { document } = workspace;
  const neighbours = await listNeighbours(workspace);
  const { found } = await surveyStages(workspace);
  const artefact = found.get("claims")?.artefact;
  const details = artefact?.details as Partial<ClaimsDetails> | undefined; // written by the claims stage; parts may lack
  const claims = details?.claims ?? [];
  const used = claims.filter(({ id }) => document.source.includes(id));
  const references = await readReferences(workspace);
  return renderDocumentPage(document, {
    ...(claims.length === 0 ? {} : { resolveClaim: createEvidenceResolver(claims) }),
    ...(references.length === 0 ? {} : { resolveCitation: createReferenceResolver(references) }),
    loadImage: createImageLoader(workspace),
    resolveLink: createLinkResolver(workspace, neighbours, made),
    verdicts: await describePageVerdicts(workspace),
    translations: listTranslations(workspace, neighbours, made),
    oldAnchors: (await readAnchors(workspace)).moved,
    appendix: renderEvidence({
      claims: used,
      checkedAt: artefact?.generated_at ?? "",
      references,
      lang: document.lang,
    }),
  });
}

/** A page that was written. */
export interface RenderedDocument {
  readonly id: string;
  readonly file: string;
  readonly page: string;
  readonly bytes: number;
  readonly bodySha256: string;
  /** What could not be shown as written. */
  readonly problems: readonly ParseProblem[];
}

/** Writes the page of a document into the output folder. */
export async function writeDocumentPage(
  workspace: PublishWorkspace,
  options: BuildPageOptions = {},
): Promise<RenderedDocument & { readonly html: string }> {
  const { document, paths } = workspace;
  const { html, problems, bodySha256 } = await buildDocumentPage(workspace, options);
  // Before the page is written, since the earlier page may be all that is known.
  const anchors = await readAnchors(workspace);
  try {
    await mkdir(dirname(paths.page), { recursive: true });
    await writeFile(paths.page, html);
    await mkdir(paths.folder, { recursive: true });
    await writeFile(join(paths.folder, "anchors.json"), `${JSON.stringify(anchors, null, 2)}\n`);
  } catch (error) {
    throw inputError(`Cannot write "${paths.page}": ${errorMessage(error)}`, "Choose another folder with --out", error);
  }
  const page = relative(process.cwd(), paths.page).replaceAll("\\", "/");
  return { id: document.id, file: document.file, page, bytes: Buffer.byteLength(html), bodySha256, problems, html };
}

/**
 * Writes the pages of documents into the output folder.
 *
 * @throws {TurnwiseError} (usage, input) for arguments and files that cannot be used.
 */
export async function renderFiles(
  paths: readonly string[],
  options: AuditCommandOptions = {},
): Promise<readonly RenderedDocument[]> {
  const documents = await readDocuments(paths, { kind: options.kind, lang: options.lang });
  const made = new Set(documents.map(({ id }) => id));
  const rendered: RenderedDocument[] = [];
  for (const { file } of documents) {
    const workspace = await openWorkspace(file, { out: publishFolder, ...options });
    const { html: _html, ...page } = await writeDocumentPage(workspace, { made });
    rendered.push(page);
  }
  return rendered;
}
