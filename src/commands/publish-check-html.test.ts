import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findChromium } from "../publish/index.js";
import { checkHtmlFiles, renderCheckText } from "./publish-check-html.js";
import { renderFiles } from "./publish-render.js";

const folder = mkdtempSync(join(tmpdir(), "turnwise-check-"));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const text = `---
id: guide
kind: page
lang: en
title: A guide
---

## 1. Basics

A text with $x < y$.

## 2. More

Some words more, on a line of their own.
`;
writeFileSync(at("guide.md"), text);
const now = () => new Date("2026-01-02T00:00:00Z");
const isMissing = findChromium(process.env) === undefined;
if (isMissing) process.stdout.write("checkHtmlFiles() is not tested with a browser: no Chromium was found\n");

test.each([
  {
    name: "where none is wanted",
    browser: "none",
    reason: "browser-missing",
    says: "No check ran: No browser was wanted",
  },
  // A program that is no browser.
  { name: "where it does not start", browser: process.execPath, reason: "browser-broken", says: "does not start" },
])("checkHtmlFiles() puts BLOCKED on record $name", async ({ browser, reason, says }) => {
  const out = at(reason);
  const checked = await checkHtmlFiles([at("guide.md")], { out, browser, now });
  const stored: unknown = JSON.parse(readFileSync(join(out, "guide.publish", "render.json"), "utf8"));
  expect(stored).toEqual(checked[0].artefact);
  expect(stored).toMatchObject({ stage: "render", verdict: "BLOCKED", reason_code: reason, level: "draft" });
  expect(new Set(Object.values(checked[0].artefact.details.checks))).toEqual(new Set(["unknown"]));
  expect(Object.keys(checked[0].artefact.audited_input_hashes)).toEqual(["guide.md", `${reason}/guide.html`]);
  expect(renderCheckText(checked)).toContain(says);
});

test.each([
  {
    name: "a source with a document",
    files: ["guide.md"],
    options: { source: "a.md" },
    message: /Cannot use --source with/,
  },
  { name: "a page with a page", files: ["a.html"], options: { html: "b.html" }, message: /Cannot use --html with/ },
  {
    name: "one page for two files",
    files: ["a.md", "b.md"],
    options: { html: "b.html" },
    message: /with several files/,
  },
  { name: "no file", files: [], options: {}, message: /Cannot go on without a file/ },
])("checkHtmlFiles() refuses $name", async ({ files, options, message }) => {
  await expect(checkHtmlFiles(files, options)).rejects.toThrow(message);
});

test("checkHtmlFiles() refuses a setting that does not exist", async () => {
  writeFileSync(at("publish.yaml"), "render:\n  max_size: 3\n");
  await expect(checkHtmlFiles([at("guide.md")], { config: at("publish.yaml") })).rejects.toThrow(
    /configuration ".*publish\.yaml"/,
  );
});

test.skipIf(isMissing)("checkHtmlFiles() keeps artefact and pictures, and finds what was edited by hand", async () => {
  const out = at("out");
  const [{ artefact, page, written }] = await checkHtmlFiles([at("guide.md")], { out, now });
  expect(artefact).toMatchObject({ verdict: "PASS", details: { checks: { R01: "pass", R14: "pass", R31: "pass" } } });
  for (const { path, bytes } of artefact.details.screenshots)
    expect(readFileSync(join(out, "guide.publish", path))).toHaveLength(bytes);
  expect(written).toHaveLength(2 + artefact.details.screenshots.length);
  writeFileSync(page, readFileSync(page, "utf8").replace("Some words more", "Some words less"));
  const edited = await checkHtmlFiles([page], { out, source: at("guide.md"), now });
  const { details, verdict } = edited[0].artefact;
  expect(verdict).toBe("FAIL");
  expect(Object.keys(details.checks).filter((id) => details.checks[id] === "fail")).toEqual(["R01", "R14"]);
  expect(renderCheckText(edited)).toMatch(/FAIL +R01 information_fidelity: 1 problem: The text of p:2 differs/);
  const [alone] = await checkHtmlFiles([page], { out, now });
  expect(alone.artefact.details.checks).toMatchObject({ R01: "unknown", R06: "pass", R14: "fail" });
  expect(JSON.parse(readFileSync(join(out, "guide.publish", "render.json"), "utf8"))).toEqual(edited[0].artefact);
});

test.skipIf(isMissing)(
  "checkHtmlFiles() passes footnotes on a page made again, parts folded in others, and any line ends",
  async () => {
    const markdown =
      "# Notes\n\nA[^1] and b[^b].\n\n[^1]: One.\n[^b]: Two.\n\n```py\nx = 1\ny = 2\n```\n\n> [!TIP]\n> Do.\n\n<details><summary>q</summary>\n\na\n\n<details><summary>r</summary>\n\nb\n\n</details>\n\n</details>\n";
    writeFileSync(at("notes.md"), markdown.replaceAll("\n", "\r\n"));
    const out = at("again");
    await renderFiles([at("notes.md")], { out });
    await renderFiles([at("notes.md")], { out });
    const [{ artefact }] = await checkHtmlFiles([at("notes.md")], { out, now });
    const { checks } = artefact.details;
    expect(Object.keys(checks).filter((id) => checks[id] !== "pass" && checks[id] !== "not_applicable")).toEqual([]);
  },
);
