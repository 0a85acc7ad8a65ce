import type { Inventory } from "../document.js";

/** One stamped block of a page. */
export interface PageBlock {
  readonly id: string;
  /** Lines of the source as stamped, e.g. `12` or `12-14`. */
  readonly line: string;
  /** Id of the stamped block around it. */
  readonly parent?: string;
  readonly tag: string;
  /** The author's text: formulas as TeX between dollars, without what the page added. */
  readonly text: string;
  /** Of a table: the text of its cells. */
  readonly rows?: readonly (readonly string[])[];
}

/** What a page holds, read from its elements. */
export interface PageContent {
  readonly blocks: readonly PageBlock[];
  /** Counts by the same names as in the inventory of the source. */
  readonly inventory: Omit<Inventory, "words" | "lines">;
  /** Formulas that could not be set. */
  readonly formulaErrors: number;
}

/**
 * Reads the blocks and counts of a page from its document. The function stands alone, so that a browser can be handed
 * its text; it works with any implementation of the DOM.
 */
export function readPage(page: Document): PageContent {
  const main = page.querySelector("main") ?? page.body;
  const list = (selector: string, root: Element = main): Element[] => [...root.querySelectorAll(selector)];
  const getTex = (math: Element): string =>
    math.getAttribute("data-tex") ?? math.querySelector("annotation")?.textContent ?? "";
  const getText = (node: Node): string => {
    if (node.nodeType === 3) return node.textContent ?? "";
    if (node.nodeType !== 1) return "";
    const element = node as Element; // by its type
    if (element.hasAttribute("data-generated")) return "";
    if (element.hasAttribute("data-source")) return element.getAttribute("data-source") ?? "";
    if (element.hasAttribute("data-filled")) return `[[${element.getAttribute("data-claim") ?? ""}]]`;
    const tag = element.tagName.toLowerCase();
    if (element.classList.contains("katex") || element.classList.contains("formula-error")) {
      const mark = element.closest(".eq") === null ? "$" : "$$";
      return `${mark}${getTex(element)}${mark}`;
    }
    if (tag === "br") return "\n";
    if (tag === "img") return element.getAttribute("alt") ?? "";
    const text = [...element.childNodes].map(getText).join("");
    return /^(?:p|li|h[1-6]|tr|td|th|pre|summary|dt|dd|div|blockquote|figcaption|details|ul|ol|table)$/.test(tag)
      ? `${text}\n`
      : text;
  };
  const blocks = list("[data-block]").map((element): PageBlock => {
    const parent = element.parentElement?.closest("[data-block]")?.getAttribute("data-block") ?? undefined;
    return {
      id: element.getAttribute("data-block") ?? "",
      line: element.getAttribute("data-line") ?? "",
      ...(parent === undefined ? {} : { parent }),
      tag: element.tagName.toLowerCase(),
      text: getText(element),
      ...(element.tagName.toLowerCase() === "table"
        ? { rows: list("tr", element).map((row) => list("td, th", row).map((cell) => getText(cell).trim())) }
        : {}),
    };
  });
  const count = (selector: string): number => list(selector).length;
  const box = (kind: string): number => count(`.callout.${kind}[data-block]`);
  const isDisplay = (math: Element): boolean => math.closest(".eq") !== null;
  const code = list("pre[data-block]").map((element) => element.getAttribute("data-language") ?? "none");
  const languages: { [language: string]: number } = {};
  for (const language of code.sort()) languages[language] = (languages[language] ?? 0) + 1;
  const arxiv = new Set(list('[data-id^="arxiv:"]').map((element) => element.getAttribute("data-id")));
  return {
    blocks,
    formulaErrors: count(".formula-error, .katex-error"),
    inventory: {
      h1: count("h1[data-block]"),
      h2: count("h2[data-block]"),
      h3: count("h3[data-block]"),
      h4: count("h4[data-block]"),
      toc: list("nav ol a[href]", page.body).length,
      details: count("details[data-block]"),
      display_math: count(".eq[data-block]"),
      inline_math: list(".katex, .formula-error").filter((math) => !isDisplay(math)).length,
      code_blocks: code.length,
      code_by_lang: languages,
      tables: count("table[data-block]"),
      callouts: { info: box("info"), warn: box("warn"), good: box("good"), bad: box("bad") },
      quotes: count("blockquote[data-block]"),
      figures: count("figure[data-block]"),
      citations: list("[data-keys]").reduce(
        (sum, element) => sum + (element.getAttribute("data-keys") ?? "").split(" ").length,
        0,
      ),
      arxiv_ids: arxiv.size,
    },
  };
}
