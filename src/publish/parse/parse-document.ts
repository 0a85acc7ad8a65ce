import type { Code, Node, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { sha256 } from "../../core/index.js";
import type { DocumentKind, FrontMatter, ParseProblem, PublishDocument } from "../document.js";
import { dialectSyntax } from "./attention.js";
import { collectBlocks, findInfoLabel } from "./blocks.js";
import { buildFlow } from "./build-flow.js";
import { buildPhrasing } from "./build-phrasing.js";
import { buildTags } from "./build-tags.js";
import { containerNames } from "./callout-marks.js";
import { parseFrontMatter } from "./front-matter.js";
import { nameHeadings } from "./headings.js";
import { countInventory } from "./inventory.js";
import { detectLanguage, getBaseLanguage } from "./language.js";
import { limitDepth } from "./limit-depth.js";
import { listSyntax } from "./limit-lists.js";
import { protectBlocks, type ReportProblem } from "./protect-blocks.js";
import { protectInline } from "./protect-inline.js";
import { placeFootnotes, resolveDefinitions, resolveReferences, walk } from "./resolve-references.js";
import { createPositionMaker, restoreTree, type Locator } from "./restore-tree.js";
import type { Token } from "./tokens.js";
import { getVisibleText } from "./visible-text.js";

/** What is known of a document beside its text; the front matter wins over all of it. */
export interface ParseOptions {
  /** Path as given, for messages and the id. */
  readonly file: string;
  readonly id?: string;
  readonly kind?: DocumentKind;
  readonly lang?: string;
  readonly title?: string;
  readonly subtitle?: string;
  readonly eyebrow?: string;
  readonly byline?: string;
  readonly profile?: string;
  readonly date?: string;
}

const headerFields = ["kind", "lang", "title", "subtitle", "eyebrow", "byline", "profile", "date"] as const;

/**
 * Reads a Markdown document of the dialect: its head, tree, blocks and counts. Never throws for what is in the text:
 * what cannot be taken as written stays visible as text and is among the problems. Bytes are read as UTF-8 and
 * hashed as they are.
 */
export function parseDocument(input: string | Uint8Array, options: ParseOptions): PublishDocument {
  const source = typeof input === "string" ? input : new TextDecoder("utf-8", { ignoreBOM: true }).decode(input);
  const makePosition = createPositionMaker(source);
  const problems: ParseProblem[] = [];
  const report: ReportProblem = (rule, message, offset) => {
    problems.push({ rule, message, line: makePosition(offset, offset).start.line });
  };
  if (typeof input !== "string" && source.includes("\uFFFD")) {
    report(
      "text.encoding",
      "The file holds bytes that are not UTF-8: they are shown as \uFFFD",
      source.indexOf("\uFFFD"),
    );
  }
  const head = parseFrontMatter(source);
  problems.push(...head.problems);
  const frontMatter = mergeHeader(head.frontMatter, options);
  const bodyOffset = head.bodyOffset === 0 && source.startsWith("\uFEFF") ? 1 : head.bodyOffset;
  const tree = parseTree(source, bodyOffset, makePosition, report);
  const taken = new Set<string>();
  const headings = nameHeadings(tree, taken, report);
  placeFootnotes(tree, report);
  const detectedLang = detectLanguage(getProse(tree));
  const lang = frontMatter.lang ?? detectedLang;
  resolveReferences(tree, taken, lang, report);
  const { blocks, inlineMath } = collectBlocks(tree, source);
  const lines = source.split(/\r\n|\n|\r/);
  const lineCount = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  const firstTitle = headings.find(({ depth }) => depth === 1) ?? headings[0];
  const id = frontMatter.id ?? options.id ?? makeFileId(options.file);
  if (frontMatter.lang !== undefined && detectedLang !== "und" && getBaseLanguage(frontMatter.lang) !== detectedLang) {
    checkLanguage(frontMatter.lang, detectedLang, report);
  }
  return {
    file: options.file,
    id,
    source,
    sha256: sha256(input),
    lines,
    frontMatter,
    bodyLine: makePosition(bodyOffset, bodyOffset).start.line,
    title: frontMatter.title ?? (firstTitle === undefined ? id : getVisibleText(firstTitle)),
    lang,
    detectedLang,
    tree,
    blocks,
    inlineMath,
    inventory: countInventory(tree, blocks, lineCount),
    problems: problems.sort((a, b) => a.line - b.line),
  };
}

function checkLanguage(declared: string, detected: string, report: ReportProblem): void {
  // A language that is told from its script is certain; Latin text may be in any language that is written so.
  const latin = !["zh", "ja", "ko", "ru"].includes(getBaseLanguage(declared));
  if (detected === "en" && latin) return;
  report("lang.mismatch", `The text is declared as "${declared}" and written in "${detected}"`, 0);
}

function mergeHeader(frontMatter: FrontMatter, options: ParseOptions): FrontMatter {
  const merged: { -readonly [key in keyof FrontMatter]: FrontMatter[key] } = { ...frontMatter };
  for (const field of headerFields) {
    if (merged[field] === undefined && options[field] !== undefined) Object.assign(merged, { [field]: options[field] });
  }
  return merged;
}

function makeFileId(file: string): string {
  const name = file.split(/[\\/]/).at(-1) ?? file;
  return name.replace(/\.(?:md|markdown)$/i, "") || "document";
}

const parser = unified().use(remarkParse).use(remarkGfm, { singleTilde: false });

/** Returns the tree of the dialect, with positions of the source. */
function parseTree(
  source: string,
  bodyOffset: number,
  makePosition: Locator["makePosition"],
  report: ReportProblem,
): Root {
  const tokens: Token[] = [];
  const body = source.slice(bodyOffset);
  const reportBody: ReportProblem = (rule, message, offset) => report(rule, message, offset + bodyOffset);
  const outer = protectBlocks(body, tokens, reportBody);
  const inner = protectInline(outer.text, body, (offset) => outer.toSource(offset), tokens, containerNames, reportBody);
  parser.freeze();
  const data = parser.data();
  const tree = fromMarkdown(inner.text, {
    // The extensions of GFM as remark-gfm sets them up, and the changes of the dialect after them.
    extensions: [...(data.micromarkExtensions ?? []), dialectSyntax, listSyntax],
    mdastExtensions: data.fromMarkdownExtensions ?? [],
  });
  const locator: Locator = {
    source,
    tokens: tokens.map((token) => ({ ...token, start: token.start + bodyOffset, end: token.end + bodyOffset })),
    toSource: (offset) => outer.toSource(inner.toSource(offset)) + bodyOffset,
    toSourceEnd: (offset) => outer.toSourceEnd(inner.toSourceEnd(offset)) + bodyOffset,
    makePosition,
  };
  limitDepth(tree, locator, report);
  restoreTree(tree, locator);
  resolveDefinitions(tree);
  labelCode(tree);
  buildPhrasing(tree, locator, report);
  buildTags(tree, locator, report);
  buildFlow(tree, locator, report);
  return tree;
}

function labelCode(tree: Root): void {
  walk(tree, (node) => {
    if (node.type !== "code") return;
    const anchor = findInfoLabel(node as Code); // by its type
    if (anchor !== undefined) node.data = { ...node.data, anchor };
  });
}

/** Returns the text of a tree without code and formulas. */
function getProse(tree: Root): string {
  const parts: string[] = [];
  walk(tree, (node: Node) => {
    if (node.type === "text") parts.push((node as unknown as { value: string }).value); // by its type
  });
  return parts.join(" ");
}
