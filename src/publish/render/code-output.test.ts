import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { parseDocument } from "../parse/parse-document.js";
import { readPage } from "./read-page.js";
import { renderDocumentPage } from "./render-page.js";

const render = async (markdown: string) => {
  const document = parseDocument(markdown, { file: "a.md" });
  const page = parseHTML((await renderDocumentPage(document)).html).document;
  return { document, page, shown: [...page.querySelectorAll(".output code")].map(({ textContent }) => textContent) };
};

test("renderDocumentPage() shows below code that is run what it gives, line by line", async () => {
  const { document, page, shown } = await render('```ts exec=run expect="1 < 2\\n**3**"\nconsole.log(1);\n```\n');
  expect(shown).toEqual(["1 < 2\n**3**"]);
  // What the page adds is no text of the author.
  expect(readPage(page).blocks.map(({ text }) => text.trim())).toEqual(document.blocks.map(({ text }) => text.trim()));
});

test("renderDocumentPage() shows no output of code that is not run, or says nothing of it", async () => {
  const { shown } = await render('```ts exec=parse expect="1"\n1;\n```\n\n```ts exec=run\n1;\n```\n\n```ts\n1;\n```\n');
  expect(shown).toEqual([]);
});
