import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { parseHTML } from "linkedom";
import { describe, expect, test } from "vitest";
import type { PublishDocument } from "../document.js";
import { parseDocument } from "../parse/parse-document.js";
import { readPage } from "./read-page.js";
import { renderDocumentPage } from "./render-page.js";

const folder = fileURLToPath(new URL("../../../../shared/real-data/aris-tutorials/", import.meta.url));

/** Compares a page with its document, block by block. */
async function compare(document: PublishDocument) {
  const { html, problems } = await renderDocumentPage(document);
  const { blocks, inventory, formulaErrors } = readPage(parseHTML(html).document);
  const squash = (text: string): string => text.replace(/\s+/g, "");
  const { words: _words, lines: _lines, ...counted } = document.inventory;
  expect(blocks.map(({ id, parent, text }) => [id, parent, squash(text)])).toEqual(
    document.blocks.map(({ id, parent, text }) => [id, parent, squash(text)]),
  );
  expect(inventory).toEqual(counted);
  return { html, problems, formulaErrors };
}

describe.skipIf(!existsSync(folder))("renderDocumentPage() on the corpus", () => {
  test.each(["agentic_rl", "attention", "flow_matching", "rlhf_dpo_grpo_ppo"])("loses nothing of %s", async (name) => {
    const source = gunzipSync(readFileSync(`${folder}${name}_tutorial.md.gz`));
    const { problems, formulaErrors } = await compare(parseDocument(source, { file: `${name}.md` }));
    expect(problems).toEqual([]);
    expect(formulaErrors).toBe(0);
  });
});
