import { parseHTML } from "linkedom";
import { describe, expect, test } from "vitest";
import { parseDocument } from "../parse/parse-document.js";
import { readPageDigests, renderDocumentPage } from "./render-page.js";
import type { RenderPageOptions } from "./render-options.js";

async function render(markdown: string, options: RenderPageOptions = {}) {
  const document = parseDocument(markdown, { file: "a.md", lang: "en" });
  const rendered = await renderDocumentPage(document, options);
  return { ...rendered, document, page: parseHTML(rendered.html).document };
}

test("renderDocumentPage() gives the same bytes again", async () => {
  const markdown = "# T\n\n```ts\nconst a = 1;\n```\n\n$\\mathbb{E}$";
  expect((await render(markdown)).html).toBe((await render(markdown)).html);
});

test("readPageDigests() tells a page edited by hand", async () => {
  const { html, document, bodySha256 } = await render("# T\n\ntext");
  expect(readPageDigests(html)).toEqual({ sourceSha256: document.sha256, bodySha256, actualBodySha256: bodySha256 });
  expect(readPageDigests(html.replace("text</p>", "test</p>")).actualBodySha256).not.toBe(bodySha256);
});

describe("safety", () => {
  test("renderDocumentPage() lets no tag, handler or address of the text through", async () => {
    const { html, page, problems } = await render(
      '<img src=x onerror=alert(1)> [a](javascript:alert(1)) [b](java\tscript:x) [c](<  data:text/html,x>) ![d](https://a.b/c.png "t\\" onload=x")\n\n"onclick=\'x\'" </main></body><script>alert(2)</script>',
    );
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(page.querySelectorAll("main img, main iframe, main script, [onerror], [onload], [onclick]")).toHaveLength(0);
    const links = [...page.querySelectorAll("main a")].map((link) => link.getAttribute("href"));
    expect(links).toEqual(["https://a.b/c.png"]);
    expect(problems.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["link.unsafe", "image.remote"]));
  });

  test("renderDocumentPage() holds addresses of references to what holds for others", async () => {
    const { page, problems } = await render(
      "[a][x] [x] ![b][y] ![c][x] [d][z] [e]\n\n[x]: javascript:alert(1)\n[y]: https://a.b/c.png\n[z]: data:text/html,x\n[e]: https://a.b\n[e]: javascript:y",
    );
    expect(page.querySelectorAll("main img")).toHaveLength(0);
    expect([...page.querySelectorAll("main a")].map((link) => link.getAttribute("href"))).toEqual([
      "https://a.b/c.png",
      "https://a.b",
    ]);
    expect(problems.map(({ rule }) => rule)).toEqual([
      "link.unsafe",
      "link.unsafe",
      "image.remote",
      "link.unsafe",
      "link.unsafe",
    ]);
  });

  test("renderDocumentPage() keeps its shell whatever the head holds", async () => {
    const { page } = await render(
      "---\ntitle: '</title><script>x</script>'\nbyline: \"<b>\"\neyebrow: '\"><i>'\n---\na",
    );
    expect(page.querySelector("title")?.textContent).toBe("</title><script>x</script>");
    expect(page.querySelectorAll("main b, i")).toHaveLength(0);
  });
});

test("renderDocumentPage() keeps the first number of lists", async () => {
  const { page } = await render("1. a\n\n$$x$$\n\n2. b\n\ntext\n\n7. c");
  expect([...page.querySelectorAll("ol[data-block]")].map((list) => list.getAttribute("start"))).toEqual([
    null,
    "2",
    "7",
  ]);
});

test("renderDocumentPage() sets markup and formulas in contents, summaries and titles", async () => {
  const { page } = await render(
    "## A *b* `c` $x$ [l](https://a.b)[^n]\n\n<details><summary>**q** $y$</summary>\n\nz\n\n</details>\n\n> 💡 **T `u`** — v\n\n[^n]: m",
  );
  const entry = page.querySelector("nav ol a");
  expect(entry?.querySelectorAll("em, code, .katex")).toHaveLength(3);
  expect(entry?.querySelectorAll("a, [id], [data-block], sup.note")).toHaveLength(0);
  expect(page.querySelector("summary .katex")).not.toBeNull();
  expect(page.querySelector(".callout-title code")?.textContent).toBe("u");
});

