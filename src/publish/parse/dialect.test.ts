import { describe, expect, test } from "vitest";
import type { Block } from "../document.js";
import { parseDocument } from "./parse-document.js";

/** A block as `type text`, indented below what holds it. */
function outline(markdown: string): string[] {
  const { blocks } = parseDocument(markdown, { file: "a.md" });
  const depths = new Map<string, number>();
  return blocks.map(({ id, parent, type, text, callout, start, rows }: Block) => {
    const depth = parent === undefined ? 0 : (depths.get(parent) ?? 0) + 1;
    depths.set(id, depth);
    const kind = [type, callout, start].filter((part) => part !== undefined).join(" ");
    const isHolder = /^(?:list|item|quote|callout|details|figure)$/.test(type);
    const shown = rows === undefined ? text.replaceAll("\n", "⏎") : rows.map((row) => row.join("·")).join("⏎");
    return `${"  ".repeat(depth)}${kind}${isHolder || shown === "" ? "" : ` ${shown}`}`;
  });
}

const rulesOf = (markdown: string): string[] =>
  parseDocument(markdown, { file: "a.md" }).problems.map(({ rule }) => rule);

describe("formulas come before everything else", () => {
  test.each([
    ["a subscript with < is no tag", "$a_{<i}$ and $x<y>z$", ["paragraph $a_{<i}$ and $x<y>z$"]],
    ["marks of emphasis inside are TeX", "$a_1 * b$ and $c * d_2$", ["paragraph $a_1 * b$ and $c * d_2$"]],
    ["a one-line double dollar is a display", "$$x = y$$", ["math $$x = y$$"]],
    ["a display within a paragraph parts it", "so\n$$x$$\nthus", ["paragraph so", "math $$x$$", "paragraph thus"]],
    ["a display in the middle of a line too", "so $$x$$ thus", ["paragraph so", "math $$x$$", "paragraph thus"]],
    [
      "lines of a display may look like lists and quotes",
      "$$\na\n- b\n+ c\n= d\n> 0\n$$",
      ["math $$a⏎- b⏎+ c⏎= d⏎> 0$$"],
    ],
    ["a display may hold an empty line", "$$\na\n\nb\n$$", ["math $$a⏎⏎b$$"]],
    ["a display in a quote loses the quote marks", "> $$\n> a\n> - b\n> $$", ["quote", "  math $$a⏎- b$$"]],
    [
      "backslash brackets",
      "\\(a_b\\) c\n\n\\[\na < b\n\\]\n\n\\[x^2\\]",
      ["paragraph $a_b$ c", "math $$a < b$$", "math $$x^2$$"],
    ],
    ["escaped brackets round words stay", "see \\[note 1\\] here", ["paragraph see [note 1] here"]],
    ["spaces inside and a digit after are allowed", "$ x $ and $y$2", ["paragraph $x$ and $y$2"]],
    ["code wins where it begins first", "`$a$` and $b$", ["paragraph $a$ and $b$"]],
    ["a display in a table cell stays there", "| a |b|\n|-|-|\n| $$x$$ | y |", ["table a·b⏎$$x$$·y", "  math $$x$$"]],
  ])("%s", (_name, markdown, expected) => {
    expect(outline(markdown)).toEqual(expected);
  });

  test.each([
    ["Costs $5 and $10 a day", 0],
    ["Between $100-$200, or $5, $6", 0],
    ["It costs $5, where $x$ is free", 1],
    ["从 $5 涨到 $10，其中 $x$ 不变", 1],
    ["$5 for one, $x$ and $y$", 2],
    ["a \\$5 note and $x$", 1],
    ["$2n$ and $3$", 2],
    ["$8 \\times 2$4 and $1$", 2],
    ["一个 $ 符号", 0],
  ])("dollars of %j hold %i formulas", (markdown, count) => {
    const { inventory, blocks } = parseDocument(markdown, { file: "a.md" });
    expect(inventory.inline_math).toBe(count);
    if (count === 0) expect(blocks[0].text).toBe(markdown.replaceAll("\\$", "$"));
  });
});

