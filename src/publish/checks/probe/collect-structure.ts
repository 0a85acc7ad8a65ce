// internal
import type { PagePlace, PreparedPage } from "./page-tools.js";

/** A heading of the page, stamped or not. */
export interface PageHeading extends PagePlace {
  readonly level: number;
  readonly id: string;
  readonly isFolded: boolean;
  readonly isShown: boolean;
}

/** What a page is made of, block by block, as its checks compare it. */
export interface PageStructure {
  readonly headings: readonly PageHeading[];
  readonly lists: readonly {
    readonly block: string;
    readonly tag: string;
    readonly start: number;
    readonly itemCount: number;
  }[];
  /** Cells in each row. */
  readonly tables: readonly (PagePlace & { readonly widths: readonly number[] })[];
  readonly codes: readonly (PagePlace & {
    readonly code: string;
    readonly language: string;
    readonly className: string;
  })[];
  readonly callouts: readonly (PagePlace & { readonly kind: string; readonly bodyLength: number })[];
  readonly quotes: readonly PagePlace[];
  readonly details: readonly (PagePlace & {
    readonly summary: string;
    readonly isOpen: boolean;
    readonly isMadeByAuthor: boolean;
  })[];
  /** Formulas in the contents. */
  readonly tocFormulaCount: number;
  readonly formulaErrors: readonly PagePlace[];
  /** Formulas and figures without words for those who cannot see them. */
  readonly withoutAlternative: readonly PagePlace[];
}

/** Reads what a page is made of; runs inside it. */
export function collectStructure(): PageStructure {
  const { locate, isShown, squash, readText } = (globalThis as unknown as PreparedPage).turnwiseTools; // put there before
  const main = document.querySelector("main") ?? document.body;
  const list = (selector: string, root: Element = main): Element[] => [...root.querySelectorAll(selector)];
  const read = (element: Element, name: string): string => element.getAttribute(name) ?? "";
  const hasWords = (element: Element): boolean => {
    if (element.matches(".katex")) return element.querySelector(".katex-mathml math") !== null;
    const images = list("img, svg", element);
    return (
      squash(element.querySelector("figcaption")?.textContent) !== "" ||
      (images.length === 0
        ? squash(element.textContent) !== ""
        : images.every((image) => squash(read(image, "alt") || read(image, "aria-label")) !== ""))
    );
  };
  return {
    headings: list("h1, h2, h3, h4, h5, h6", document.body).map((heading) => ({
      ...locate(heading, readText(heading)),
      level: Number(heading.tagName[1]),
      id: heading.id,
      isFolded: heading.closest("main details, .footnotes") !== null,
      isShown: isShown(heading),
    })),
    lists: list(":is(ul, ol, dl)[data-block]").map((element) => ({
      block: read(element, "data-block"),
      tag: element.tagName.toLowerCase(),
      start: (element as HTMLOListElement).start ?? 1, // lists without numbers have none
      itemCount: element.tagName === "DL" ? element.children.length : list(":scope > li", element).length,
    })),
    tables: list("table").map((table) => ({
      ...locate(table),
      widths: [...(table as HTMLTableElement).rows].map(({ cells }) => cells.length), // by its name
    })),
    codes: list("pre").map((pre) => ({
      ...locate(pre),
      code: pre.textContent ?? "",
      language: read(pre, "data-language"),
      className: pre.querySelector("code")?.className ?? "",
    })),
    callouts: list(".callout").map((callout) => ({
      ...locate(callout),
      kind: ["info", "warn", "good", "bad"].find((kind) => callout.classList.contains(kind)) ?? "",
      bodyLength:
        squash(callout.querySelector(".callout-body")?.textContent).length + list(".callout-body img", callout).length,
    })),
    quotes: list("blockquote").map((quote) => locate(quote)),
    details: list("details").map((details) => ({
      ...locate(details),
      summary: squash(details.querySelector("summary")?.textContent),
      isOpen: (details as HTMLDetailsElement).open, // by its name
      isMadeByAuthor: details.hasAttribute("data-block"),
    })),
    tocFormulaCount: list("nav .katex", document.body).length,
    formulaErrors: list(".formula-error, .katex-error", document.body).map((error) => locate(error)),
    withoutAlternative: list(".katex, figure, img:not(figure img)")
      .filter((element) => !(element.matches("img") ? element.hasAttribute("alt") : hasWords(element)))
      .map((element) => locate(element)),
  };
}
