import type { Element, ElementContent } from "hast";
import type { Heading, Node, Root, RootContent } from "mdast";
import rehypeStringify from "rehype-stringify";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { sha256 } from "../../core/index.js";
import { cutText, markup, renderShell, trustHtml, type Html } from "../../page/index.js";
import type { ParseProblem, PublishDocument } from "../document.js";
import { getCodeLanguage } from "../parse/blocks.js";
import { getVisibleText } from "../parse/visible-text.js";
import type { Handlers, PageContext } from "./elements.js";
import { createHandlers } from "./handlers.js";
import { createCodeColourer } from "./highlight.js";
import { findMathFonts, getMathStyles } from "./math-fonts.js";
import { documentScript } from "./page-script.js";
import { documentStyles } from "./page-styles.js";
import type { PageVerdicts, RenderPageOptions } from "./render-options.js";
import { getPageWords, type PageWords } from "./words.js";

/** A page as made. */
export interface RenderedPage {
  readonly html: string;
  /** What could not be shown as written: formulas, images, links, claims. */
  readonly problems: readonly ParseProblem[];
  /** SHA-256 of the bytes within the body, as embedded in the head. */
  readonly bodySha256: string;
}

/**
 * Returns a document as one self-contained page: contents, formulas, coloured code, folded answers, a policy that
 * forbids every request. Each block carries the id and lines of its source in `data-block` and `data-line`; what the
 * page adds to the text is marked `data-generated`. The same document and options give the same bytes. Never throws
 * for what is in the document: what cannot be shown as written is visible and among the problems.
 */
export async function renderDocumentPage(
  document: PublishDocument,
  options: RenderPageOptions = {},
): Promise<RenderedPage> {
  const words = getPageWords(document.lang);
  const colourer = await createCodeColourer(listLanguages(document.tree));
  const problems: ParseProblem[] = [];
  const footnotes = new Map<string, number>();
  for (const node of document.tree.children) {
    if (node.type === "footnoteDefinition") footnotes.set(node.identifier, node.data?.number ?? 0);
  }
  const context: PageContext = {
    words,
    lang: document.lang,
    options,
    colourer,
    formulas: new Map(),
    footnotes,
    mentions: new Map(),
    uses: new Map(),
    report: (rule, message, node) => problems.push({ rule, message, line: node.position?.start.line ?? 1 }),
  };
  const write = createWriter(createHandlers(context));
  const { title, rest } = takeTitle(document);
  const masthead = renderMasthead(
    document,
    title === undefined ? undefined : trustHtml(write([title])),
    options,
    words,
  );
  const text = write(rest.filter(({ type }) => type !== "footnoteDefinition"));
  const notes = write(rest.filter(({ type }) => type === "footnoteDefinition"));
  const contents = renderContents(document.tree, {
    ...context,
    mentions: new Map(),
    uses: new Map(),
    report: () => undefined,
  });
  const body = renderBody({ document, words, masthead, contents, text: text + renderNotes(notes, words), options });
  const bodyText = body.toString();
  const fonts = findMathFonts(bodyText);
  const bodySha256 = sha256(bodyText);
  const html = renderShell({
    lang: document.lang,
    title: document.title,
    description: makeDescription(document),
    styles: documentStyles + getMathStyles(fonts) + colourer.getStyles(),
    script: documentScript,
    hasFonts: fonts.length > 0,
    head: markup`<meta name="turnwise:document" content="${document.id}">
<meta name="turnwise:source-sha256" content="${document.sha256}">
<meta name="turnwise:body-sha256" content="${bodySha256}">
`,
    body,
  });
  return { html, bodySha256, problems: problems.sort((a, b) => a.line - b.line) };
}

/** Hashes as a page states them, and the one of the body as it is now. */
export interface PageDigests {
  readonly sourceSha256?: string;
  readonly bodySha256?: string;
  /** Of the bytes between the tags of the body; differs when the page was edited by hand. */
  readonly actualBodySha256?: string;
}

/** Reads the hashes that {@linkcode renderDocumentPage} embedded in a page. */
export function readPageDigests(html: string): PageDigests {
  const read = (name: string): string | undefined =>
    new RegExp(`<meta name="turnwise:${name}" content="([0-9a-f]{64})">`).exec(html)?.[1];
  const open = html.indexOf("<body>\n");
  const script = html.lastIndexOf("<script>");
  const actualBodySha256 = open < 0 || script < open ? undefined : sha256(html.slice(open + 7, script));
  return { sourceSha256: read("source-sha256"), bodySha256: read("body-sha256"), actualBodySha256 };
}

