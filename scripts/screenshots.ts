// Takes pictures of a report page: `npx tsx scripts/screenshots.ts REPORT.html [FOLDER] [--all]`.
// Writes FOLDER/report.png (default docs/images), the top of the page as the README shows it; with --all also the
// whole page wide and narrow, light and dark.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { hasChromium, launchChromium, missingChromium } from "../test/browser/find-chromium.js";

interface Shot {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly colorScheme: "light" | "dark";
  readonly isWhole: boolean;
}

const readme: Shot = { name: "report", width: 1200, height: 1560, scale: 1.5, colorScheme: "light", isWhole: false };
const others: readonly Shot[] = (["light", "dark"] as const).flatMap((colorScheme) => [
  { name: `report-wide-${colorScheme}`, width: 1280, height: 900, scale: 1, colorScheme, isWhole: true },
  { name: `report-narrow-${colorScheme}`, width: 320, height: 640, scale: 1, colorScheme, isWhole: true },
]);

async function take(browser: Browser, page: string, folder: string, shot: Shot): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: shot.width, height: shot.height },
    deviceScaleFactor: shot.scale,
    colorScheme: shot.colorScheme,
    offline: true,
  });
  const tab = await context.newPage();
  await tab.goto(pathToFileURL(resolve(page)).href);
  await tab.screenshot({ path: join(folder, `${shot.name}.png`), fullPage: shot.isWhole });
  await context.close();
}

const [page, folder = join("docs", "images")] = process.argv.slice(2).filter((argument) => argument !== "--all");
if (page === undefined || !hasChromium()) {
  const usage = "Usage: npx tsx scripts/screenshots.ts REPORT.html [FOLDER] [--all]";
  process.stderr.write(`${page === undefined ? usage : missingChromium}\n`);
  process.exitCode = 2;
} else {
  mkdirSync(folder, { recursive: true });
  const browser = await launchChromium();
  const shots = process.argv.includes("--all") ? [readme, ...others] : [readme];
  for (const shot of shots) await take(browser, page, folder, shot);
  await browser.close();
}
