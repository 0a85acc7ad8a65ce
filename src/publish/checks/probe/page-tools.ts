// internal

/** Where something on a page is. */
export interface PagePlace {
  /** Id of the stamped block, where it is in one. */
  readonly block?: string;
  /** Lines of the source as stamped. */
  readonly line?: string;
  /** Element, for readers of the page's code. */
  readonly selector: string;
  /** What is there, shortened. */
  readonly text?: string;
}

/** What the functions that run inside a page share. */
export interface PageTools {
  readonly locate: (element: Element, text?: string) => PagePlace;
  /** Says whether an element is on screen or can be scrolled to: folded content is not. */
  readonly isShown: (element: Element) => boolean;
  /** Returns the box that scrolls or cuts an element, the nearest one. */
  readonly findScroller: (element: Element) => Element | undefined;
  readonly squash: (text: string | null | undefined) => string;
  /** Returns the text of an element with formulas as TeX between dollars, without what the page added. */
  readonly readText: (element: Element) => string;
  /** Lets the browser finish what was begun. */
  readonly wait: () => Promise<void>;
}

/** A page with the tools put into it. */
export interface PreparedPage {
  readonly turnwiseTools: PageTools;
}

/** Puts the tools into the page that it runs in; stands alone, so that a browser can be handed its text. */
export function installTools(): void {
  const squash = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
  const select = (element: Element): string => {
    const { id } = element;
    const names = [...element.classList].slice(0, 2);
    return `${element.tagName.toLowerCase()}${id === "" ? names.map((name) => `.${name}`).join("") : `#${id}`}`;
  };
  const readText = (element: Element): string => {
    const copy = element.cloneNode(true) as Element; // a copy of an element is one
    for (const added of copy.querySelectorAll("[data-generated]")) added.remove();
    for (const formula of copy.querySelectorAll(".katex"))
      formula.replaceWith(`$${formula.querySelector("annotation")?.textContent ?? ""}$`);
    for (const image of copy.querySelectorAll("img")) image.replaceWith(image.alt);
    for (const end of copy.querySelectorAll("br")) end.replaceWith(" ");
    return squash(copy.textContent);
  };
  const tools: PageTools = {
    squash,
    readText,
    locate: (element, text) => {
      const block = element.closest("[data-block]");
      const shown = squash(text ?? element.textContent).slice(0, 120);
      return {
        ...(block === null
          ? {}
          : { block: block.getAttribute("data-block") ?? "", line: block.getAttribute("data-line") ?? "" }),
        selector: select(element),
        ...(shown === "" ? {} : { text: shown }),
      };
    },
    isShown: (element) => {
      const { width, height } = element.getBoundingClientRect();
      return element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && width > 0 && height > 0;
    },
    findScroller: (element) => {
      for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
        if (getComputedStyle(at).overflowX !== "visible") return at;
      }
      return undefined;
    },
    wait: () => new Promise((resolve) => setTimeout(resolve, 0)),
  };
  Object.assign(globalThis, { turnwiseTools: tools });
}
