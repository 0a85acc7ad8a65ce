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
}

/**
 * Returns a whole page as one file: styles and script inside, fonts of the reader's system, and a policy that
 * forbids every network request and every other script. The same parts give the same bytes.
 */
export function renderPage(spec: PageSpec): string {
  const { title, description, kicker, contents, body, footer, lang = "en", styles = "", script = "" } = spec;
  const nav =
    contents.length > 0 &&
    markup`<nav class="contents" aria-label="Sections"><ol>${contents.map(({ href, text }) => markup`<li><a href="${href}">${text}</a></li>`)}</ol></nav>
`;
  return renderShell({
    lang,
    title,
    description,
    styles: pageStyles + styles,
    script: pageScript + script,
    body: markup`<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><span class="brand">${kicker}</span><button type="button" id="theme" hidden>Dark</button></header>
<div class="sheet${contents.length === 0 && " plain"}">
${nav}<main id="main">
${body}</main>
</div>
<footer>${footer}</footer>
`,
  });
}
