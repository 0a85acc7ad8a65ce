import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseDocument, readPage, renderDocumentPage, type PageContent } from "../../src/publish/index.js";
import { hasChromium, launchChromium } from "./find-chromium.js";

const folder = new URL("../../../shared/real-data/aris-tutorials/", import.meta.url);

/** Published counts: h2, h3, links, details, displays, code blocks, tables, callouts by kind. */
const published = {
  agentic_rl: [12, 57, 69, 25, 15, 13, 8, { info: 7, warn: 5, good: 1, bad: 0 }],
  attention: [12, 19, 31, 25, 7, 8, 5, { info: 3, warn: 3, good: 1, bad: 1 }],
  flow_matching: [9, 16, 25, 0, 16, 7, 2, { info: 3, warn: 3, good: 3, bad: 0 }],
  rlhf_dpo_grpo_ppo: [12, 35, 47, 25, 31, 5, 7, { info: 4, warn: 7, good: 3, bad: 0 }],
} as const;

describe.skipIf(!hasChromium() || !existsSync(folder))("pages of the corpus in a real browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  test.each(Object.entries(published))("%s holds what was published, block by block", async (name, counts) => {
    const source = gunzipSync(readFileSync(new URL(`${name}_tutorial.md.gz`, folder)));
    const document = parseDocument(source, { file: `${name}.md` });
    const { html } = await renderDocumentPage(document);
    const page = await browser.newPage();
    await page.setContent(html);
    const content = await page.evaluate<PageContent>(`(${readPage.toString()})(document)`);
    await page.close();
    const { h2, h3, toc, details, display_math, code_blocks, tables, callouts } = content.inventory;
    expect([h2, h3, toc, details, display_math, code_blocks, tables, callouts]).toEqual(counts);
    expect(content.formulaErrors).toBe(0);
    const squash = (text: string): string => text.replace(/\s+/g, "");
    expect(content.blocks.map(({ id, text }) => [id, squash(text)])).toEqual(
      document.blocks.map(({ id, text }) => [id, squash(text)]),
    );
  });
});