function listLanguages(tree: Root): string[] {
  const languages: string[] = [];
  const visit = (node: Node): void => {
    if (node.type === "code") languages.push(getCodeLanguage(node as never) ?? ""); // by its type
    for (const child of (node as Partial<Root>).children ?? []) visit(child); // only parents have children
  };
  visit(tree);
  return languages;
}

const serialiser = unified().use(rehypeStringify, { allowDangerousHtml: true }).freeze();

/** Returns a function that writes nodes as HTML. */
function createWriter(handlers: Handlers): (nodes: readonly RootContent[]) => string {
  const converter = unified().use(remarkRehype, { allowDangerousHtml: true, handlers }).freeze();
  return (nodes) => {
    const tree = converter.runSync({ type: "root", children: [...nodes] } satisfies Root);
    return `${serialiser.stringify(tree)}\n`;
  };
}

/** The heading that is the title, and what is left without it. */
function takeTitle({ tree, frontMatter }: PublishDocument): {
  readonly title?: Heading;
  readonly rest: readonly RootContent[];
} {
  const index = tree.children.findIndex(({ type }) => type !== "comment" && type !== "definition");
  const first = tree.children[index];
  const isTitle =
    first?.type === "heading" &&
    first.depth === 1 &&
    (frontMatter.title === undefined || frontMatter.title === getVisibleText(first));
  if (!isTitle) return { rest: tree.children };
  return { title: first, rest: tree.children.filter((node) => node !== first) };
}

function renderMasthead(
  document: PublishDocument,
  title: Html | undefined,
  { verdicts, translations = [] }: RenderPageOptions,
  words: PageWords,
): Html {
  const { eyebrow, subtitle, byline, date } = document.frontMatter;
  const signature = [byline, date].filter((part) => part !== undefined);
  return markup`<header class="masthead">
${eyebrow !== undefined && markup`<p class="eyebrow">${eyebrow}</p>\n`}${title ?? markup`<h1>${document.title}</h1>\n`}${subtitle !== undefined && markup`<p class="subtitle">${subtitle}</p>\n`}${
    signature.length > 0 &&
    markup`<p class="byline">${byline !== undefined && markup`<span class="author">${byline}</span>`}${signature.length === 2 && " · "}${date !== undefined && markup`<time datetime="${date}">${date}</time>`}</p>\n`
  }${
    translations.length > 0 &&
    markup`<p class="byline">${translations.map(({ lang, name, href }, index) => markup`${index > 0 && " · "}<a href="${href}" lang="${lang}" hreflang="${lang}" rel="alternate">${name}</a>`)}</p>\n`
  }${verdicts !== undefined && renderVerdicts(verdicts, document, words)}</header>
`;
}

function renderVerdicts(
  { overall, stages, date, auditHref, deferred, hedged = [], skipped = [] }: PageVerdicts,
  { sha256: hash }: PublishDocument,
  words: PageWords,
): Html {
  const badge = (name: string, verdict: string, reason?: string): Html =>
    markup`<span class="verdict ${verdict.toLowerCase()}"${reason !== undefined && markup` title="${reason}"`}>${name} <b>${verdict}</b></span>`;
  return markup`<section class="verdicts" aria-label="${words.verdict}" data-verdict="${overall}">
<p>${badge(words.verdict, overall)} ${date} · ${words.source} <code>${hash.slice(0, 16)}</code>${auditHref !== undefined && markup` · <a href="${auditHref}">${words.audit}</a>`}</p>
${stages.length > 0 && markup`<ul>${stages.map(({ stage, verdict, reason }) => markup`<li data-stage="${stage}">${badge(stage, verdict, reason)}</li>`)}</ul>\n`}${
    skipped.length > 0 && markup`<p class="skipped">${words.notRun}: ${skipped.join(", ")}</p>\n`
  }${renderOpenItems(deferred, hedged, words)}</section>
`;
}

/** Above this number the list of what is put off or unverified is folded. */
const maxOpenItems = 3;

/** Returns what was put off and what says of itself that it is unverified. */
function renderOpenItems(deferred: readonly string[], hedged: readonly string[], words: PageWords): Html | undefined {
  const count = deferred.length + hedged.length;
  if (count === 0) return undefined;
  const list = markup`<ul class="deferred">${deferred.map((item) => markup`<li data-deferred>${words.deferred}: ${item}</li>`)}${hedged.map((item) => markup`<li data-hedged>${words.hedged}: ${item}</li>`)}</ul>\n`;
  if (count <= maxOpenItems) return list;
  return markup`<details class="open-items" data-generated><summary>${words.deferred}: ${deferred.length} · ${words.hedged}: ${hedged.length}</summary>\n${list}</details>\n`;
}

/** One heading in the contents, with those below it. */
interface Entry {
  readonly heading: Heading;
  readonly children: Heading[];
}

