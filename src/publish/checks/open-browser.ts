import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser } from "playwright-core";
import { errorMessage } from "../../core/index.js";
import { findChromium } from "./find-chromium.js";

/** A browser that looks at pages; close it after use. */
export interface RenderBrowser {
  readonly name: string;
  readonly version: string;
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Why there is no browser, and what to do. */
export interface MissingBrowser {
  /** E.g. `playwright-missing`. */
  readonly reason: "playwright-missing" | "browser-missing" | "browser-broken";
  readonly message: string;
  readonly remedy: string;
}

/** How a browser is found and started. */
export interface OpenBrowserOptions {
  /** Default: the variable CHROMIUM, a browser on the PATH, or the one that Playwright installed. */
  readonly executablePath?: string;
  /** Variables that name the browser and the PATH. */
  readonly environment: { readonly [name: string]: string | undefined };
}

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--hide-scrollbars",
  // Whatever slips past the interception resolves to nothing.
  "--host-resolver-rules=MAP * ~NOTFOUND",
];

/** Says whether something is there to look at pages with, or why it is not. */
export async function openRenderBrowser(options: OpenBrowserOptions): Promise<RenderBrowser | MissingBrowser> {
  const playwright = await import("playwright-core").catch(() => undefined);
  if (playwright === undefined)
    return {
      reason: "playwright-missing",
      message: 'The package "playwright-core" is not installed, which drives the browser',
      remedy: "npm install playwright-core",
    };
  const { chromium } = playwright;
  const executablePath = options.executablePath ?? findChromium(options.environment);
  try {
    const browser = await chromium.launch({ args: flags, ...(executablePath === undefined ? {} : { executablePath }) });
    return { name: "Chromium", version: browser.version(), browser, close: () => browser.close() };
  } catch (error) {
    const why = errorMessage(error).split("\n")[0];
    if (executablePath === undefined)
      return {
        reason: "browser-missing",
        message: "No Chromium was found on the PATH, and Playwright has none of its own",
        remedy:
          'Install one, e.g. with "apt-get install chromium" or "npx playwright-core install chromium", or set CHROMIUM to its path',
      };
    return {
      reason: "browser-broken",
      message: `The browser "${executablePath}" does not start: ${why}`,
      remedy: "Name another one with --browser, or set CHROMIUM to its path",
    };
  }
}

/** Returns the text of axe-core, which judges accessibility, or `undefined` where it is not installed. */
export function loadAxe(): string | undefined {
  try {
    return readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  } catch {
    return undefined; // optional: its check says so
  }
}
