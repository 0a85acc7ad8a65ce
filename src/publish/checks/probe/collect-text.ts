// internal
import type { PagePlace, PreparedPage } from "./page-tools.js";

/** The text of one block of a page as readers see it. */
export interface TextSegment extends PagePlace {
  /** `head` is the title of the document. */
  readonly where: "main" | "contents" | "other" | "head";
  /** Without code and formulas, for which a blank stands. */
  readonly prose: string;
  /** With code. */
  readonly full: string;
}

/** Text, attributes and comments of a page. */
export interface PageTexts {
  readonly segments: readonly TextSegment[];
  /** Attributes with words or addresses; not those of formulas, styles and stamps. */
  readonly attributes: readonly (PagePlace & { readonly name: string; readonly value: string })[];
  readonly comments: readonly string[];
}

/** Reads the text of a page; runs inside it. */
export function collectTexts(): PageTexts {
  const { locate } = (globalThis as unknown as PreparedPage).turnwiseTools; // put there before
  const blocks =
    "p, li, h1, h2, h3, h4, h5, h6, td, th, summary, dt, dd, figcaption, pre, blockquote, div, section, nav, header, footer, main, body, nav a";
  const parts = new Map<Element, { prose: string; full: string }>();
  const comments: string[] = [];
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { parentElement: parent, nodeValue } = node;
    if (node.nodeType === 8) {
      comments.push(nodeValue ?? "");
      continue;
    }
    if (parent === null || parent.closest("script, style, head, .katex-html") !== null) continue;
    const block = parent.closest(blocks) ?? document.body;
    const part = parts.get(block) ?? { prose: "", full: "" };
    const isFormula = parent.closest(".katex, .formula-error") !== null;
    const isOpaque = isFormula || parent.closest("code, pre, kbd, [data-source]") !== null;
    part.prose += isOpaque ? " " : (nodeValue ?? "");
    part.full += isFormula ? " " : (nodeValue ?? "");
    parts.set(block, part);
  }
  const segments = [...parts].flatMap(([block, { prose, full }]): TextSegment[] => {
    if (full.trim() === "") return [];
    const where = block.closest("nav") !== null ? "contents" : block.closest("main") !== null ? "main" : "other";
    return [{ ...locate(block, full), where, prose, full }];
  });
  const technical =
    /^(?:class|style|id|d|xmlns|viewBox|width|height|data-(?:block|line|tex|source|language|generated|filled)|preserveAspectRatio)$/;
  const attributes = [...document.querySelectorAll("body, body *, head *, html")]
    .filter((element) => element.closest(".katex") === null)
    .flatMap((element) =>
      [...element.attributes]
        .filter(({ name }) => !technical.test(name))
        .map(({ name, value }) => ({ ...locate(element, value), name, value: value.startsWith("data:") ? "" : value })),
    );
  return {
    segments: [...segments, { selector: "title", where: "head", prose: document.title, full: document.title }],
    attributes,
    comments,
  };
}
