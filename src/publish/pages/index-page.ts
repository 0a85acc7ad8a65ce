import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import MiniSearch from "minisearch";
import { markup, type HtmlPart } from "../../page/index.js";
import type { PublishDocument } from "../document.js";
import { renderRecordPage, renderVerdict } from "./page-parts.js";
import type { RelatedPage } from "./related-page.js";

/** One document of the index. */
export interface IndexEntry {
  readonly document: PublishDocument;
  readonly verdict: string;
  readonly gate: string;
  readonly pages: readonly RelatedPage[];
  /** What stands on the page for each claim that is filled in, by its id. */
  readonly claims?: { readonly [id: string]: string };
}

/** One passage that can be found. */
interface Passage {
  readonly id: number;
  readonly document: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  readonly href: string;
}

/** Scripts that write without blanks between words: their letters are terms one by one. */
const unspaced = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]";

/** What is a term; used by the page too. */
const termPattern = `${unspaced}|(?:(?!${unspaced})[\\p{L}\\p{N}])+`;

function splitTerms(text: string): string[] {
  return text.normalize("NFKC").toLowerCase().match(new RegExp(termPattern, "gu")) ?? [];
}

/** Returns the sections of a document as passages: a heading with the text below it. */
function listPassages({ document, claims = {} }: IndexEntry): Omit<Passage, "id">[] {
  const page = `${encodeURIComponent(document.id)}.html`;
  const passages: { heading: string; text: string[]; href: string }[] = [
    { heading: document.title, text: [], href: page },
  ];
  const containers = new Set(document.blocks.map(({ parent }) => parent));
  for (const { id, type, anchor, text } of document.blocks) {
    if (type === "heading" && anchor !== undefined)
      passages.push({ heading: text, text: [], href: `${page}#${encodeURIComponent(anchor)}` });
    else if (!containers.has(id)) passages.at(-1)?.text.push(text);
  }
  return passages.map(({ heading, text, href }) => ({
    document: document.id,
    title: document.title,
    heading,
    text: text
      .join(" ")
      .replace(/\[\[([^\]\s]+)\]\]/g, (all, id: string) => claims[id] ?? all)
      .replace(/\s+/g, " ")
      .trim(),
    href,
  }));
}

const options = { fields: ["heading", "text"], storeFields: ["title", "heading", "href", "text"] };

/** Returns the index of passages as text. */
function buildIndex(passages: readonly Passage[]): string {
  const search = new MiniSearch<Passage>({ ...options, tokenize: splitTerms, processTerm: (term) => term });
  search.addAll(passages);
  return JSON.stringify(search);
}

/** Returns the script of every index page: the search library, and what ties it to the box and to the page's own index. */
export function getSearchScript(): string {
  const require = createRequire(import.meta.url);
  const library = readFileSync(require.resolve("minisearch").replace(/dist.*$/, "dist/umd/index.js"), "utf8");
  return `
${library.replace(/^\/\/# sourceMappingURL.*$/m, "")}
(() => {
"use strict";
const pattern = new RegExp(${JSON.stringify(termPattern)}, "gu");
const split = (text) => text.normalize("NFKC").toLowerCase().match(pattern) ?? [];
const data = document.getElementById("search-index");
const index = MiniSearch.loadJSON(data.textContent, { fields: ${JSON.stringify(options.fields)}, storeFields: ${JSON.stringify(options.storeFields)}, tokenize: split, processTerm: (term) => term });
data.remove();
const box = document.getElementById("query");
const list = document.getElementById("hits");
const count = document.getElementById("hit-count");
document.getElementById("search").hidden = false;
document.getElementById("search-off").remove();
const show = () => {
  const query = box.value.trim();
  const hits = query === "" ? [] : index.search(query, { combineWith: "AND", prefix: (term) => term.length > 1, fuzzy: (term) => term.length > 4 ? 0.2 : false, boost: { heading: 3 } });
  count.textContent = query === "" ? "" : hits.length === 0 ? "Nothing found" : hits.length + (hits.length === 1 ? " passage" : " passages");
  list.replaceChildren(...hits.slice(0, 30).map((hit) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = hit.href;
    link.textContent = hit.heading;
    const where = document.createElement("small");
    where.textContent = " " + hit.title;
    const words = document.createElement("p");
    const low = hit.text.toLowerCase();
    const places = hit.terms.map((term) => low.indexOf(term)).filter((place) => place >= 0);
    const at = Math.max(0, (places.length === 0 ? 0 : Math.min(...places)) - 60);
    words.textContent = (at > 0 ? "…" : "") + hit.text.slice(at, at + 200) + (hit.text.length > at + 200 ? "…" : "");
    item.append(link, where, words);
    return item;
  }));
};
box.addEventListener("input", show);
const asked = new URLSearchParams(location.search).get("q");
if (asked) box.value = asked;
show();
})();`;
}

const indexStyles = `
#search{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.4rem 0 1rem}
#query{flex:1;min-width:min(16rem,100%);max-width:34rem;padding:.5rem .8rem}
#hits{list-style:none;padding:0}
#hits li{border-top:1px solid var(--line);padding:.5rem 0}
#hits p{font-size:.88rem;color:var(--soft);margin:.1rem 0 0}
`;

/**
 * Returns the index of a site as one file: its documents with verdict and pages, and a search over all their sections
 * that works from a folder, without a network. Without a script the list is there and the search box is not.
 */
export function renderSiteIndex(
  title: string,
  entries: readonly IndexEntry[],
  pages: readonly RelatedPage[] = [],
): string {
  const passages = entries.flatMap(listPassages).map((passage, id) => ({ id, ...passage }));
  const rows = entries.map(({ document, verdict, gate, pages: own }): HtmlPart => {
    const { id, title: name, lang, frontMatter, inventory } = document;
    return markup`<article class="item"><p class="name"><a href="${encodeURIComponent(id)}.html" lang="${lang}" hreflang="${lang}">${name}</a> ${renderVerdict(verdict)}</p>
${frontMatter.subtitle !== undefined && markup`<p lang="${lang}">${frontMatter.subtitle}</p>\n`}<p class="how">${lang} · ${inventory.words} words · gate ${gate}${own.map(({ name: page, href }) => href !== undefined && markup` · <a href="${href}">${page}</a>`)}</p></article>
`;
  });
  return renderRecordPage({
    name: "Index",
    subject: title,
    summary: `${entries.length} documents, ${passages.length} sections.`,
    pages,
    sections: [
      {
        id: "search-section",
        title: "Search",
        body: markup`<div id="search" role="search" hidden><label class="hidden" for="query">Search all sections</label><input id="query" type="search"> <span id="hit-count" role="status"></span></div>
<p id="search-off" class="none">The search needs a script; the list below does not.</p>
<ul id="hits"></ul>
<div id="search-index" hidden>${buildIndex(passages)}</div>
`,
      },
      {
        id: "documents",
        title: "Documents",
        body: rows.length === 0 ? markup`<p class="none">No document.</p>\n` : rows,
      },
    ],
    footer: "Made by turnwise publish; works from a folder, without a network.",
    styles: indexStyles,
    script: getSearchScript(),
    source: passages,
  });
}
