// internal
import type { PagePlace, PreparedPage } from "./page-tools.js";

/** An element name with the attributes it was seen with, and the first place of each. */
export interface ElementUse {
  readonly name: string;
  readonly isHtml: boolean;
  readonly attributes: { readonly [name: string]: PagePlace };
  readonly place: PagePlace;
  /** Whether the formula engine made all of them. */
  readonly isOfFormulas: boolean;
}

/** A link or source with its place. */
export interface PageAddress extends PagePlace {
  /** As written. */
  readonly address: string;
  readonly attribute: string;
  readonly tag: string;
  readonly isInContents: boolean;
}

/** One citation by key. */
export interface PageCitation extends PagePlace {
  readonly key: string;
  /** Fragment that the citation links to. */
  readonly target?: string;
  /** Whether the target exists on the page. */
  readonly isLinked: boolean;
  /** Whether the target links back to a citation of this key. */
  readonly isLinkedBack: boolean;
}

/** Names, addresses, ids and marks of a page. */
export interface PageParts {
  readonly lang: string;
  readonly title: string;
  readonly h1: readonly string[];
  readonly subtitle: readonly string[];
  readonly eyebrow: readonly string[];
  /** Author lines, with whether each can be seen. */
  readonly authors: readonly { readonly text: string; readonly isShown: boolean }[];
  readonly policies: readonly { readonly text: string; readonly isFirst: boolean }[];
  readonly scripts: readonly (PagePlace & { readonly text: string; readonly src?: string })[];
  readonly elements: readonly ElementUse[];
  readonly addresses: readonly PageAddress[];
  readonly ids: readonly PagePlace[];
  readonly claims: readonly (PagePlace & { readonly claim: string; readonly shown: string; readonly status: string })[];
  readonly citations: readonly PageCitation[];
  readonly statuses: readonly (PagePlace & { readonly status: string; readonly hasMark: boolean })[];
  readonly verdicts?: {
    readonly overall: string;
    readonly text: string;
    readonly stages: readonly { readonly stage: string; readonly verdict: string }[];
    readonly deferred: readonly string[];
    readonly isShown: boolean;
  };
  readonly translations: readonly { readonly lang: string; readonly href: string }[];
}

/** Lists the names of elements with their attributes; runs inside the page. */
export function collectElements(): PageParts["elements"] {
  const { locate } = (globalThis as unknown as PreparedPage).turnwiseTools; // put there before
  const uses = new Map<
    string,
    {
      name: string;
      isHtml: boolean;
      attributes: { [name: string]: PagePlace };
      place: PagePlace;
      isOfFormulas: boolean;
    }
  >();
  for (const element of document.querySelectorAll("*")) {
    const name = element.localName;
    const isOfFormulas = element.closest(".katex") !== null;
    const key = `${element.namespaceURI}|${name}|${isOfFormulas}`;
    let use = uses.get(key);
    if (use === undefined) {
      const isHtml = element.namespaceURI === "http://www.w3.org/1999/xhtml";
      use = { name, isHtml, attributes: {}, place: locate(element), isOfFormulas };
      uses.set(key, use);
    }
    for (const { name: attribute } of element.attributes) use.attributes[attribute] ??= locate(element);
  }
  return [...uses.values()];
}

/** Reads names, addresses, ids and marks; runs inside the page. */
export function collectParts(): Omit<PageParts, "elements" | "verdicts" | "citations"> {
  const { locate, isShown, squash } = (globalThis as unknown as PreparedPage).turnwiseTools; // put there before
  const list = (selector: string): Element[] => [...document.querySelectorAll(selector)];
  const read = (element: Element, name: string): string => element.getAttribute(name) ?? "";
  const texts = (selector: string): string[] => list(selector).map(({ textContent }) => squash(textContent));
  const script = document.querySelector("script, style, link[rel=stylesheet]");
  return {
    lang: document.documentElement.lang,
    title: document.title,
    h1: texts("h1"),
    subtitle: texts(".masthead .subtitle"),
    eyebrow: texts(".masthead .eyebrow"),
    authors: list(".author").map((author) => ({ text: squash(author.textContent), isShown: isShown(author) })),
    policies: list('meta[http-equiv="Content-Security-Policy" i]').map((meta) => ({
      text: read(meta, "content"),
      isFirst: script === null || (meta.compareDocumentPosition(script) & 4) !== 0,
    })),
    scripts: list("script").map((element) => ({
      ...locate(element, ""),
      text: element.textContent ?? "",
      ...(element.hasAttribute("src") ? { src: read(element, "src") } : {}),
    })),
    addresses: list("*").flatMap((element) =>
      ["href", "src", "srcset", "action", "formaction", "poster", "data", "cite", "background", "xlink:href"]
        .filter((attribute) => element.hasAttribute(attribute))
        .map((attribute) => ({
          ...locate(element),
          address: read(element, attribute),
          attribute,
          tag: element.localName,
          isInContents: element.closest("nav") !== null,
        })),
    ),
    ids: list("[id]").map((element) => ({ ...locate(element, ""), text: element.id })),
    claims: list("[data-claim]").map((element) => ({
      ...locate(element),
      claim: read(element, "data-claim"),
      shown: squash(element.textContent),
      status: read(element, "data-status"),
    })),
    statuses: list(".status").map((element) => ({
      ...locate(element),
      status: read(element, "data-status"),
      hasMark: squash(element.querySelector(".status-mark")?.textContent) !== "",
    })),
    translations: list("a[rel~=alternate][hreflang]").map((link) => ({
      lang: read(link, "hreflang"),
      href: read(link, "href"),
    })),
  };
}

/** Reads citations and where they lead; runs inside the page. */
export function collectCitations(): PageParts["citations"] {
  const { locate } = (globalThis as unknown as PreparedPage).turnwiseTools; // put there before
  const find = (link: Element | null | undefined): Element | undefined => {
    const href = link?.getAttribute("href") ?? "";
    if (!href.startsWith("#") || href.length < 2) return undefined;
    return document.getElementById(decodeURIComponent(href.slice(1))) ?? undefined;
  };
  return [...document.querySelectorAll(".cite[data-keys]")].flatMap((cite) =>
    (cite.getAttribute("data-keys") ?? "").split(" ").map((key) => {
      const link = [...cite.querySelectorAll("a[data-key]")].find((each) => each.getAttribute("data-key") === key);
      const entry = find(link);
      const back = [...(entry?.querySelectorAll('a[href^="#"]') ?? [])].some((each) => {
        const holder = find(each)?.closest(".cite[data-keys]");
        return (holder?.getAttribute("data-keys") ?? "").split(" ").includes(key);
      });
      return {
        ...locate(cite),
        key,
        ...(link === undefined ? {} : { target: link.getAttribute("href") ?? "" }),
        isLinked: entry !== undefined,
        isLinkedBack: back,
      };
    }),
  );
}

/** Reads the strip of verdicts; runs inside the page. */
export function collectVerdicts(): PageParts["verdicts"] | null {
  const { isShown, squash } = (globalThis as unknown as PreparedPage).turnwiseTools; // put there before
  const strip = document.querySelector(".verdicts");
  if (strip === null) return null;
  return {
    overall: strip.getAttribute("data-verdict") ?? "",
    text: squash(strip.textContent),
    stages: [...strip.querySelectorAll("[data-stage]")].map((stage) => ({
      stage: stage.getAttribute("data-stage") ?? "",
      verdict: squash(stage.querySelector("b")?.textContent),
    })),
    deferred: [...strip.querySelectorAll(".deferred li")].map(({ textContent }) => squash(textContent)),
    isShown: isShown(strip),
  };
}
