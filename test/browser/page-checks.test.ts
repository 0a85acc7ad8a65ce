import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sha256 } from "../../src/core/index.js";
import {
  checkPage,
  lintDocument,
  loadAxe,
  loadPythonParser,
  openRenderBrowser,
  parseDocument,
  renderChecks,
  renderDocumentPage,
  type CheckPageOptions,
  type RenderBrowser,
  type RenderDetails,
} from "../../src/publish/index.js";
import { hasChromium, missingChromium } from "./find-chromium.js";
import { goodSource, makePage, type GoodPage } from "./good-page.js";
import { edit, edits, faults, reseal, type Change } from "./page-changes.js";

if (!hasChromium()) process.stdout.write(`Render checks are not tested: ${missingChromium}\n`);

const corpus = fileURLToPath(new URL("../../../shared/real-data/aris-tutorials/", import.meta.url));
if (!existsSync(corpus)) process.stdout.write(`Render checks are not tested on the corpus: "${corpus}" is not there\n`);

function listNotPassed({ checks }: RenderDetails): { readonly [id: string]: string } {
  return Object.fromEntries(Object.entries(checks).filter(([, status]) => status !== "pass"));
}

describe.skipIf(!hasChromium())("checkPage()", () => {
  let browser: RenderBrowser;
  let good: GoodPage;
  const axe = loadAxe();

  beforeAll(async () => {
    const opened = await openRenderBrowser({ environment: process.env });
    if (!("browser" in opened)) throw new Error(opened.message);
    browser = opened;
    good = await makePage();
  });
  afterAll(() => browser?.close());

  const check = async (html: string, options: CheckPageOptions = good.options) =>
    (await checkPage(browser, html, { ...options, axe })).artefact;

  test("all 32 checks pass on a page that holds everything", async () => {
    const { artefact, pictures } = await checkPage(browser, good.html, { ...good.options, axe });
    expect(listNotPassed(artefact.details)).toEqual({});
    expect(artefact).toMatchObject({ stage: "render", verdict: "PASS", reason_code: "checks-pass", level: "draft" });
    expect(Object.keys(artefact.details.check_details)).toEqual(renderChecks.map(({ id }) => id));
    expect(pictures.map(({ path }) => path).sort()).toEqual(
      ["first-narrow", "first-wide", "longest-equation", "widest-table"].map((name) => `screens/${name}.png`),
    );
  });

  /** Returns which checks flipped, what they say of no change, and which changes they do not name. */
  function compareFlips({ checks, check_details: all }: RenderDetails, changes: readonly Change[]) {
    const flipped = Object.keys(checks).filter((id) => checks[id] !== "pass");
    const unnamed: string[] = [];
    const strange: string[] = [];
    for (const id of flipped) {
      const messages = all[id].locations.map(({ message }) => message);
      const due = changes.filter(({ flips }) => flips[id] !== undefined);
      strange.push(...messages.filter((message) => !due.some(({ flips }) => flips[id].test(message))));
      unnamed.push(
        ...due.filter(({ flips }) => !messages.some((text) => flips[id].test(text))).map(({ name }) => name),
      );
    }
    return { flipped, strange, unnamed };
  }

  function getExpectedFlips(changes: readonly Change[]) {
    const flipped = [...new Set(changes.flatMap(({ flips }) => Object.keys(flips)))].sort();
    return { flipped, strange: [], unnamed: [] };
  }

  test.each(edits.map((changes) => ({ names: changes.map(({ name }) => name).join(", "), changes })))(
    "each flips its own checks: $names",
    async ({ changes }) => {
      const edited = changes.reduce((html, { make }) => make(html), good.html);
      const isByHand = changes.some(({ flips }) => flips["R14"] !== undefined);
      const { details } = await check(isByHand ? edited : reseal(edited));
      expect(compareFlips(details, changes)).toEqual(getExpectedFlips(changes));
    },
  );

  test.each(faults.map((changes) => ({ names: changes.map(({ name }) => name).join(", "), changes })))(
    "each fault of the source flips its own check: $names",
    async ({ changes }) => {
      const { html, options } = await makePage(changes.reduce((source, { make }) => make(source), goodSource));
      const { details } = await check(html, options);
      expect(compareFlips(details, changes)).toEqual(getExpectedFlips(changes));
    },
  );

  test("what a page is compared with flips the check that compares it", async () => {
    const changed = parseDocument(`${goodSource}\n`, { file: "budgets.md" });
    const { details, verdict } = await check(good.html, {
      ...good.options,
      document: changed,
      renderings: [good.html, `${good.html} `],
      previousIds: ["an-old-heading"],
      claims: [
        { id: "c:rate", text: "0.742" },
        { id: "c:runs", text: "121" },
      ],
      maxBytes: 1000,
      pairHtml: edit(good.options.pairHtml ?? "", /<h4[^]*?<\/h4>/, ""),
    });
    expect(listNotPassed(details)).toEqual({
      R14: "fail",
      R18: "fail",
      R19: "fail",
      R27: "warn",
      R29: "warn",
      R30: "warn",
      R31: "warn",
    });
    expect(verdict).toBe("FAIL");
  });

  test("faults of quality warn at draft, fail at release; undecided checks keep a release back", async () => {
    const html = reseal(edit(good.html, "</style>", ".subtitle{color:#bbb!important}</style>"));
    expect(await check(html)).toMatchObject({ verdict: "WARN", details: { checks: { R22: "warn" } } });
    const release: CheckPageOptions = { ...good.options, level: "release" };
    expect(await check(html, release)).toMatchObject({ verdict: "FAIL", details: { checks: { R22: "fail" } } });
    const { artefact } = await checkPage(browser, good.html, { ...release, axe: undefined });
    expect(artefact).toMatchObject({
      verdict: "BLOCKED",
      reason_code: "checks-undecided",
      details: { checks: { R22: "unknown" } },
    });
  });

  test("a waiver of lint holds for the page", async () => {
    const source = edit(
      goodSource,
      "What it means.",
      `It lies in ${["", "home", "mli"].join("/")}/runs. <!-- lint-allow privacy.path: an example -->`,
    );
    const { html, options } = await makePage(source);
    expect(listNotPassed((await check(html, options)).details)).toEqual({});
  });

  test("a page without its source is judged as far as it goes", async () => {
    const { document: _document, renderings: _renderings, ...alone } = good.options;
    const { verdict, details } = await check(good.html, alone);
    const undecided = Object.keys(listNotPassed(details));
    expect(undecided).toEqual(["R01", "R02", "R03", "R04", "R08", "R09", "R13", "R14", "R17", "R31"]);
    expect(new Set(undecided.map((id) => details.checks[id]))).toEqual(new Set(["unknown"]));
    expect(verdict).toBe("WARN");
  });

  test.skipIf(!existsSync(corpus)).each(["agentic_rl", "attention", "flow_matching", "rlhf_dpo_grpo_ppo"])(
    "nothing is found on %s but what lint finds in its source",
    async (name) => {
      const source = gunzipSync(readFileSync(`${corpus}${name}_tutorial.md.gz`));
      const document = parseDocument(source, { file: `${name}.md` });
      const { html } = await renderDocumentPage(document);
      const generatedAt = "2026-01-02T00:00:00Z";
      const renderings = [html, (await renderDocumentPage(document)).html] as const;
      const { details } = await check(html, { document, level: "draft", generatedAt, inputHashes: {}, renderings });
      // The corpus has callouts that are a title alone, and headings glued to their labels.
      const rules = { R04: "callout.title-only", R12: "heading.glued" };
      const python = await loadPythonParser();
      const lint = lintDocument(
        { document, set: [document], level: "draft", python, userNames: [] },
        { rules: Object.values(rules), generatedAt },
      ).details.findings;
      const wanted = Object.entries(rules).filter(([, rule]) => lint.some(({ ruleId }) => ruleId === rule));
      const notPassed = Object.entries(listNotPassed(details)).filter(([, status]) => status !== "not_applicable");
      expect(notPassed).toEqual(wanted.map(([id]) => [id, "fail"]));
      const lines = (id: string) =>
        new Set(
          details.check_details[id].locations.flatMap(({ line }) =>
            line === undefined ? [] : [Number(line.split("-")[0])],
          ),
        );
      for (const [id, rule] of wanted)
        expect(lines(id)).toEqual(
          new Set(lint.filter(({ ruleId }) => ruleId === rule).map(({ place }) => place?.line)),
        );
      expect(details.output_sha256).toBe(`sha256:${sha256(html)}`);
    },
  );
});
