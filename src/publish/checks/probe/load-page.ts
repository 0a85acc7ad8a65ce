// internal
import type { BrowserContext, Page } from "playwright-core";
import type { RenderBrowser } from "../open-browser.js";
import type { BlockedLoad } from "../page-evidence.js";
import { installTools } from "./page-tools.js";

/** A page in the browser, and what it tried in vain. */
export interface LoadedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly blocked: BlockedLoad[];
  readonly errors: string[];
}

const address = "http://page.invalid/page.html";

/** Keeps the names that some compilers give functions from being missed inside the page. */
const preamble = `globalThis.__name ??= (value) => value;
globalThis.turnwiseViolations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  globalThis.turnwiseViolations.push({ directive: event.effectiveDirective, address: event.blockedURI });
});`;

/**
 * Opens a page from its text alone: every request but the first is counted and refused. `fragment` is put after the
 * address.
 */
export async function loadPage(
  { browser }: RenderBrowser,
  html: string,
  { hasScript = true, fragment = "" }: { readonly hasScript?: boolean; readonly fragment?: string } = {},
): Promise<LoadedPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    javaScriptEnabled: hasScript,
    serviceWorkers: "block",
    offline: true,
    reducedMotion: "reduce",
    colorScheme: "light",
  });
  const blocked: BlockedLoad[] = [];
  const errors: string[] = [];
  let isServed = false;
  await context.route("**/*", async (route) => {
    const url = route.request().url();
    if (!isServed && url.startsWith(address)) {
      isServed = true;
      await route.fulfill({ body: html, contentType: "text/html; charset=utf-8" });
      return;
    }
    blocked.push({ address: url });
    await route.abort();
  });
  const page = await context.newPage();
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("websocket", (socket) => blocked.push({ address: socket.url() }));
  page.on("console", (message) => {
    const text = message.text();
    // What the policy or the cut network refuses is counted on its own.
    if (message.type() === "error" && !/Content Security Policy|Failed to load resource|net::ERR_/i.test(text))
      errors.push(text);
  });
  if (hasScript) await page.addInitScript(preamble);
  await page.goto(`${address}${fragment}`, { waitUntil: "load" });
  if (!hasScript) await page.evaluate("globalThis.__name ??= (value) => value");
  await page.evaluate(installTools);
  if (hasScript) await page.evaluate(settle);
  return { context, page, blocked, errors };
}

/** Waits for fonts and for what follows from them; runs inside the page. */
async function settle(): Promise<void> {
  await document.fonts.ready;
  for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Returns what the policy of a page refused so far. */
export async function readViolations(page: Page): Promise<BlockedLoad[]> {
  return page.evaluate("globalThis.turnwiseViolations");
}
