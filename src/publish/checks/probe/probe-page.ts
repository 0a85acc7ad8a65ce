import type { Page } from "playwright-core";
import { readPage, type PageContent } from "../../render/read-page.js";
import type { RenderBrowser } from "../open-browser.js";
import { renderViewports, type PageEvidence, type PageScreenshot, type ScriptlessPage } from "../page-evidence.js";
import { collectCitations, collectElements, collectParts, collectVerdicts } from "./collect-parts.js";
import { collectStructure, type PageStructure } from "./collect-structure.js";
import { collectTexts, type PageTexts } from "./collect-text.js";
import { findBarriers } from "./find-barriers.js";
import { loadPage, readViolations } from "./load-page.js";
import { measureLayout, measureOverlaps, measurePrint } from "./measure-layout.js";
import { tryContents, tryFolds, tryKeyboard } from "./try-controls.js";

/** What is looked at beside the page. */
export interface ProbePageOptions {
  /** Text of axe-core. */
  readonly axe?: string;
  /** The page in another language. */
  readonly pairHtml?: string;
}

function readContent(page: Page, root = "document"): Promise<PageContent> {
  return page.evaluate(`(${readPage.toString()})(${root})`);
}

/** Reads a page that is not shown. */
async function readPair(page: Page, html: string): Promise<PageEvidence["pair"]> {
  const parsed = `new DOMParser().parseFromString(${JSON.stringify(html)}, "text/html")`;
  const content = await readContent(page, parsed);
  const about: { lang: string; links: { lang: string; href: string }[] } = await page.evaluate(
    `(() => { const page = ${parsed}; return { lang: page.documentElement.lang, links: [...page.querySelectorAll("a[rel~=alternate][hreflang]")].map((link) => ({ lang: link.getAttribute("hreflang") ?? "", href: link.getAttribute("href") ?? "" })) }; })()`,
  );
  return { ...content, ...about };
}

/** What a page says of itself; runs inside it. */
function collectLandmarks(): Pick<PageEvidence, "skipLink" | "landmarks"> {
  const first = [...document.querySelectorAll<HTMLElement>("a[href], button, summary")].find(
    ({ tabIndex }) => tabIndex >= 0,
  );
  const href = first?.getAttribute("href") ?? "";
  const target = href.startsWith("#") && href.length > 1 ? document.getElementById(href.slice(1)) : null;
  const count = (selector: string): number => document.querySelectorAll(selector).length;
  return {
    skipLink: { isFirst: href.startsWith("#"), hasTarget: target !== null && target.closest("main") !== null },
    landmarks: {
      main: count("main"),
      navigation: count("nav[aria-label], nav[aria-labelledby]"),
      footer: count("body footer"),
    },
  };
}

/** Marks the widest table and the longest formula; runs inside the page. */
function markWidest(): { readonly table: boolean; readonly formula: boolean } {
  const pick = (selector: string, name: string): boolean => {
    const all = [...document.querySelectorAll(selector)].map((element) => ({ element, width: element.scrollWidth }));
    const widest = all.sort((a, b) => b.width - a.width)[0];
    widest?.element.setAttribute("data-turnwise-shot", name);
    return widest !== undefined;
  };
  return { table: pick("main .scroll", "table"), formula: pick("main .eq-body", "formula") };
}

/** Takes pictures; everything folded is open. Pictures do no harm where they fail. */
async function takePictures(page: Page): Promise<PageScreenshot[]> {
  const has = await page.evaluate(markWidest);
  const shots: PageScreenshot[] = [];
  for (const [kind, name] of [
    ["table", "widest-table"],
    ["formula", "longest-equation"],
  ] as const) {
    if (!has[kind]) continue;
    shots.push({
      name,
      bytes: await page.locator(`[data-turnwise-shot=${kind}]`).screenshot({ animations: "disabled" }),
    });
  }
  return shots;
}

/** Returns words that stand in one folded paragraph and nowhere else. */
function findFoldedWords(
  { blocks }: PageContent,
  { segments }: PageTexts,
): { readonly words: string; readonly block: string; readonly fold: string } | undefined {
  const byId = new Map(blocks.map((block) => [block.id, block]));
  const findFold = (id: string | undefined): string | undefined => {
    const block = id === undefined ? undefined : byId.get(id);
    return block === undefined || block.tag === "details" ? block?.id : findFold(block.parent);
  };
  const all = segments.map(({ full }) => full.replace(/\s+/g, " ")).join("\n");
  for (const { id, tag, text, parent } of blocks) {
    const words = text.replace(/\s+/g, " ").trim();
    const fold = tag === "p" || tag === "li" ? findFold(parent) : undefined;
    if (fold === undefined || words.length < 6 || words.length > 160 || words.includes("$")) continue;
    if (all.split(words).length === 2) return { words, block: id, fold };
  }
  return undefined;
}

