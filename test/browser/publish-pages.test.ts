import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditDocument } from "../../src/commands/publish-audit.js";
import { checkCitationFiles } from "../../src/commands/publish-cites.js";
import { checkClaimFiles } from "../../src/commands/publish-claims.js";
import { lintFiles } from "../../src/commands/publish-lint.js";
import { reviewFile } from "../../src/commands/publish-review.js";
import { writeSite } from "../../src/commands/publish-site.js";
import { hasChromium, launchChromium, missingChromium } from "./find-chromium.js";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const longWord = "averylongidentifierthatnobodywouldbreakanywhere_".repeat(3);

const report = `---
id: report
kind: report
lang: en
title: "What training improved: a title that is long enough for two lines on any screen"
subtitle: Two seeds
date: 2030-01-01
evidence: [results.json]
bibliography: [works.json]
---

# What training improved: a title that is long enough for two lines on any screen

## Summary

The rate rises from [40%]{#c:base} to [[c:trained]]. [Nobody has looked this up.]{.hedged}

## Method

With $K$ tries under the budget $T$; \`${longWord}\`.

## Results

The loss rises.

See [@yao2023].

## Limits

The tasks are few.
`;

const reviewer = `let text="";process.stdin.on("data",(c)=>text+=c).on("end",()=>{const packet=JSON.parse(text);
const isWrong=packet.documents[0].text.includes("The loss rises.");
console.log(JSON.stringify({schema:"review-response/1",pass:packet.pass,coverage:packet.items.map(({id})=>({item:id,status:"checked",method:"read"})),
findings:isWrong?[{category:"fact.direction",severity:"major",location:{quote:{prefix:"",exact:"The loss rises",suffix:"."}},says:"${longWord}",problem:"the loss falls <b>",evidence:{kind:"derivation",detail:"by definition"}}]:[]}));});`;

const fixer = `const fs=require("node:fs");let text="";process.stdin.on("data",(c)=>text+=c).on("end",()=>{const {file,findings}=JSON.parse(text);
fs.writeFileSync(file,fs.readFileSync(file,"utf8").replace("The loss rises.","The loss falls."));
console.log(JSON.stringify({schema:"review-fix/1",fixes:findings.map(({id})=>({finding:id,summary:"turned",before:["The loss rises"],after:"The loss falls"}))}));});`;