/** Returns the contents: headings of the second and third level outside folded content, with their inline markup. */
function renderContents(tree: Root, context: PageContext): Html | undefined {
  const entries: Entry[] = [];
  const collect = (node: Node): void => {
    if (node.type === "details" || node.type === "footnoteDefinition") return;
    if (node.type === "heading") {
      const heading = node as Heading; // by its type
      if (heading.depth === 2) entries.push({ heading, children: [] });
      if (heading.depth === 3) {
        const last = entries.at(-1);
        if (last === undefined) entries.push({ heading, children: [] });
        else last.children.push(heading);
      }
    }
    for (const child of (node as Partial<Root>).children ?? []) collect(child); // only parents have children
  };
  collect(tree);
  if (entries.length === 0) return undefined;
  const write = createEntryWriter(context);
  const link = (heading: Heading): Html => markup`<a href="#${heading.data?.anchor}">${trustHtml(write(heading))}</a>`;
  return markup`<ol>${entries.map(
    ({ heading, children }) =>
      markup`<li>${link(heading)}${children.length > 0 && markup`<ol>${children.map((child) => markup`<li>${link(child)}</li>`)}</ol>`}</li>\n`,
  )}</ol>`;
}

/** Returns a function that writes a heading's content without ids, links and stamps, which exist once on a page. */
function createEntryWriter(context: PageContext): (heading: Heading) => string {
  const converter = unified()
    .use(remarkRehype, { allowDangerousHtml: true, handlers: createHandlers(context) })
    .freeze();
  const strip = (nodes: readonly ElementContent[]): ElementContent[] =>
    nodes.flatMap((node): ElementContent[] => {
      if (node.type !== "element") return [node];
      const { className } = node.properties;
      if (node.tagName === "sup" && Array.isArray(className) && className.includes("note")) return [];
      const children = strip(node.children);
      if (node.tagName === "img")
        return [{ type: "text", value: typeof node.properties["alt"] === "string" ? node.properties["alt"] : "" }];
      if (node.tagName === "br") return [{ type: "text", value: " " }];
      return [
        {
          ...node,
          tagName: node.tagName === "a" ? "span" : node.tagName,
          properties: Array.isArray(className) ? { className } : {},
          children,
        } satisfies Element,
      ];
    });
  return (heading) => {
    const tree = converter.runSync({
      type: "root",
      children: [{ type: "paragraph", children: heading.children }],
    } satisfies Root);
    const [paragraph] = tree.children;
    const content = paragraph?.type === "element" ? strip(paragraph.children) : [];
    return serialiser.stringify({ type: "root", children: content });
  };
}

function renderNotes(notes: string, { footnotes }: PageWords): string {
  return notes.trim() === ""
    ? ""
    : `<section class="footnotes" aria-label="${footnotes}"><ol>\n${notes}</ol></section>\n`;
}

interface BodyParts {
  readonly document: PublishDocument;
  readonly words: PageWords;
  readonly masthead: Html;
  readonly contents?: Html;
  readonly text: string;
  readonly options: RenderPageOptions;
}

function renderBody({ document, words, masthead, contents, text, options }: BodyParts): Html {
  const { appendix, oldAnchors = {} } = options;
  // Headings carry the names they had; those of which nothing is left lead to the top.
  const known = new Set(document.blocks.map(({ anchor }) => anchor));
  const anchors = Object.entries(oldAnchors)
    .filter(([, target]) => !known.has(target))
    .map(([anchor]) => markup`<span class="old-anchor" id="${anchor}"></span>`);
  return markup`<a class="skip" href="#tw-main">${words.skip}</a>
<div class="sheet">
<nav class="side" aria-label="${words.contents}">
<div class="bar"><span class="brand">${document.frontMatter.eyebrow ?? "turnwise"}</span><button type="button" id="tw-theme" aria-pressed="false" hidden>${words.theme}</button></div>
${contents !== undefined && markup`<details id="tw-contents" open><summary>${words.contents}</summary>\n${contents}</details>\n`}</nav>
<main id="tw-main">
${masthead}${anchors}${trustHtml(text)}${appendix !== undefined && trustHtml(appendix)}</main>
<footer>${words.source} ${document.id} · SHA-256 <code>${document.sha256.slice(0, 16)}</code> · ${document.inventory.lines} lines</footer>
</div>
`;
}

/** Returns the first paragraph, shortened. */
function makeDescription({ frontMatter, blocks, title }: PublishDocument): string {
  const first = blocks.find(({ type, text }) => type === "paragraph" && text.trim() !== "");
  return cutText((frontMatter.subtitle ?? first?.text ?? title).replace(/\s+/g, " ").trim(), 200);
}
