import { sha256 } from "../core/index.js";
import { markup, type Html, type HtmlPart } from "./html.js";
import { pageScript } from "./script.js";
import { renderShell } from "./shell.js";
import { pageStyles } from "./styles/page-styles.js";

/** One entry of a page's table of contents. */
export interface PageLink {
  readonly href: string;
  readonly text: string;
}

/** What a page is made of. */
export interface PageSpec {
  readonly title: string;
  /** One sentence for search results and previews. */
  readonly description: string;
  /** Small line above the title, e.g. what made the page. */
  readonly kicker: HtmlPart;
  /** Links to the sections; empty for a page without a table of contents. */
  readonly contents: readonly PageLink[];
  readonly body: Html;
  readonly footer: HtmlPart;
  /** BCP 47; default `en`. */
  readonly lang?: string;
  /** After the styles of every page. */
  readonly styles?: string;
  /** After the script of every page; it must not hold the text of an end tag of script. */
  readonly script?: string;
  /** SHA-256 of what the page was made from, hex: states it and a digest of the body, so that edits by hand show. */
  readonly sourceSha256?: string;
}

/**
 * Returns a whole page as one file: styles and script inside, fonts of the reader's system, and a policy that
 * forbids every network request and every other script. The same parts give the same bytes.
 */
export function renderPage(spec: PageSpec): string {
  const {
    title,
    description,
    kicker,
    contents,
    body,
    footer,
    lang = "en",
    styles = "",
    script = "",
    sourceSha256,
  } = spec;
  const nav =
    contents.length > 0 &&
    markup`<nav class="contents" aria-label="Sections"><ol>${contents.map(({ href, text }) => markup`<li><a href="${href}">${text}</a></li>`)}</ol></nav>
`;
  const whole = markup`<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><span class="brand">${kicker}</span><button type="button" id="theme" hidden>Dark</button></header>
<div class="sheet${contents.length === 0 && " plain"}">
${nav}<main id="main">
${body}</main>
</div>
<footer>${footer}</footer>
`;
  return renderShell({
    lang,
    title,
    description,
    styles: pageStyles + styles,
    script: pageScript + script,
    ...(sourceSha256 === undefined ? {} : { head: stateDigests(sourceSha256, whole) }),
    body: whole,
  });
}

function stateDigests(sourceSha256: string, body: Html): Html {
  return markup`<meta name="turnwise:source-sha256" content="${sourceSha256}">
<meta name="turnwise:body-sha256" content="${sha256(body.toString())}">
`;
}