test("renderDocumentPage() shows statuses, unresolved references and broken formulas", async () => {
  const { page, problems } = await render("[s]{.speculative} [u]{.undisclosed} [#eq:x] $\\frac{$ [[c:y]]");
  expect([...page.querySelectorAll(".status-mark")].map(({ textContent }) => textContent)).toEqual([
    "speculative",
    "undisclosed",
  ]);
  expect([...page.querySelectorAll(".unresolved")].map(({ textContent }) => textContent)).toEqual([
    "[#eq:x]",
    "[[c:y]]",
  ]);
  expect(page.querySelector(".formula-error")?.textContent).toBe("\\frac{");
  expect(problems.map(({ rule }) => rule)).toEqual(["math.parse", "claim.unresolved"]);
});

test("renderDocumentPage() takes values and works from its resolvers", async () => {
  const { page, problems } = await render(
    "[0.7]{#c:a} [[c:b]] [#c:b] [see @k, p. 2; @none] @k 2310.12823 ![n](a/b.png)",
    {
      resolveClaim: (id) => ({ text: "0.9", status: "exact_match", href: `#${id}`, note: "from a run" }),
      resolveCitation: ({ key }) => (key === "k" ? { text: "Kim 2024", href: "#ref-k" } : undefined),
      resolveExternalId: (_scheme, id) => ({ text: id, href: `#ref-${id}` }),
      loadImage: () => ({ bytes: new Uint8Array([1, 2]), mediaType: "image/png" }),
    },
  );
  expect(
    [...page.querySelectorAll(".claim")].map((claim) => [
      claim.textContent,
      claim.getAttribute("data-status"),
      claim.getAttribute("href"),
    ]),
  ).toEqual([
    ["0.7", "exact_match", "#c:a"],
    ["0.9", "exact_match", "#c:b"],
  ]);
  expect([...page.querySelectorAll(".cite")].map(({ textContent }) => textContent)).toEqual([
    "[see Kim 2024, p. 2; @none]",
    "Kim 2024",
  ]);
  expect(page.querySelector(".external")?.getAttribute("href")).toBe("#ref-2310.12823");
  expect(page.querySelector("main img")?.getAttribute("src")).toBe("data:image/png;base64,AQI=");
  expect(problems).toEqual([]);
});

test("renderDocumentPage() shows its verdicts, keeps old anchors and links translations", async () => {
  const { page } = await render("## A\n\nb", {
    verdicts: {
      overall: "REVIEW_UNAVAILABLE",
      stages: [{ stage: "lint", verdict: "PASS", reason: "clean" }],
      date: "2026-01-02",
      auditHref: "a.audit.html",
      deferred: ["later"],
    },
    oldAnchors: { old: "a" },
    translations: [{ lang: "vi", name: "Tiếng Việt", href: "a.vi.html" }],
  });
  expect(page.querySelector(".verdicts")?.textContent).toMatch(/REVIEW_UNAVAILABLE[^]*2026-01-02[^]*lint[^]*later/);
  expect(page.querySelector("#old")).not.toBeNull();
  expect(page.querySelector('[hreflang="vi"]')?.getAttribute("href")).toBe("a.vi.html");
});

test.each([
  ["python", "def f(x):\n    return x < 1 & 2  # 中文\n"],
  ["ts", "const a: string = `</code>${1}`;\n\n\n"],
  ["json", '{ "a": [1, null] }'],
  ["nonsense", "a <b> & c"],
  ["", "plain &amp; text"],
])("renderDocumentPage() keeps %s code byte for byte", async (language, code) => {
  const { page } = await render(`\`\`\`${language}\n${code}\n\`\`\``);
  expect(page.querySelector("pre code")?.textContent).toBe(code);
});

test("renderDocumentPage() shows cells beyond the head of a table", async () => {
  const { page } = await render("|a|b|\n|-|-|\n|1|2|3|\n|4|");
  expect([...page.querySelectorAll("tr")].map((row) => row.querySelectorAll("td, th").length)).toEqual([2, 3, 2]);
});

test("renderDocumentPage() numbers what has a label, where readers look for it", async () => {
  const { page } = await render(
    "Rates {#tbl:a}\n\n|a|b|\n|-|-|\n|1|2|\n\n|a|b|\n|-|-|\n|1|2|\n\n{#tbl:b}\n\n![x](y.png){#fig:c}\n\n$$x$$ {#eq:d}",
  );
  expect([...page.querySelectorAll(".number")].map(({ textContent }) => textContent)).toEqual([
    "Table\u00A01. ",
    "Table\u00A02",
    "Figure\u00A01. ",
    "(1)",
  ]);
  expect(page.querySelector("p.caption")?.textContent).toBe("Table\u00A01. Rates");
});
