import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { z } from "zod";
import { errorMessage, inputError, sha256, usageError } from "../core/index.js";
import { pageScript } from "../page/index.js";
import {
  blockPageCheck,
  checkPage,
  documentScript,
  getSearchScript,
  loadAxe,
  openRenderBrowser,
  parseAnchorLedger,
  toRelativePath,
  type CheckPageOptions,
  type CheckedPage,
  type ClaimsDetails,
  type MissingBrowser,
  type RenderBrowser,
  type RenderDetails,
  type StageArtefact,
} from "../publish/index.js";
import { publishFolder, readInput, readPublishConfig, writeStage } from "./publish-files.js";
import { listUserNames, readBanList, readWaivers } from "./publish-lint.js";
import { buildDocumentPage, describePageVerdicts, listPageIds, writeDocumentPage } from "./publish-render.js";
import { surveyStages } from "./publish-survey.js";
import { openWorkspace, type AuditCommandOptions, type PublishWorkspace } from "./publish-workspace.js";

/** What `turnwise publish check-html` is told. */
export interface CheckHtmlOptions extends AuditCommandOptions {
  /** Document that a page was made from, where the file given is a page. */
  readonly source?: string;
  /** Page to check instead of making one, where the file given is a document. */
  readonly html?: string;
  /** Page that readers know; its ids must still lead somewhere. */
  readonly previous?: string;
  /** Ids of a page that readers know, where that is not a file any more. */
  readonly previousIds?: readonly string[];
  /** Path of a browser; `none` leaves the checks undone; default the one that is found. */
  readonly browser?: string;
  /** Largest page in bytes. */
  readonly maxBytes?: number;
  /** File of terms that must not be published. */
  readonly banList?: string;
  /** Waivers beside those the document names. */
  readonly waivers?: string;
  /** Ids of documents whose pages are being made too. */
  readonly made?: ReadonlySet<string>;
}

/** What became of one page. */
export interface CheckedHtml {
  readonly id: string;
  /** The document, or the page where it has none. */
  readonly file: string;
  readonly page: string;
  readonly artefact: StageArtefact<RenderDetails>;
  readonly written: readonly string[];
}

const renderConfig = z.strictObject({
  browser: z.string().optional(),
  max_bytes: z.int().min(1).optional(),
  ban_list: z.string().optional(),
  waivers: z.string().optional(),
});

async function mergeConfig(options: CheckHtmlOptions): Promise<CheckHtmlOptions> {
  const result = renderConfig.safeParse(await readPublishConfig(options.config, "render"));
  if (!result.success) {
    const [{ path, message }] = result.error.issues;
    throw inputError(
      `Cannot use "render.${path.join(".")}" of configuration "${options.config}": ${message}`,
      "Allowed are browser, max_bytes, ban_list and waivers",
    );
  }
  const { browser, max_bytes, ban_list, waivers } = result.data;
  const near = (file: string | undefined): string | undefined =>
    file === undefined ? undefined : join(dirname(options.config ?? "."), file);
  return {
    ...options,
    browser: options.browser ?? browser,
    maxBytes: options.maxBytes ?? max_bytes,
    banList: options.banList ?? near(ban_list),
    waivers: options.waivers ?? near(waivers),
  };
}

/** A browser, or why there is none. Close it after use. */
export type PageChecker = RenderBrowser | MissingBrowser;

/** Starts the browser that looks at pages, or says why it is not there; `none` starts none. */
export async function openPageChecker(browser?: string): Promise<PageChecker> {
  if (browser === "none")
    return { reason: "browser-missing", message: "No browser was wanted", remedy: "Leave out --browser none" };
  return openRenderBrowser({ environment: process.env, ...(browser === undefined ? {} : { executablePath: browser }) });
}

