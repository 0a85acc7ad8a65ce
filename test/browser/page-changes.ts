import { readPageDigests } from "../../src/publish/index.js";

/** A path of one machine, as pages must not hold it; put together here, since sources must not hold one either. */
const homeFolder = ["", "home", "mli"].join("/");

/** Returns a page with the digest that its body has now, so that an edit shows by itself alone. */
export function reseal(html: string): string {
  const { bodySha256 = "", actualBodySha256 = "" } = readPageDigests(html);
  return html.replace(bodySha256, actualBodySha256);
}

/** Replaces text that must be there. */
export function edit(html: string, search: string | RegExp, replacement: string): string {
  const edited = html.replace(search, () => replacement);
  if (edited === html) throw new Error(`Nothing to replace: ${String(search)}`);
  return edited;
}

/** One change with the checks it must flip and what they must say; nothing else may be said. */
export interface Change {
  readonly name: string;
  readonly flips: { readonly [id: string]: RegExp };
  readonly make: (text: string) => string;
}
const css = (rules: string) => (html: string) => edit(html, "</style>", `${rules}</style>`);
const before = (mark: string, added: string) => (html: string) => edit(html, mark, `${added}${mark}`);

/**
 * Edits of the finished page, put on one page in groups. A check that flips must name the edit, and each of its
 * findings must be one that an edit of the group stands for: an edit that flipped a check of another would show.
 */
export const edits: readonly (readonly Change[])[] = [
  [
    {
      name: "a deleted paragraph",
      flips: { R01: /The block p:\d+ is not on the page/ },
      make: (html) => edit(html, /<p data-block="p:\d+"[^>]*>Between the lists[^]*?<\/p>/, ""),
    },
    {
      name: "another start of a list",
      flips: { R02: /starts at 5, in the source at 4/ },
      make: (html) => edit(html, 'start="4"', 'start="5"'),
    },
    {
      name: "another language of code",
      flips: { R03: /has the class "language-ruby", not "language-python"/ },
      make: (html) => edit(html, "language-python", "language-ruby"),
    },
    {
      name: "an unknown element",
      flips: { R06: /<x-rule> is not allowed/ },
      make: before("<hr", "<x-rule></x-rule>"),
    },
    {
      name: "a placeholder in an attribute",
      flips: { R07: /"{{title}}"/ },
      make: (html) => edit(html, "<hr", '<hr title="{{title}}"'),
    },
    {
      name: "a byline twice",
      flips: { R08: /shown 2 times/ },
      make: before('<span class="author">', '<span class="author">The maintainers</span>'),
    },
    {
      name: "a path in a comment",
      flips: { R10: /A path below "\/home\/"/ },
      make: before("<hr", `<!-- made in ${homeFolder}/pages -->`),
    },
    {
      name: "a broken link in the contents",
      flips: { R13: /2-1-answers/ },
      make: (html) => edit(html, '<a href="#2-1-questions">', '<a href="#2-1-answers">'),
    },
    {
      name: "a link to a file that is not there",
      flips: { R15: /no file beside the page: limits.html/ },
      make: (html) => edit(html, 'href="https://example.org/limits"', 'href="limits.html"'),
    },
    {
      name: "an image on another site",
      flips: { R19: /example.org\/a.png/ },
      make: before("<hr", '<img src="https://example.org/a.png" alt="">'),
    },
    {
      name: "words too pale to read",
      flips: { R22: /color-contrast/ },
      make: css(".subtitle{color:#bbb!important}"),
    },
    {
      name: "a table that print cuts",
      flips: { R24: /Print cuts \d+ pixels off/ },
      make: css("@media print{table{min-width:70rem}.scroll{overflow:hidden}}"),
    },
  ],
  [
    {
      name: "two swapped cells",
      flips: { R01: /The text of tbl:1 differs: row 2 differs/ },
      make: (html) =>
        edit(
          html,
          /<td align="right">4<\/td>\s*<td align="right">0\.31<\/td>/,
          '<td align="right">0.31</td><td align="right">4</td>',
        ),
    },
    {
      name: "something over the summaries",
      flips: { R05: /Something lies over the summary/ },
      make: (html) =>
        css("#cover{position:fixed;inset:0;max-width:none;z-index:5}")(
          edit(html, "</main>", '<div id="cover"></div></main>'),
        ),
    },
    {
      name: "a handler",
      flips: { R06: /"onclick" of <hr> is not allowed/ },
      make: (html) => edit(html, "<hr", '<hr onclick="alert(1)"'),
    },
    {
      name: "another subtitle",
      flips: { R09: /The subtitle is "What any limit/ },
      make: (html) => edit(html, '"subtitle">What a limit', '"subtitle">What any limit'),
    },
    {
      name: "a contact in an attribute",
      flips: { R11: /an e-mail address/ },
      make: (html) => edit(html, "<hr", '<hr title="li.ming@uni.edu"'),
    },
    {
      name: "an edit by hand",
      flips: { R14: /The body was edited after it was made/ },
      make: (html) => edit(html, "<hr", "<hr "),
    },
    {
      name: "Markdown in the foot",
      flips: { R16: /Source\*\*/ },
      make: (html) => edit(html, "<footer>", "<footer>**Source** "),
    },
    {
      name: "an id that is there twice",
      flips: { R18: /"2-1-questions" is there twice/ },
      make: (html) => edit(html, "<hr", '<hr id="2-1-questions"'),
    },
    {
      name: "a block that sticks out",
      flips: { R21: /pixels (?:wide in a window of \d+|it sticks out by \d+)/ },
      make: css("footer{min-width:90rem}@media print{footer{min-width:0}}"),
    },
    {
      name: "text that needs the script",
      flips: { R23: /The block h:\d+ cannot be seen without scripts/ },
      make: css("@media (scripting:none){#tw-main h3{display:none}}"),
    },
    {
      name: "a focus that cannot be seen",
      flips: { R25: /The focus on it cannot be seen/ },
      make: css("#tw-main a:focus-visible{outline:none}"),
    },
  ],
  [
    // A display is a block too: the comparison of blocks, the count of formulas and the other language all miss it.
    {
      name: "a dropped equation",
      flips: {
        R01: /The block eq:\d+ is not on the page/,
        R03: /display_math: 1 on the page, 2/,
        R30: /display_math: 1/,
      },
      make: (html) =>
        edit(html, /<div class="eq" data-block="eq:\d+"[^>]*><div class="eq-body">[^]*?<\/div><\/div>/, ""),
    },
    {
      name: "a part that was open",
      flips: { R05: /It is closed at first/ },
      make: (html) => edit(html, "<details open data-block", "<details data-block"),
    },
    {
      name: "a looser policy",
      flips: { R06: /The policy allows \* for connect-src/ },
      make: (html) => edit(html, "default-src 'none'", "default-src 'none'; connect-src *"),
    },
    {
      name: "another language",
      flips: { R17: /"zh"/, R30: /does not lead to this one/ },
      make: (html) => edit(html, '<html lang="en">', '<html lang="zh">'),
    },
    {
      name: "an entry that does not lead back",
      flips: { R28: /smith2024 does not lead back/ },
      make: (html) => edit(html, 'href="#tw-use-smith2024"', 'href="#tw-main"'),
    },
    {
      name: "a verdict of its own",
      flips: { R29: /says PASS, the audit WARN/ },
      make: (html) => edit(html, 'data-verdict="WARN"', 'data-verdict="PASS"'),
    },
    {
      name: "blocks that overlap",
      flips: { R32: /it lies (?:over|outside)/ },
      make: css("#tw-main h3{margin-top:-3rem!important}"),
    },
  ],
  [
    {
      name: "another number",
      flips: { R01: /"[^"]*0\.743/, R27: /The page shows 0\.743 for c:rate, the source 0\.742/ },
      make: (html) => edit(html, ">0.742</a>", ">0.743</a>"),
    },
    {
      name: "a cell too many",
      flips: { R01: /5 rows instead of 4/, R03: /Row 5 has 1 cells, the header 4/ },
      make: before("</tbody>", "<tr><td></td></tr>"),
    },
    {
      name: "a callout of another kind",
      flips: { R04: /^(?:warn: 0|bad: 2)/, R30: /^callouts (?:warn: 0|bad: 2)/ },
      make: (html) => edit(html, 'class="callout warn"', 'class="callout bad"'),
    },
    {
      name: "an unsafe address",
      flips: { R06: /"javascript:" of href/ },
      make: (html) => edit(html, 'href="https://example.org/limits"', 'href="java&#10;script:alert(1)"'),
    },
    {
      name: "a script of its own",
      flips: { R06: /A script is not named by the policy/ },
      make: before('<div class="sheet">', "<script>self.x = 1</script>"),
    },
  ],
];

