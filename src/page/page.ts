import { sha256 } from "../core/index.js";
import { markup, trustHtml, type Html, type HtmlPart } from "./html.js";
import { pageScript } from "./script.js";
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
}

/** Returns a script's hash as a Content-Security-Policy source. */
function hashSource(script: string): string {
  const hex = sha256(script);
  const bytes = hex.match(/../g)?.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))) ?? [];
  return `'sha256-${btoa(bytes.join(""))}'`;
}

/** The bars of the sign, drawn so that the page needs no file for it. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%230072b2' d='M1 11h3v4H1z'/%3E%3Cpath fill='%23c2510a' d='M6 7h3v8H6zM11 2h3v13h-3z'/%3E%3C/svg%3E";

/**
 * Returns a whole page as one file: styles and script inside, fonts of the reader's system, and a policy that
 * forbids every network request and every other script. The same parts give the same bytes.
 */
export function renderPage({ title, description, kicker, contents, body, footer }: PageSpec): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${hashSource(pageScript)}; img-src data:; base-uri 'none'; form-action 'none'`;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trustHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="${trustHtml(icon)}">
<style>${trustHtml(pageStyles)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><span class="brand">${kicker}</span><button type="button" id="theme" hidden>Dark</button></header>
<div class="sheet${contents.length === 0 && " plain"}">
${
  contents.length > 0 &&
  markup`<nav class="contents" aria-label="Sections"><ol>${contents.map(({ href, text }) => markup`<li><a href="${href}">${text}</a></li>`)}</ol></nav>
`
}<main id="main">
${body}</main>
</div>
<footer>${footer}</footer>
<script>${trustHtml(pageScript)}</script>
</body>
</html>
`;
  return page.toString();
}