describe("blocks of the dialect", () => {
  test.each([
    [
      "cells are parted outside formulas and code",
      "| $|x|$ | `a|b` |\n|---|---|\n| $\\|v\\|$ | `c\\|d` \\| |",
      ["table $|x|$·a|b⏎$\\|v\\|$·c|d |"],
    ],
    [
      "details without blank lines",
      "<details><summary>Q **$x<y$**</summary>\ntext `a`\n- b\n</details>",
      ["details", "  summary Q $x<y$", "  paragraph text a", "  list", "    item", "      paragraph b"],
    ],
    [
      "tags that are not allowed stay in a summary as text, and end with it",
      "<details><summary><b>Q</b></summary>a</details>",
      ["details", "  summary <b>Q</b>", "  paragraph a"],
    ],
    [
      "details with blank lines, and headings inside",
      "<details open>\n\n<summary>\n\n1. Q\n\n</summary>\n\n## H\n\n</details>\n\nend",
      ["details", "  summary 1. Q", "  heading H", "paragraph end"],
    ],
    [
      "details in a list",
      "- a\n  <details>\n  <summary>s</summary>\n  $$x$$\n  </details>\n- b",
      [
        "list",
        "  item",
        "    paragraph a",
        "    details",
        "      summary s",
        "      math $$x$$",
        "  item",
        "    paragraph b",
      ],
    ],
    [
      "a closing tag after a list closes",
      "<details>\n<summary>s</summary>\n\n- a\n</details>\n\nb",
      ["details", "  summary s", "  list", "    item", "      paragraph a", "paragraph b"],
    ],
    [
      "a closing tag within the last item closes too",
      "<details>\n<summary>s</summary>\n\n- a\n  </details>\n\nb",
      ["details", "  summary s", "  list", "    item", "      paragraph a", "paragraph b"],
    ],
    [
      "an emoji makes a callout with a title",
      "> ⚠️ **T `c` $x$** — body\n> - a",
      ["callout warn", "  paragraph body", "  list", "    item", "      paragraph a"],
    ],
    ["a callout without title keeps its bold start", "> ✅ **A** is b", ["callout good", "  paragraph A is b"]],
    ["alerts of GitHub", "> [!CAUTION]\n> a", ["callout bad", "  paragraph a"]],
    [
      "containers nest and hold lists",
      ":::tip Title\n- a\n\n:::warn\nb\n:::\n:::",
      ["callout good", "  list", "    item", "      paragraph a", "  callout warn", "    paragraph b"],
    ],
    [
      "a list keeps its start after a display",
      "1. a\n\n$$x$$\n\n2. b\n   $$y$$\n3. c",
      [
        "list 1",
        "  item",
        "    paragraph a",
        "math $$x$$",
        "list 2",
        "  item",
        "    paragraph b",
        "    math $$y$$",
        "  item",
        "    paragraph c",
      ],
    ],
    ["a fence in a quote", "> ```text\n> <details> $x$\n> ```", ["quote", "  code <details> $x$"]],
    ["indented code is left alone", "    $a$ <details>", ["code $a$ <details>"]],
    [
      "definition lists",
      "Term $x$\n: one\n: two\n\n    more\n\nOther\n: three",
      [
        "list",
        "  definition Term $x$",
        "  definition one",
        "    paragraph one",
        "  definition two⏎more",
        "    paragraph two",
        "    paragraph more",
        "  definition Other",
        "  definition three",
        "    paragraph three",
      ],
    ],
    [
      "footnotes stand at the end in the order of their mention",
      "[^b]: B $y$\n[^a]: A\n\nx[^a] y[^b]",
      ["paragraph x y", "footnote A", "  paragraph A", "footnote B $y$", "  paragraph B $y$"],
    ],
    ["an image alone is a figure", '![alt](a.png "Caption"){#fig:a}', ["figure"]],
    ["a setext heading", "A $x$\n===\n\nB\n---", ["heading A $x$", "heading B"]],
    ["comments are nowhere", "a <!-- b --> c\n\n<!-- d\n\ne -->\n\nf", ["paragraph a  c", "paragraph f"]],
    ["times and ratios are no directives", "at 10:30, Pass@K:T and a:b", ["paragraph at 10:30, Pass@K:T and a:b"]],
  ])("%s", (_name, markdown, expected) => {
    expect(outline(markdown)).toEqual(expected);
    expect(rulesOf(markdown).filter((rule) => rule.startsWith("details"))).toEqual([]);
  });
});