/** Returns the page in the first other language that lies beside a page. */
async function findPair(html: string, folder: string): Promise<string | undefined> {
  const links = html.matchAll(/<a href="([^"#?]+)"[^>]*\brel="alternate"/g);
  for (const [, href] of links) {
    const file = join(folder, decodeURIComponent(href));
    if (existsSync(file)) return readText(file, "page in another language");
  }
  return undefined;
}

async function readText(file: string, what: string): Promise<string> {
  return new TextDecoder().decode(await readInput(file, what));
}

/** Returns the anchors that pages of a document ever had. */
async function listKnownAnchors({ paths }: PublishWorkspace): Promise<readonly string[]> {
  const path = join(paths.folder, "anchors.json");
  if (!existsSync(path)) return [];
  const { anchors, moved } = parseAnchorLedger(await readText(path, "anchors"), path);
  return [...anchors, ...Object.keys(moved)];
}

/** Returns what a page is compared with beside its document. */
async function gatherComparisons(html: string, page: string, options: CheckHtmlOptions) {
  const folder = dirname(page);
  const { previous, maxBytes } = options;
  const pairHtml = await findPair(html, folder);
  return {
    axe: loadAxe(),
    hasFile: (path: string) => existsSync(join(folder, path)),
    userNames: listUserNames(),
    ...(pairHtml === undefined ? {} : { pairHtml }),
    ...(previous === undefined ? {} : { previousIds: listPageIds(await readText(previous, "previous page")) }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
}

/** Returns what is on record about a document that its page must show. */
async function gatherRecord(workspace: PublishWorkspace, html: string, options: CheckHtmlOptions) {
  const { document, now } = workspace;
  const { found } = await surveyStages(workspace);
  const details = found.get("claims")?.artefact.details as Partial<ClaimsDetails> | undefined; // written by the claims stage; parts may lack
  const { waivers, inputHashes } = await readWaivers(document, options.waivers);
  const banList = await readBanList(options.banList, [document]);
  const build = async (): Promise<string> => (await buildDocumentPage(workspace, { made: options.made })).html;
  const verdicts = await describePageVerdicts(workspace);
  const rendering = await build();
  return {
    inputHashes,
    options: {
      document,
      // A page that was just made is the first of the two; one made from an older record is none.
      renderings: [rendering, rendering === html ? html : await build()] as const,
      waivers,
      today: now().toISOString().slice(0, 10),
      ...(details?.claims === undefined
        ? {}
        : { claims: details.claims.map(({ id, display = "" }) => ({ id, text: display })) }),
      ...(banList === undefined ? {} : { banList }),
      ...(verdicts === undefined ? {} : { verdicts }),
    },
  };
}

async function judge(checker: PageChecker, html: string, options: CheckPageOptions): Promise<CheckedPage> {
  if (!("browser" in checker)) return { artefact: blockPageCheck(html, checker, options), pictures: [] };
  return checkPage(checker, html, options);
}

async function writeChecked(out: string, id: string, { artefact, pictures }: CheckedPage): Promise<string[]> {
  const written = [await writeStage(out, id, artefact)];
  const folder = join(out, `${id}.publish`);
  try {
    for (const { path, bytes } of pictures) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes);
      written.push(file);
    }
  } catch (error) {
    throw inputError(`Cannot write "${folder}": ${errorMessage(error)}`, "Choose another folder with --out", error);
  }
  return written;
}

/**
 * Makes the page of a document unless one is given, looks at it in a browser and writes the artefact of the stage
 * `render` with pictures.
 *
 * @throws {TurnwiseError} (usage, input) for arguments and files that cannot be used.
 */
export async function checkDocumentPage(
  file: string,
  checker: PageChecker,
  given: CheckHtmlOptions = {},
): Promise<CheckedHtml> {
  const options = await mergeConfig(given);
  const { out = publishFolder } = options;
  const workspace = await openWorkspace(file, { ...options, out });
  const { document, level, now } = workspace;
  const known = await listKnownAnchors(workspace);
  const written = options.html === undefined ? await writeDocumentPage(workspace, { made: options.made }) : undefined;
  const page = written?.page ?? options.html ?? "";
  const html = written?.html ?? (await readText(page, "page"));
  const record = await gatherRecord(workspace, html, options);
  const comparisons = await gatherComparisons(html, page, options);
  const previousIds = comparisons.previousIds ?? [...new Set([...known, ...(options.previousIds ?? [])])];
  const folder = dirname(document.file);
  const checked = await judge(checker, html, {
    ...record.options,
    ...comparisons,
    previousIds,
    level,
    generatedAt: now().toISOString(),
    inputHashes: {
      [basename(document.file)]: `sha256:${document.sha256}`,
      [toRelativePath(folder, page)]: `sha256:${sha256(html)}`,
      ...record.inputHashes,
    },
  });
  const paths = await writeChecked(out, document.id, checked);
  return {
    id: document.id,
    file: document.file,
    page,
    artefact: checked.artefact,
    written: [...(written === undefined ? [] : [page]), ...paths],
  };
}

/** Judges a page that has no document at hand: checks that compare the two stay undecided. */
async function checkLonePage(page: string, checker: PageChecker, given: CheckHtmlOptions): Promise<CheckedHtml> {
  const options = await mergeConfig(given);
  const { out = publishFolder, level = "draft", now = () => new Date() } = options;
  const html = await readText(page, "page");
  // Never that of a document, whose artefact says more.
  const id = basename(page);
  const banList = await readBanList(options.banList, []);
  const comparisons = await gatherComparisons(html, page, options);
  const checked = await judge(checker, html, {
    ...comparisons,
    ...(banList === undefined ? {} : { banList }),
    scripts: [documentScript, pageScript, pageScript + getSearchScript()],
    level,
    generatedAt: now().toISOString(),
    inputHashes: { [basename(page)]: `sha256:${sha256(html)}` },
  });
  const written = await writeChecked(out, id, checked);
  return { id, file: relative(process.cwd(), page).replaceAll("\\", "/"), page, artefact: checked.artefact, written };
}

/**
 * Checks pages in one browser: of documents, which are rendered first, or finished ones.
 *
 * @throws {TurnwiseError} (usage) for `source` or `html` with several files, or with a file of the other kind; (input)
 * for files that cannot be used.
 */
export async function checkHtmlFiles(
  files: readonly string[],
  options: CheckHtmlOptions = {},
): Promise<readonly CheckedHtml[]> {
  const { source, html, previous } = options;
  if (files.length === 0) throw usageError("Cannot go on without a file: name Markdown files or pages");
  const isPage = (file: string): boolean => /\.html?$/i.test(file);
  if (files.length > 1 && [source, html, previous].some((path) => path !== undefined))
    throw usageError("Cannot use --source, --html or --previous with several files: check them one by one");
  if (source !== undefined && !isPage(files[0]))
    throw usageError(`Cannot use --source with "${files[0]}": it is no page`, "Write PAGE.html --source FILE.md");
  if (html !== undefined && isPage(files[0]))
    throw usageError(`Cannot use --html with "${files[0]}": it is a page`, "Write FILE.md --html PAGE.html");
  const checker = await openPageChecker((await mergeConfig(options)).browser);
  try {
    const checked: CheckedHtml[] = [];
    for (const file of files) {
      if (!isPage(file)) checked.push(await checkDocumentPage(file, checker, options));
      else if (source === undefined) checked.push(await checkLonePage(file, checker, options));
      else checked.push(await checkDocumentPage(source, checker, { ...options, html: file }));
    }
    return checked;
  } finally {
    if ("browser" in checker) await checker.close();
  }
}

const labels = { fail: "FAIL   ", warn: "WARN   ", unknown: "UNKNOWN", not_applicable: "N/A    ", pass: "PASS   " };

/** Returns checked pages as text: the checks that did not pass with their places, or all with `isFull`. */
export function renderCheckText(
  checked: readonly CheckedHtml[],
  { isFull = false, maxPlaces = 5 }: { readonly isFull?: boolean; readonly maxPlaces?: number } = {},
): string {
  return checked
    .flatMap(({ file, page, artefact: { verdict, summary, details } }) => {
      const shown = Object.entries(details.check_details).filter(([id]) => {
        const status = details.checks[id];
        return isFull || (status !== "pass" && status !== "not_applicable");
      });
      return [
        `${file}  render ${verdict}: ${summary}`,
        ...(details.missing === undefined ? [] : [`       ${details.missing.remedy}`]),
        ...shown.flatMap(([id, { name, actual, locations }]) => [
          `${labels[details.checks[id]]} ${id} ${name}: ${actual}`,
          ...locations.slice(0, maxPlaces).map(({ line, selector = "", message }) => {
            const place = line === undefined ? `${page} ${selector}`.trim() : `${file}:${line.split("-")[0]}`;
            return `       ${place}  ${message}`;
          }),
          ...(locations.length > maxPlaces ? [`       and ${locations.length - maxPlaces} more`] : []),
        ]),
      ];
    })
    .join("\n");
}