function collectScriptless(): Pick<ScriptlessPage, "hidden" | "stuck"> {
  const name = (element: Element): string => element.getAttribute("data-block") ?? element.tagName.toLowerCase();
  const blocks = [...document.querySelectorAll("main [data-block]")].filter(
    (block) => block.parentElement?.closest("main details:not([open])") === null,
  );
  const hidden = blocks.filter(
    (block) =>
      block.textContent?.trim() !== "" && (!block.checkVisibility() || block.getBoundingClientRect().height === 0),
  );
  const stuck = [...document.querySelectorAll<HTMLDetailsElement>("main details")].filter((details) => {
    const before = details.open;
    details.querySelector<HTMLElement>(":scope > summary")?.click();
    return details.open === before;
  });
  return { hidden: hidden.map(name), stuck: stuck.map(name) };
}

/** Looks at the page without scripts, and searches it for words that are folded away. */
async function probeScriptless(browser: RenderBrowser, html: string, content: PageContent, texts: PageTexts) {
  const target = findFoldedWords(content, texts);
  const fragment = target === undefined ? "" : `#:~:text=${encodeURIComponent(target.words).replace(/-/g, "%2D")}`;
  const { context, page, blocked, errors } = await loadPage(browser, html, { hasScript: false, fragment });
  try {
    const isOpened =
      target !== undefined &&
      (await page.evaluate(
        (id) =>
          [...document.querySelectorAll("details[data-block]")].some(
            (each) => each.getAttribute("data-block") === id && each.hasAttribute("open"),
          ),
        target.fold,
      ));
    const scriptless: ScriptlessPage = {
      content: await readContent(page),
      structure: await page.evaluate(collectStructure),
      ...(await page.evaluate(collectScriptless)),
    };
    const search = target === undefined ? {} : { search: { words: target.words, block: target.block, isOpened } };
    return { scriptless, ...search, blocked, errors };
  } finally {
    await context.close();
  }
}

/** What is read of a page as it was loaded, before anything is worked. */
async function readLoaded(page: Page) {
  const structure: PageStructure = await page.evaluate(collectStructure);
  const verdicts = await page.evaluate(collectVerdicts);
  return {
    content: await readContent(page),
    structure,
    texts: await page.evaluate(collectTexts),
    parts: {
      ...(await page.evaluate(collectParts)),
      elements: await page.evaluate(collectElements),
      citations: await page.evaluate(collectCitations),
      ...(verdicts === null || verdicts === undefined ? {} : { verdicts }),
    },
    ...(await page.evaluate(collectLandmarks)),
  };
}

/** Works and measures a page at all sizes; leaves everything open and in print. */
async function workPage(page: Page, axe: string | undefined) {
  const [wide, ...others] = renderViewports;
  const session = await page.context().newCDPSession(page);
  const screenshots: PageScreenshot[] = [{ name: "first-wide", bytes: await page.screenshot() }];
  const keyboard = await tryKeyboard(page, session);
  const contents = [{ width: wide.width as number, entries: await page.evaluate(tryContents) }]; // every view has a width
  const barriers = axe === undefined ? {} : { barriers: await findBarriers(page, axe) };
  await page.emulateMedia({ media: "print" });
  // A4 without its margins.
  await page.setViewportSize({ width: 673, height: 980 });
  const print = await page.evaluate(measurePrint);
  await page.emulateMedia({ media: "screen" });
  await page.setViewportSize(wide);
  const folds = await tryFolds(page, session);
  const layouts = [await page.evaluate(measureLayout)];
  const overlaps = [{ width: wide.width as number, ...(await page.evaluate(measureOverlaps)) }]; // every view has a width
  screenshots.push(...(await takePictures(page)));
  for (const size of others) {
    await page.setViewportSize(size);
    layouts.push(await page.evaluate(measureLayout));
    if (size.width !== 375) continue;
    overlaps.push({ width: size.width, ...(await page.evaluate(measureOverlaps)) });
    contents.push({ width: size.width, entries: await page.evaluate(tryContents) });
    screenshots.push({ name: "first-narrow", bytes: await page.screenshot() });
  }
  return { keyboard, contents, ...barriers, print, folds, layouts, overlaps, screenshots };
}

/**
 * Looks at a page in a browser with the network cut and returns all that the checks need: two loads, one with and one
 * without scripts. The page is handed over as text; nothing is read from a folder.
 */
export async function probePage(
  browser: RenderBrowser,
  html: string,
  { axe, pairHtml }: ProbePageOptions = {},
): Promise<PageEvidence> {
  const { context, page, blocked, errors } = await loadPage(browser, html);
  try {
    const loaded = await readLoaded(page);
    const pair = pairHtml === undefined ? undefined : await readPair(page, pairHtml);
    const worked = await workPage(page, axe);
    const violations = await readViolations(page);
    const other = await probeScriptless(browser, html, loaded.content, loaded.texts);
    return {
      browser: { name: browser.name, version: browser.version },
      ...loaded,
      ...worked,
      scriptless: other.scriptless,
      ...(other.search === undefined ? {} : { search: other.search }),
      blocked: [...violations, ...blocked, ...other.blocked],
      errors: [...errors, ...other.errors],
      ...(pair === undefined ? {} : { pair }),
    };
  } finally {
    await context.close();
  }
}