/** Faults of the source, which the page shows faithfully. */
export const faults: readonly (readonly Change[])[] = [
  [
    {
      name: "a callout without a body",
      flips: { R04: /A callout has no body/ },
      make: (source) => edit(source, "> ⚠️ **Careful**: never compare two budgets.", "> ⚠️ **Careful**"),
    },
    {
      name: "a placeholder",
      flips: { R07: /"{{term}}"/ },
      make: (source) => edit(source, "What it means.", "What {{term}} means."),
    },
    {
      name: "a glued heading",
      flips: { R12: /Text is glued to "2.1"/ },
      make: (source) => edit(source, "### 2.1 Questions", "### 2.1Questions"),
    },
    {
      name: "emphasis that was not read",
      flips: { R16: /\*\* the task/ },
      make: (source) => edit(source, "1. read the task", "1. read ** the task"),
    },
  ],
  [
    {
      name: "an absolute path",
      flips: { R10: /A path below "\/home\/"/ },
      make: (source) => edit(source, "What it means.", `It lies in ${homeFolder}/runs.`),
    },
    {
      name: "a number left out",
      flips: { R13: /3 follows 1/ },
      make: (source) => edit(source, "## 2. What", "## 3. What").replace("### 2.1", "### 3.1"),
    },
    {
      name: "prose in another script",
      flips: { R17: /written in "zh"/ },
      make: (source) => edit(source, "Press <kbd>", `${"这是一个用来说明预算的很长的中文段落。".repeat(40)} <kbd>`),
    },
  ],
];
