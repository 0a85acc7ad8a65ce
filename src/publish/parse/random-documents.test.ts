import fc from "fast-check";
import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { randomMarkdown } from "../../../test/support/random-markdown.js";
import { readPage } from "../render/read-page.js";
import { renderDocumentPage } from "../render/render-page.js";
import { parseDocument } from "./parse-document.js";
import { getVisibleText } from "./visible-text.js";

test("parseDocument() loses and doubles no word, and says where each block stands", () => {
  fc.assert(
    fc.property(randomMarkdown, ({ source, words }) => {
      const { tree, blocks, lines } = parseDocument(source, { file: "a.md" });
      const text = getVisibleText(tree);
      expect(words.filter((word) => text.split(word).length !== 2)).toEqual([]);
      expect(JSON.stringify(blocks)).not.toMatch(/[\uE000-\uF8FF]/);
      for (const block of blocks) {
        expect(block.lineStart).toBeGreaterThanOrEqual(1);
        expect(block.lineEnd).toBeGreaterThanOrEqual(block.lineStart);
        expect(block.lineEnd).toBeLessThanOrEqual(lines.length);
        expect(words.filter((word) => block.text.includes(word) && !block.source.includes(word))).toEqual([]);
      }
      const order = blocks.filter(({ type, parent }) => type !== "footnote" && parent === undefined);
      expect(order.map(({ lineStart }) => lineStart)).toEqual(
        order.map(({ lineStart }) => lineStart).sort((a, b) => a - b),
      );
    }),
    { numRuns: 200 },
  );
});

const pieces =
  "$ $$ ` `` ``` * ** _ [ ] ( ) { } {#a} {.speculative} < > <details> </details> <summary> </summary> <figure> <br> <sub> </sub> <!-- --> | \\ \\( \\) \\[ \\] # ## - + : ::: :::warn 1. 2) @ @k ^ [^a] [^a]: ~ ~~ ! 💡 ⚠️ 📍 中 ， 。 x y \\frac \\min & &amp; = -- --- |-|-| http://a.b/c_d a@b.c arXiv:2310.12345 10.1000/x \uE000 \uE001 \uFEFF \r \r\n \t".split(
    " ",
  );
const noise = fc
  .array(fc.constantFrom(...pieces, " ", "    ", "\n", "\n", "\n\n", "\n> ", "\n- ", "\n  ", "\n1. "), {
    maxLength: 60,
  })
  .map((parts) => parts.join(""));

test("renderDocumentPage() shows each block of any text once, with its text", async () => {
  const squash = (text: string): string => text.replace(/[\s\uFFFD]+/g, "");
  const documents = fc.oneof(
    randomMarkdown.map(({ source }) => source),
    noise,
  );
  await fc.assert(
    fc.asyncProperty(documents, async (source) => {
      const document = parseDocument(source, { file: "a.md" });
      const { html } = await renderDocumentPage(document);
      const page = readPage(parseHTML(html).document);
      const { words: _words, lines: _lines, ...inventory } = document.inventory;
      expect(page.blocks.map(({ id, parent, text }) => [id, parent, squash(text)])).toEqual(
        document.blocks.map(({ id, parent, text }) => [id, parent, squash(text)]),
      );
      expect(page.inventory).toEqual(inventory);
    }),
    { numRuns: 60 },
  );
}, 120_000);

test.each([
  ["quote marks", "> ".repeat(5000)],
  ["folded blocks", "<details>\n".repeat(2000)],
  ["spans", `${"[a".repeat(2000)}${"]{.public}".repeat(2000)}`],
  ["emphasis", `${"*a ".repeat(2000)}${"b* ".repeat(2000)}`],
])("parseDocument() shows %s nested thousandfold as written", async (_name, source) => {
  const document = parseDocument(source, { file: "a.md" });
  await expect(renderDocumentPage(document)).resolves.toHaveProperty("html");
});
