import { chromium, type Browser } from "playwright-core";
import { findChromium } from "../../src/publish/checks/find-chromium.js";

/** Why a browser test is skipped, and what to do. */
export const missingChromium =
  'no Chromium was found: install one, e.g. with "apt-get install chromium", or set CHROMIUM to its path';

/** Says whether there is a browser to test with; `npm test` installs one on a CI machine where it may. */
export function hasChromium(): boolean {
  return findChromium(process.env) !== undefined;
}

/**
 * Starts the system's Chromium, headless and silent on the network. Close it after use.
 *
 * @throws {Error} when there is none.
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium(process.env);
  if (executablePath === undefined) throw new Error(`Cannot start a browser: ${missingChromium}`);
  return chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
