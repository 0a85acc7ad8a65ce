// internal
import { sha256 } from "../../core/index.js";
import { markup, renderPage, renderTable, type Html, type HtmlPart, type PageLink } from "../../page/index.js";
import type { RelatedPage } from "./related-page.js";

/** Styles that pages of the record add to those of every page. */
const recordStyles = `
.v{display:inline-block;border:1px solid currentColor;border-radius:99px;padding:.02rem .55rem;font-size:.78rem;font-weight:620;white-space:nowrap;color:var(--muted)}
.v.pass{color:var(--s2)}.v.warn,.v.stale,.v.blocked,.v.review_unavailable,.v.not_run,.v.missing{color:var(--warn)}.v.fail,.v.error{color:var(--s6)}
.v.checked{color:var(--s2)}.v.cannot{color:var(--warn)}
td .why,.t p{white-space:normal}
.wide td.t{white-space:normal;min-width:5.5rem;max-width:30rem}
.wide tbody th{min-width:min(12rem,38vw)}
@media print{.wide table{width:100%;table-layout:fixed;font-size:7.5pt}.wide table th,.wide table td{min-width:0;max-width:none;padding-right:.3rem;white-space:normal;overflow-wrap:anywhere}.wide .v{white-space:normal;border:0;padding:0;font-size:inherit}.wide .hash{overflow-wrap:anywhere}.tall{max-height:none;overflow:visible}}
.wide td.t code{overflow-wrap:anywhere}
.hash{font-size:.8em;color:var(--muted)}
.item{border-top:1px solid var(--line);padding:.8rem 0;max-width:52rem}
.item .name,.part{font-weight:650;margin:0 0 .3rem;overflow-wrap:anywhere}
.part{margin:1.4rem 0 .5rem}
.item p{margin:0 0 .35rem}
.item dl,.pairs{display:grid;grid-template-columns:minmax(6rem,auto) minmax(0,1fr);gap:.15rem 1rem;margin:.3rem 0;font-size:.9rem}
.item dt,.pairs dt{color:var(--muted)}.item dd,.pairs dd{margin:0;overflow-wrap:anywhere}
del,ins{text-decoration:none;padding:.05em .25em;border-radius:3px;overflow-wrap:anywhere}
del{background:color-mix(in srgb,var(--s6) 16%,var(--paper));text-decoration:line-through}ins{background:color-mix(in srgb,var(--s2) 16%,var(--paper))}
.pages{display:flex;flex-wrap:wrap;gap:.2rem .9rem;font-size:.88rem;margin:0 0 1rem;padding:0;list-style:none}
.pages [aria-current]{color:var(--muted);text-decoration:none}
.tagged{background:var(--warnbg);color:var(--warn);border-radius:4px;padding:.05rem .4rem;font-size:.82rem}
`;

/** A section of a page of the record. */
export interface RecordSection {
  readonly id: string;
  readonly title: string;
  readonly body: HtmlPart;
}

/** A page of the record: what stages and reviews left about one document or a set. */
export interface RecordPage {
  /** Names the page, e.g. `Audit`. */
  readonly name: string;
  /** Title of the document, or of the set. */
  readonly subject: string;
  /** One sentence made from counts. */
  readonly summary: HtmlPart;
  /** Pages about the same thing; the one without an address is this one. */
  readonly pages?: readonly RelatedPage[];
  readonly sections: readonly RecordSection[];
  readonly footer: HtmlPart;
  /** What the page was made from. */
  readonly source: unknown;
  readonly styles?: string;
  readonly script?: string;
}

/** Returns a verdict as a badge; its word carries the meaning, its colour repeats it. */
export function renderVerdict(verdict: string): Html {
  return markup`<span class="v ${verdict.toLowerCase()}">${verdict}</span>`;
}

/** Returns the first digits of a hash. */
export function renderHash(hash: string | undefined): HtmlPart {
  if (hash === undefined) return "–";
  return markup`<code class="hash">${hash.replace(/^sha256:/, "").slice(0, 12)}</code>`;
}

/** Returns a time to the minute. */
export function showTime(time: string | undefined): string {
  return time === undefined ? "–" : time.slice(0, 16).replace("T", " ");
}

/** Returns names with their values; what has no value is left out. */
export function renderPairs(pairs: readonly (readonly [string, HtmlPart])[]): Html {
  return markup`<dl class="pairs">${pairs
    .filter(([, value]) => value !== undefined && value !== "" && value !== false)
    .map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
`;
}

/** Returns a table of texts, its first column the head of each row; a sentence where there is no row. */
export function renderTexts(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly HtmlPart[])[],
  none: string,
): Html {
  if (rows.length === 0) return markup`<p class="none">${none}</p>\n`;
  return renderTable({
    caption,
    hasHiddenCaption: true,
    className: rows.length > 40 ? "wide tall" : "wide",
    columns: heads.map((head, index) => ({ head, kind: index === 0 ? "row_head" : "text" })),
    rows: rows.map((cells) => ({ cells })),
  });
}

/** Returns a table of counts by two keys. */
export function renderCounts(
  caption: string,
  rowName: string,
  pairs: readonly (readonly [row: string, column: string])[],
  columnOrder: readonly string[],
  none: string,
): Html {
  if (pairs.length === 0) return markup`<p class="none">${none}</p>\n`;
  const rows = [...new Set(pairs.map(([row]) => row))].sort();
  const columns = [...columnOrder, ...pairs.map(([, column]) => column)].filter(
    (column, index, all) => all.indexOf(column) === index && pairs.some((pair) => pair[1] === column),
  );
  const count = (row: string, column: string): number => pairs.filter(([r, c]) => r === row && c === column).length;
  return renderTable({
    caption,
    hasHiddenCaption: true,
    columns: [{ head: rowName, kind: "row_head" }, ...columns.map((head) => ({ head })), { head: "all" }],
    rows: rows.map((row) => ({
      cells: [row, ...columns.map((column) => count(row, column)), pairs.filter(([r]) => r === row).length],
    })),
  });
}

/** Returns a page of the record as one file. */
export function renderRecordPage(page: RecordPage): string {
  const { name, subject, summary, pages = [], sections, footer, source, styles = "", script } = page;
  const links: readonly PageLink[] = sections.map(({ id, title }) => ({ href: `#${id}`, text: title }));
  return renderPage({
    title: `${name}: ${subject}`,
    description: `${name} of ${subject}`,
    kicker: markup`turnwise <span>publish</span>`,
    contents: links,
    sourceSha256: sha256(JSON.stringify(source)),
    styles: recordStyles + styles,
    script,
    body: markup`<div class="answer"><h1>${name}</h1>
<p class="headline">${subject}</p>
<div class="rest"><p>${summary}</p></div>
${
  pages.length > 0 &&
  markup`<ul class="pages">${pages.map(({ name: other, href }) =>
    href === undefined
      ? markup`<li><span aria-current="page">${other}</span></li>`
      : markup`<li><a href="${href}">${other}</a></li>`,
  )}</ul>
`
}</div>
${sections.map(({ id, title, body }) => markup`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>\n${body}</section>\n`)}`,
    footer,
  });
}