test.each(["**文字。**后文", "前**（注）**后", "**“引用”**说", "中文**$x$**中文", "**加粗：**text", "*强调*的字"])(
  "emphasis needs no space in Chinese: %s",
  (markdown) => {
    expect(parseDocument(markdown, { file: "a.md" }).blocks[0].text).not.toContain("*");
  },
);

describe("what cannot be taken as written stays visible and is reported", () => {
  test.each([
    ["html.escaped", 'a <b>x</b> <img src="x" onerror="y"> <script>z</script>'],
    ["details.unbalanced", "a\n\n</details>\n\nb"],
    ["details.unbalanced", "<details>\n<summary>a</summary>\n\nb"],
    ["callout.unknown-mark", "> 📍 a"],
    ["callout.unknown-container", ":::strange\na\n:::"],
    ["math.unclosed", "$$ a\n\nb"],
    ["comment.unclosed", "a <!-- b"],
    ["footnote.undefined", "a[^b]"],
    ["footnote.unused", "a\n\n[^b]: c"],
    ["footnote.duplicate", "x[^b]\n\n[^b]: c\n\n[^b]: d"],
    ["reference.unresolved", "see [#eq:none]"],
    ["reference.duplicate-label", "$$a$$ {#eq:x}\n\n$$b$$ {#eq:x}"],
    ["span.unknown-class", "[a]{.odd}"],
  ])("%s of %j", (rule, markdown) => {
    expect(rulesOf(markdown)).toContain(rule);
    const shown = parseDocument(markdown, { file: "a.md" })
      .blocks.map(({ text }) => text)
      .join(" ");
    for (const word of markdown
      .replace(/\{[^}]*\}|\[\^b\]:?|\[#|<!--|[#:]?eq:\w+|<details>|summary/g, " ")
      .match(/\b[a-z]\w*\b/g) ?? []) {
      expect(shown).toContain(word);
    }
  });
});

test("parseDocument() gives every block its exact lines and source", () => {
  const markdown =
    '---\ntitle: T\n---\n\n# T\n\n> 💡 **A** — b\n> c\n\n- x\n\n  $$\n  y\n  $$\n\n```ts exec=run why="two words" #code:z\nz\n```\n';
  const { blocks, bodyLine } = parseDocument(markdown.replaceAll("\n", "\r\n"), { file: "a.md" });
  expect(bodyLine).toBe(4);
  expect(blocks.map(({ id, lineStart, lineEnd }) => `${id} ${lineStart}-${lineEnd}`)).toEqual([
    "h:1 5-5",
    "box:1 7-8",
    "p:1 7-8",
    "list:1 10-14",
    "li:1 10-14",
    "p:2 10-10",
    "eq:1 12-14",
    "code:z 16-18",
  ]);
  const code = blocks.at(-1);
  expect(code).toMatchObject({ language: "ts", code: "z", attributes: { exec: "run", why: "two words" } });
  expect(blocks.find(({ id }) => id === "eq:1")?.tex).toBe("y");
});

test("parseDocument() reads the same from lines that end otherwise", () => {
  const markdown =
    "# T\n\n> [!WARNING]\n> alert **b**\n\n> [!NOTE] Title\n> body\n\n> 💡 **Lead**\n> text\n\n```py\nx = 1\ny = 2\n```\n\n$$\na\nb\n$$\n\nOne\nTwo\n: Meaning\n\nA[^1]\n\n[^1]: Note\n";
  const read = (text: string) =>
    parseDocument(text, { file: "a.md" }).blocks.map(({ source: _source, text: shown, ...block }) => ({
      ...block,
      text: shown.replace(/\r\n?/g, "\n"),
    }));
  const expected = read(markdown);
  expect(expected.filter(({ type }) => type === "callout").map(({ text }) => text)).toEqual([
    "alert b",
    "Title\nbody",
    "Lead\ntext",
  ]);
  expect(read(markdown.replaceAll("\n", "\r\n"))).toEqual(expected);
  expect(read(markdown.replaceAll("\n", "\r"))).toEqual(expected);
});

test("parseDocument() anchors headings in every script and keeps them apart", () => {
  const { blocks } = parseDocument(
    "## 3.1　GRPO 的优势\n\n## Réseau & „Ω“\n\n## Same\n\n## Same\n\n## !!\n\n## Own {#same}\n\n#### tw-main",
    { file: "a.md" },
  );
  expect(blocks.map(({ anchor }) => anchor)).toEqual([
    "3-1-grpo-的优势",
    "réseau-ω",
    "same-2",
    "same-3",
    "section",
    "same",
    "s-tw-main",
  ]);
});

test("parseDocument() leaves headings of folded content out of the contents", () => {
  const { inventory } = parseDocument("## A\n\n<details><summary>s</summary>\n\n### B\n\n</details>\n\n### C", {
    file: "a.md",
  });
  expect(inventory).toMatchObject({ h2: 1, h3: 2, toc: 2 });
});

test("parseDocument() resolves labels of formulas, tables, figures, sections and code", () => {
  const { blocks, problems } = parseDocument(
    "## S {#sec:s}\n\n$$x$$ {#eq:a}\n\nCaption {#tbl:t}\n\n|a|b|\n|-|-|\n|1|2|\n\n![c](d.png){#fig:f}\n\n```js #code:j\n```\n\n[#sec:s], [#eq:a], [#tbl:t], [#fig:f], [#code:j]",
    { file: "a.md", lang: "en" },
  );
  expect(problems).toEqual([]);
  expect(blocks.at(-1)?.text).toBe("S, Equation\u00A0(1), Table\u00A01, Figure\u00A01, Listing\u00A01");
});

test("parseDocument() finds what cites and what is bound, and leaves addresses alone", () => {
  const { tree, inventory, blocks } = parseDocument(
    "[see @a, p. 3; -@b] and @c, me@x.org; [0.742]{#c:x} and [[c:y]]; arXiv:2310.12823v2, arXiv 2416.00001, 2411.02337, 10.1145/3292500.3330701; https://arxiv.org/abs/2401.10020 [l](2401.10020.md)",
    { file: "a.md" },
  );
  expect(inventory).toMatchObject({ citations: 3, arxiv_ids: 3 });
  const [paragraph] = tree.children;
  const types = paragraph.type === "paragraph" ? paragraph.children.map(({ type }) => type) : [];
  expect(types.filter((type) => type !== "text")).toEqual([
    "citation",
    "citation",
    "link",
    "boundNumber",
    "claimReference",
    "externalId",
    "externalId",
    "externalId",
    "externalId",
    "link",
    "link",
  ]);
  expect(blocks[0].text).toContain("0.742");
});

test("parseDocument() keeps the status of a statement", () => {
  const { tree } = parseDocument('[It works]{.speculative source="a talk"}', { file: "a.md" });
  expect(tree.children[0]).toMatchObject({
    children: [{ type: "span", status: "speculative", values: { source: "a talk" } }],
  });
});