describe.skipIf(!hasChromium())("pages of publishing in a real browser", () => {
  let browser: Browser;
  let folder: string;
  let site: string;
  let names: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "turnwise-pages-"));
    site = join(folder, "site");
    const docs = join(folder, "docs");
    mkdirSync(docs);
    const write = (name: string, text: string): void => writeFileSync(join(docs, name), text);
    write("report.md", report);
    write("results.json", JSON.stringify({ status: "complete", base: 0.4, trained: 0.6 }));
    write(
      "claims.yaml",
      `version: 1
claims:
  - { id: c:base, kind: value, inputs: [{ artefact: results.json, select: /base }], display: { decimals: 0, percent: true } }
  - { id: c:trained, kind: value, inputs: [{ artefact: results.json, select: /trained }], display: { decimals: 0, percent: true } }
`,
    );
    write(
      "note.zh.md",
      "---\nid: note-zh\nkind: page\nlang: zh\ntitle: 回合预算\ntranslation_of: note\n---\n\n# 回合预算\n\n## 什么是预算\n\n预算限制回合的数目。\n",
    );
    write(
      "note.md",
      "---\nid: note\nkind: page\nlang: en\ntitle: Turn budgets\n---\n\n# Turn budgets\n\n## What a budget is\n\nA budget limits the number of turns.\n",
    );
    write(
      "works.json",
      JSON.stringify([
        {
          id: "yao2023",
          type: "article",
          title: "A work",
          author: [{ family: "Yao", given: "S" }],
          issued: { "date-parts": [[2023]] },
        },
      ]),
    );
    writeFileSync(join(folder, "reviewer.cjs"), reviewer);
    writeFileSync(join(folder, "fixer.cjs"), fixer);
    const file = join(docs, "report.md");
    const config = join(folder, "config.yaml");
    writeFileSync(config, "parties: { author: { id: ann, family: human } }\n");
    const shared = { out: site, config };
    await lintFiles([docs], shared);
    await checkClaimFiles([docs], shared);
    await checkCitationFiles([docs], shared);
    await reviewFile(file, {
      ...shared,
      backend: "command",
      command: `"${execPath}" "${join(folder, "reviewer.cjs")}"`,
      fixerCommand: `"${execPath}" "${join(folder, "fixer.cjs")}"`,
      reviewerFamily: "qwen",
      environment: process.env,
      isLoop: true,
    });
    await auditDocument(file, shared);
    await writeSite([docs], { ...shared, title: "Site" });
    names = readdirSync(site).filter((name) => name.endsWith(".html"));
    browser = await launchChromium();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  async function open(
    name: string,
    options: BrowserContextOptions = {},
    rest = "",
  ): Promise<{ page: Page; troubles: string[] }> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const troubles: string[] = [];
    const address = pathToFileURL(join(site, name)).href;
    page.on("request", (request) => {
      const url = request.url();
      if (url.split(/[?#]/)[0] !== address && !url.startsWith("data:")) troubles.push(`request: ${url}`);
    });
    page.on("console", (message) => {
      if (message.type() === "error") troubles.push(message.text());
    });
    page.on("pageerror", (error) => troubles.push(String(error)));
    await page.goto(address + rest);
    return { page, troubles };
  }

  test("every page is there, asks for nothing, logs nothing, fits 320 pixels, and all its links lead somewhere", async () => {
    expect(names.filter((name) => name.startsWith("report."))).toEqual(
      ["audit", "citations", "claims", "diff", "experiment", "html", "independence", "result-to-claim", "traces"]
        .map((part) => (part === "html" ? "report.html" : `report.${part}.html`))
        .sort(),
    );
    for (const name of names) {
      const { page, troubles } = await open(name, { viewport: { width: 320, height: 800 }, colorScheme: "dark" });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([name, width, troubles]).toEqual([name, 320, []]);
      const links = await page.evaluate(() =>
        [...document.querySelectorAll("a[href]")].map((link) => link.getAttribute("href") ?? ""),
      );
      for (const link of links.filter((href) => !/^https?:/.test(href))) {
        const [file, fragment] = link.split("#");
        const target = file === "" ? name : decodeURIComponent(file);
        expect([name, readdirSync(site, { recursive: true }).map(String).includes(target), link]).toEqual([
          name,
          true,
          link,
        ]);
        if (fragment !== undefined && target === name)
          expect([
            name,
            link,
            await page.evaluate((id) => document.getElementById(id) !== null, decodeURIComponent(fragment)),
          ]).toEqual([name, link, true]);
      }
      await page.context().close();
    }
  }, 120_000);

  test.each(["light", "dark"] as const)(
    "the pages of the record have no barrier in %s",
    async (colorScheme) => {
      for (const name of [
        "report.audit.html",
        "report.claims.html",
        "report.html",
        "assurance.html",
        "corpus.html",
        "index.html",
      ]) {
        const { page } = await open(name, { colorScheme, bypassCSP: true });
        await page.evaluate(axeSource);
        const found = await page.evaluate(async () => {
          const { axe } = globalThis as unknown as {
            axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
          }; // put there by axe-core
          return (await axe.run()).violations
            .filter(({ impact }) => impact === "serious" || impact === "critical")
            .map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
        });
        expect([name, found]).toEqual([name, []]);
        await page.context().close();
      }
    },
    120_000,
  );

  test("a bound number opens its evidence as a card without a script, and the card leads back", async () => {
    const { page } = await open("report.html", { javaScriptEnabled: false, viewport: { width: 375, height: 800 } });
    expect(await page.locator("[data-hedged]").textContent()).toContain("Nobody has looked this up.");
    await page.locator('a[data-claim="c:trained"]').click();
    const card = page.locator("#tw-claim-trained");
    expect(await card.textContent()).toContain("results.json");
    const box = await card.boundingBox();
    expect(box).not.toBeNull();
    expect(box!.y + box!.height).toBeLessThanOrEqual(800);
    expect(box!.y).toBeGreaterThan(100);
    await page.locator('a[data-key="yao2023"]').click();
    expect(await page.locator("#tw-ref-yao2023").textContent()).toContain("A work");
    await page.locator('a[data-claim="c:trained"]').click();
    await card.locator("a.back").click();
    expect(new URL(page.url()).hash).toBe("#tw-use-c:trained");
    await page.context().close();
  });

  test.each([
    { query: "turns budget", hit: "What a budget is", href: "note.html#what-a-budget-is" },
    { query: "预算限制", hit: "什么是预算", href: /^note-zh\.html#/ },
    { query: "60%", hit: "Summary", href: "report.html#summary" },
    { query: "budgt", hit: "What a budget is", href: /^note\.html/ },
  ])("the index finds $query from a folder, offline", async ({ query, hit, href }) => {
    const { page, troubles } = await open("index.html", { offline: true });
    await page.locator("#query").fill(query);
    const link = page.locator("#hits a").first();
    expect(await link.textContent()).toBe(hit);
    if (typeof href === "string") expect(await link.getAttribute("href")).toBe(href);
    else expect(await link.getAttribute("href")).toMatch(href);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test("the audit shows rounds, the wording before and after, coverage, and hides nothing in print", async () => {
    const { page } = await open("report.audit.html");
    const text = await page.locator("main").textContent();
    for (const words of [
      "blocking-findings",
      "The loss rises",
      "The loss falls",
      "verified",
      "gone from",
      "the loss falls <b>",
      "No probe",
    ])
      expect(text).toContain(words);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("ins").first().isVisible()).toBe(true);
    await page.context().close();
  });
});

if (!hasChromium()) process.stdout.write(`Browser tests are skipped: ${missingChromium}\n`);
