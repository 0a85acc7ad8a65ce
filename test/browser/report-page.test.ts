import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildReport, renderIndexPage, renderReportPage } from "../../src/report/index.js";
import { makeReportInput, usualPlan } from "../report/synthetic-report.js";
import { hasChromium, launchChromium, missingChromium } from "./find-chromium.js";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

if (!hasChromium()) process.stdout.write(`Browser tests are skipped: ${missingChromium}\n`);

interface Opened {
  readonly page: Page;
  /** Requests other than the page itself, console errors, uncaught errors. */
  readonly troubles: string[];
}

describe.skipIf(!hasChromium())("a report page in a real browser", () => {
  let browser: Browser;
  let folder: string;
  const addresses: { [name: string]: string } = {};

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "turnwise-report-"));
    const plan = {
      ...usualPlan,
      taskCount: 24,
      samples: 4,
      sampleCounts: [1, 4],
      budgets: [1, 2, 4, 8, 16],
      transcriptBytes: 24_000,
    };
    const input = makeReportInput(plan);
    const label = "qwen3-4b-instruct-2507-after-reinforcement-learning-with-a-very-long-name";
    const long = makeReportInput({ ...plan, policies: [usualPlan.policies[0], { ...usualPlan.policies[1], label }] });
    const single = makeReportInput({
      ...plan,
      policies: usualPlan.policies.slice(0, 1),
      budgets: [4],
      sampleCounts: [1],
      isCompared: false,
    });
    const report = buildReport(input);
    const entry = {
      title: "Base against trained",
      question: "Which?",
      about: "About.",
      command: "turnwise compare",
      href: "usual.html",
      report,
    };
    const pages = {
      usual: renderReportPage(report),
      long: renderReportPage(buildReport(long)),
      single: renderReportPage(buildReport(single)),
      index: renderIndexPage([entry, { ...entry, title: "Another" }]),
    };
    for (const [name, text] of Object.entries(pages)) {
      const path = join(folder, `${name}.html`);
      writeFileSync(path, text);
      addresses[name] = pathToFileURL(path).href;
    }
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  async function open(name: string, options: BrowserContextOptions = {}): Promise<Opened> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on("request", (request) => {
      if (request.url() !== addresses[name] && !request.url().startsWith("data:"))
        troubles.push(`request: ${request.url()}`);
    });
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") troubles.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
    await page.goto(addresses[name]);
    return { page, troubles };
  }

  /** Returns the serious and critical findings of axe. It runs beside the page's own policy, as a tester's tool. */
  async function findBarriers(page: Page): Promise<string[]> {
    await page.evaluate(axeSource);
    return page.evaluate(async () => {
      // Put there by the line above; its types are not part of the page.
      const { axe } = globalThis as unknown as {
        axe: {
          run(): Promise<{
            violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
          }>;
        };
      };
      const { violations } = await axe.run();
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .flatMap(({ id, nodes }) =>
          nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary.slice(0, 300)}`),
        );
    });
  }

  test.each(["usual", "long", "single", "index"])(
    "%s asks nothing of the network and reports no error",
    async (name) => {
      const { page, troubles } = await open(name);
      await page.evaluate(async () => scrollTo(0, document.body.scrollHeight));
      await page.close();
      expect(troubles).toEqual([]);
    },
  );

  test("a page cannot reach the network even if something in it tries", async () => {
    const { page } = await open("usual");
    const blocked = await page.evaluate(() =>
      fetch("https://example.org/").then(
        () => "reached",
        () => "blocked",
      ),
    );
    await page.close();
    expect(blocked).toBe("blocked");
  });

  test.each(["usual", "long", "single", "index"])(
    "%s does not scroll sideways on phone, tablet or desktop",
    async (name) => {
      const { page } = await open(name);
      const widest: { [width: number]: number } = {};
      for (const width of [320, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        widest[width] = await page.evaluate(() => document.documentElement.scrollWidth);
      }
      await page.close();
      expect(widest).toEqual({ 320: 320, 768: 768, 1280: 1280 });
    },
  );

  test.each([
    { name: "usual", colorScheme: "light", width: 1280 },
    { name: "usual", colorScheme: "dark", width: 1280 },
    { name: "usual", colorScheme: "light", width: 320 },
    { name: "index", colorScheme: "dark", width: 1280 },
  ] as const)(
    "axe finds nothing serious in $name, $colorScheme, $width pixels",
    async ({ name, colorScheme, width }) => {
      const { page } = await open(name, { colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
      // Folded parts count too.
      await page.evaluate(() => {
        for (const fold of document.querySelectorAll("details")) fold.open = true;
      });
      const barriers = await findBarriers(page);
      await page.close();
      expect(barriers).toEqual([]);
    },
  );

  test("a table that is wider than a phone is shaded where it goes on, without a script", async () => {
    const { page } = await open("usual", { javaScriptEnabled: false, viewport: { width: 360, height: 700 } });
    const wide = await page
      .locator(".scroll:visible")
      .evaluateAll((tables) =>
        tables
          .filter((table) => table.scrollWidth > table.clientWidth + 8)
          .map((table) => getComputedStyle(table).backgroundAttachment),
      );
    await page.close();
    expect(wide.length).toBeGreaterThan(0);
    expect(new Set(wide)).toEqual(new Set(["local, local, scroll, scroll"]));
  });

  test("another k shows another figure without a script", async () => {
    const { page } = await open("usual", { javaScriptEnabled: false });
    await page.locator("#curves .choices > label").nth(1).click();
    const visible = await page.locator("#curves figure:visible figcaption strong").allTextContents();
    await page.close();
    expect(visible).toEqual(["Pass@(4,T)."]);
  });

  test("an episode opens by its address without a script", async () => {
    const { page } = await open("usual", { javaScriptEnabled: false });
    await page.locator("#entries a").nth(2).click();
    const shown = await page.locator(".episode:visible").evaluateAll((articles) => articles.map(({ id }) => id));
    await page.close();
    expect(shown).toEqual(["e3"]);
  });

  test("the keyboard reaches a number, opens its evidence, closes it and is back at the number", async () => {
    const { page } = await open("usual");
    const link = page.locator(".rest a.n").first();
    await link.focus();
    await page.keyboard.press("Enter");
    const card = page.locator("#evidence-card");
    expect(await card.isVisible()).toBe(true);
    expect(await card.textContent()).toContain("/surfaces/");
    await page.keyboard.press("Escape");
    expect(await card.isVisible()).toBe(false);
    const isBack = await link.evaluate((element) => element === document.activeElement);
    await page.close();
    expect(isBack).toBe(true);
  });

  test("arrow keys move through the episodes, which are one tab stop", async () => {
    const { page } = await open("usual");
    const stops = await page.locator("#entries a[tabindex='0']").count();
    await page.locator("#entries a[tabindex='0']").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const hash = await page.evaluate(() => location.hash);
    const shown = await page.locator(".episode:visible").evaluateAll((articles) => articles.map(({ id }) => id));
    await page.close();
    expect({ stops, hash, shown }).toEqual({ stops: 1, hash: "#e3", shown: ["e3"] });
  });

  test("filters leave the episodes that fit and say how many", async () => {
    const { page } = await open("usual");
    await page.locator("select[data-filter=label]").selectOption("trained");
    await page.locator("select[data-filter=success]").selectOption("solved");
    const kept = await page
      .locator("#entries li:visible")
      .evaluateAll((items) =>
        items.map((item) => `${item.getAttribute("data-label")}, ${item.getAttribute("data-success")}`),
      );
    const said = await page.locator("#found").textContent();
    await page.locator("#find").fill("no episode holds this");
    const none = await page.locator("#entries li:visible").count();
    await page.close();
    expect([...new Set(kept)]).toEqual(["trained, solved"]);
    expect(said).toMatch(new RegExp(`^${kept.length} of \\d+$`));
    expect(none).toBe(0);
  });

  test("the theme button changes the theme and says what it does next", async () => {
    const { page } = await open("usual", { colorScheme: "light" });
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await paper();
    await page.locator("#theme").click();
    const after = await paper();
    const label = await page.locator("#theme").textContent();
    await page.close();
    expect(after).not.toBe(before);
    expect(label).toBe("Light theme");
  });

  test("paper shows the figures on white and leaves out what cannot be used on it", async () => {
    const { page } = await open("usual", { colorScheme: "dark" });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const hidden = await page.locator("#theme:visible, .contents:visible, #filters:visible, #evidence:visible").count();
    const charts = await page.locator("#curves .plot:visible").count();
    const pdf = await page.pdf({ format: "A4" });
    await page.close();
    expect({ background, hidden, charts }).toEqual({ background: "rgb(255, 255, 255)", hidden: 0, charts: 1 });
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  });
});
