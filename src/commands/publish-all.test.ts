import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { afterEach, expect, test } from "vitest";
import { stringify } from "yaml";
import { findChromium } from "../publish/index.js";
import { evalBudget } from "./eval-budget.js";
import { publishAll, renderPublishText, type PublishAllOptions } from "./publish-all.js";
import { auditDocument, gateFiles, verifyAudits } from "./publish-audit.js";
import { checkClaimFiles } from "./publish-claims.js";
import { renderFiles } from "./publish-render.js";
import { scanResidueFiles } from "./publish-residue.js";
import { reviewFile } from "./publish-review.js";
import { writeSite } from "./publish-site.js";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A reviewer that finds the wrong share wherever it stands. */
const reviewer = `let text="";process.stdin.on("data",(c)=>text+=c).on("end",()=>{
const packet=JSON.parse(text);
const isWrong=packet.pass==="claim"&&packet.documents[0].text.includes("99.9%");
console.log(JSON.stringify({schema:"review-response/1",pass:packet.pass,
coverage:packet.items.map(({id})=>({item:id,status:"checked",method:"read"})),
findings:isWrong?[{category:"number.share",severity:"major",location:{quote:{prefix:"",exact:"99.9%",suffix:""}},says:"99.9%",problem:"the run says otherwise",evidence:{kind:"artefact",detail:"estimate of the report",ref:"run/report/report.json"}}]:[]}));
});`;

/** A fixer that writes what the run says. */
const fixer = (
  share: string,
): string => `const fs=require("node:fs");let text="";process.stdin.on("data",(c)=>text+=c).on("end",()=>{
const {file,findings}=JSON.parse(text);
fs.writeFileSync(file,fs.readFileSync(file,"utf8").replaceAll("99.9%","${share}"));
console.log(JSON.stringify({schema:"review-fix/1",fixes:findings.map(({id})=>({finding:id,summary:"share as in the run",before:["99.9%"],after:"${share}"}))}));
});`;

const ledger = {
  version: 1,
  claims: [
    { id: "c:tasks", kind: "count", inputs: [{ artefact: "run/report/report.json", select: "/runs/0/taskCount" }] },
    {
      id: "c:rate",
      kind: "value",
      inputs: [{ artefact: "run/report/report.json", select: "/surfaces/0/cells/0/estimate/value" }],
      display: { decimals: 1, percent: true },
    },
  ],
};

const report = (share: string): string => `---
id: report
kind: report
lang: en
title: How often a small policy opens the vault
date: 2030-01-01
evidence: [run]
---

# How often a small policy opens the vault

## 1 Summary

In [6]{#c:tasks} tasks the policy succeeds in [${share}]{#c:rate} of the tries.

## 2 Method

Each task is tried twice under the smaller turn budget, and the mean over tasks is reported.

## 3 Results

| budget | success |
|---|---|
| small | [${share}]{#c:rate} |

## 4 Limits

The tasks are made by a program.
`;

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "turnwise-all-"));
  folders.push(folder);
  return folder;
}

async function setUp(share = "99.9%") {
  const folder = createFolder();
  const at = (name: string): string => join(folder, name);
  await evalBudget({
    env: "vault",
    budgets: [2, 4],
    taskCount: 6,
    samples: 2,
    policies: ["scripted:base"],
    output: at("run"),
    replicates: 100,
  });
  const read = JSON.parse(readFileSync(at("run/report/report.json"), "utf8")) as {
    surfaces: { cells: { estimate: { value: number } }[] }[];
  };
  const right = `${(read.surfaces[0].cells[0].estimate.value * 100).toFixed(1)}%`;
  const file = at("report.md");
  writeFileSync(file, report(share === "right" ? right : share));
  writeFileSync(at("claims.yaml"), stringify(ledger));
  writeFileSync(at("reviewer.cjs"), reviewer);
  writeFileSync(at("fixer.cjs"), fixer(right));
  writeFileSync(
    at("config.yaml"),
    stringify({
      parties: { author: { id: "ann", family: "human" }, arbiter: { id: "kim", family: "human" } },
      experiment: { evaluation_type: "simulation_only" },
    }),
  );
  let clock = Date.parse("2030-01-01T00:00:00Z");
  const options: PublishAllOptions = {
    out: at("out"),
    config: at("config.yaml"),
    now: () => new Date((clock += 1000)),
    environment: process.env,
    backend: "command",
    command: `"${execPath}" "${at("reviewer.cjs")}"`,
    reviewerFamily: "qwen",
    timeoutSeconds: 30,
    browser: "none",
  };
  const readStage = (stage: string) =>
    JSON.parse(readFileSync(at(`out/report.publish/${stage}.json`), "utf8")) as {
      verdict: string;
      reason_code: string;
    };
  return { folder, at, file, right, options, readStage };
}

const stagesOf = async (file: string, options: PublishAllOptions) => {
  const { documents } = await gateFiles([file], { ...options, isRecorded: false });
  return Object.fromEntries(documents[0].stages.map(({ stage, verdict }) => [stage, verdict]));
};

test("a report over our own run in which one number is wrong: found, fixed, residue scanned, PASS", async () => {
  const { at, file, right, options, readStage } = await setUp();
  const wrong = await publishAll([file], { ...options, backend: "none" });
  expect(wrong.exitCode).toBe(1);
  expect(readStage("claims")).toMatchObject({ verdict: "FAIL", reason_code: "number-mismatch" });
  expect(readFileSync(at("out/report.claims.html"), "utf8")).toContain("number_mismatch");
  const mended = await publishAll([file], {
    ...options,
    isLoop: true,
    fixerCommand: `"${execPath}" "${at("fixer.cjs")}"`,
  });
  expect(readFileSync(file, "utf8")).toBe(report(right));
  expect(readStage("claims")).toMatchObject({ verdict: "PASS", reason_code: "reconciled" });
  expect(readStage("content")).toMatchObject({ verdict: "PASS" });
  expect(mended.exitCode, renderPublishText(mended)).toBe(0);
  const [scan] = await scanResidueFiles([], { ...options, isAll: true });
  expect(scan).toMatchObject({ id: "report", isClean: true });
  const { audit } = await auditDocument(file, options);
  expect(audit.findings).toMatchObject([{ category: "number.share", state: "verified" }]);
  expect(audit.experiment_audit).toMatchObject({ claims: [{ id: "c:tasks" }, { id: "c:rate" }] });
  const [verified] = await verifyAudits(at("out"));
  expect(verified.problems).toEqual([]);
}, 60_000);

test("publishAll() leaves an artefact of every stage, a page with its verdicts, and a message for whoever commits", async () => {
  const { at, file, options } = await setUp("right");
  const result = await publishAll([file], { ...options, backend: "none" });
  expect(
    readdirSync(at("out/report.publish"))
      .filter((name) => name.endsWith(".json") && name !== "anchors.json")
      .sort(),
  ).toEqual(
    ["citations", "claims", "code", "content", "experiment", "lint", "render", "result_to_claim"].map(
      (name) => `${name}.json`,
    ),
  );
  const page = readFileSync(at("out/report.html"), "utf8");
  expect(page).toContain('data-stage="content"><span class="verdict review_unavailable"');
  expect(page).toContain('href="report.audit.html"');
  expect(page).toContain('href="#tw-claim-rate"');
  expect(page).toContain('id="tw-claim-rate" data-evidence="c:rate" data-status="rounding_ok"');
  expect(result.commitMessage).toMatch(/^Publish report: gate open at draft\n\nreport: lint /);
  expect(existsSync(at(".git"))).toBe(false);
  const again = await publishAll([file], { ...options, backend: "none" });
  expect(again.commitMessage).toBe(result.commitMessage);
  expect(readFileSync(at("out/report.html"), "utf8")).toBe(page);
  const release = await publishAll([file], { ...options, backend: "none", level: "release" });
  expect(release.exitCode).toBe(1);
  expect(release.documents[0].gate.blocking).toContainEqual({
    stage: "content",
    verdict: "REVIEW_UNAVAILABLE",
    reason_code: "reviewer-missing",
  });
}, 60_000);

test("one byte of the source changed after review makes every stage STALE, and the claims of a changed artefact FAIL", async () => {
  const { at, file, options } = await setUp("right");
  await publishAll([file], options);
  const before = await stagesOf(file, options);
  expect(before).toMatchObject({ lint: "PASS", claims: "PASS", content: "PASS" });
  const source = readFileSync(file, "utf8");
  writeFileSync(file, source.replace("is reported", "is reportex"));
  const stale = await stagesOf(file, options);
  expect(
    Object.entries(before)
      .filter(([, verdict]) => verdict !== "STALE")
      .map(([stage]) => [stage, stale[stage]]),
  ).toEqual(Object.keys(before).map((stage) => [stage, "STALE"]));
  writeFileSync(file, source);
  expect(await stagesOf(file, options)).toEqual(before);
  const page = at("out/report.html");
  const html = readFileSync(page, "utf8");
  writeFileSync(page, html.replace("made by a program", "made by hand"));
  expect(await stagesOf(file, options)).toEqual({ ...before, render: "STALE" });
  expect((await verifyAudits(at("out")))[0].problems.map(({ kind }) => kind)).toContain("output");
  writeFileSync(page, html);
  const path = at("run/report/report.json");
  const changed = JSON.parse(readFileSync(path, "utf8")) as {
    surfaces: { cells: { estimate: { value: number } }[] }[];
  };
  changed.surfaces[0].cells[0].estimate.value += 0.1;
  writeFileSync(path, JSON.stringify(changed));
  expect(await stagesOf(file, options)).toMatchObject({ claims: "STALE", lint: "PASS" });
  const [{ artefact }] = await checkClaimFiles([file], { out: options.out });
  expect(artefact).toMatchObject({ verdict: "FAIL", reason_code: "number-mismatch" });
  expect(
    artefact.details.claims
      .filter(({ status }) => !["exact_match", "rounding_ok"].includes(status))
      .map(({ id }) => id),
  ).toEqual(["c:rate"]);
}, 60_000);

test("a review on record stays when everything is run again without a reviewer", async () => {
  const { file, options } = await setUp("right");
  await publishAll([file], options);
  await publishAll([file], { ...options, backend: "none" });
  expect(await stagesOf(file, options)).toMatchObject({ content: "PASS" });
  expect((await auditDocument(file, options)).audit.math_code_review?.rounds).toHaveLength(1);
}, 60_000);

test("writeSite() links documents, translations and records, and finds words of every language in the index", async () => {
  const folder = createFolder();
  const out = join(folder, "site");
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const head = (more: string): string => `---\nkind: page\n${more}\n---\n\n`;
  write("a.md", `${head("id: a\nlang: en\ntitle: Budgets")}# Budgets\n\n## One budget\n\nSee [the other](c.md#two).\n`);
  write(
    "a.zh.md",
    `${head("id: a-zh\nlang: zh\ntitle: 预算\ntranslation_of: a")}# 预算\n\n## 一个预算\n\n见[另一篇](c.md)。\n`,
  );
  write("c.md", `${head("id: c\nlang: en\ntitle: Other")}# Other\n\n## Two\n\nWords & <signs>.\n`);
  const site = await writeSite([folder], { out, title: "Our <docs>", now: () => new Date("2030-01-01T00:00:00Z") });
  const read = (name: string): string => readFileSync(join(out, name), "utf8");
  expect(site.documents.map(({ id, gate }) => [id, gate])).toEqual([
    ["a", "closed"],
    ["a-zh", "closed"],
    ["c", "closed"],
  ]);
  expect(read("a.html")).toContain('<a href="a-zh.html" lang="zh" hreflang="zh" rel="alternate">中文</a>');
  expect(read("a-zh.html")).toContain('<a href="a.html" lang="en" hreflang="en" rel="alternate">English</a>');
  expect(read("a.html")).toContain('href="c.html#two"');
  expect(read("assurance.html")).toContain("MISSING");
  expect(read("corpus.html")).toContain("3 documents");
  const index = read("index.html");
  expect(index).toContain("Our &lt;docs&gt;");
  expect(index.match(/<\/script>/g)).toHaveLength(1);
  expect(index).not.toMatch(/(?:src|href)="https?:/);
  for (const { written } of [site]) for (const path of written) expect(existsSync(path), path).toBe(true);
  await expect(writeSite([join(folder, "a.md"), join(folder, "index.md")], { out })).rejects.toThrow("index.md");
});

test("renderFiles() gives the same bytes twice and says what it cannot show", async () => {
  const folder = createFolder();
  const file = join(folder, "a.md");
  writeFileSync(file, "---\nid: a\nkind: page\nlang: en\n---\n\n# A\n\n[[c:none]] and ![x](none.png).\n");
  const [first] = await renderFiles([file], { out: join(folder, "out") });
  const [second] = await renderFiles([file], { out: join(folder, "out") });
  expect(second).toEqual(first);
  expect(first.problems.map(({ rule }) => rule).sort()).toEqual(["claim.unresolved", "image.missing"]);
});

test("renderFiles() keeps links to earlier headings alive", async () => {
  const folder = createFolder();
  const file = join(folder, "a.md");
  const options = { out: join(folder, "out") };
  const render = async (...titles: string[]) => {
    writeFileSync(
      file,
      `---\nid: a\nkind: page\nlang: en\n---\n\n# A\n\n${titles.map((title) => `## ${title}\n\nText.\n`).join("\n")}`,
    );
    await renderFiles([file], options);
    return readFileSync(join(options.out, "a.html"), "utf8");
  };
  await render("One", "Two");
  const renamed = await render("One", "Second");
  expect(renamed).toMatch(/<h2 id="second"[^>]*><span[^>]*id="two"[^>]*><\/span>Second<\/h2>/);
  expect(await render("One", "Second")).toBe(renamed);
});

test("renderFiles() keeps links to an earlier page alive whose ledger is gone", async () => {
  const folder = createFolder();
  const file = join(folder, "page.md");
  const text = "---\nid: page\nkind: page\nlang: en\ntitle: A\n---\n\n# A\n\n## First part\n\nx\n\n## Last\n\ny\n";
  writeFileSync(file, text);
  const [{ page }] = await renderFiles([file], { out: folder });
  rmSync(join(folder, "page.publish"), { recursive: true });
  writeFileSync(file, text.replace("First part", "Opening"));
  await renderFiles([file], { out: folder });
  const html = readFileSync(page, "utf8");
  expect(html).toMatch(/id="first-part"/);
  await renderFiles([file], { out: folder });
  expect(readFileSync(page, "utf8")).toBe(html);
});

const hasBrowser = findChromium(process.env) !== undefined;
if (!hasBrowser) process.stdout.write("publishAll() is not tested with a browser: no Chromium was found\n");

test.skipIf(!hasBrowser)(
  "publishAll() holds a page against the one that readers know",
  async () => {
    const folder = createFolder();
    const file = join(folder, "page.md");
    const text = "---\nid: page\nkind: page\nlang: en\ntitle: A\n---\n\n# A\n\n## First part\n\nx\n\n## Last\n\ny\n";
    writeFileSync(file, text);
    const released = join(folder, "released");
    await renderFiles([file], { out: released });
    writeFileSync(file, text.replace("First part", "Opening"));
    await publishAll([file], { out: join(folder, "out"), previous: released });
    const artefact = JSON.parse(readFileSync(join(folder, "out", "page.publish", "render.json"), "utf8")) as {
      details: { check_details: { R18: { locations: { message: string }[] } } };
    };
    expect(artefact.details.check_details.R18.locations.map(({ message }) => message)).toEqual([
      'The id "first-part" of the previous page leads nowhere now',
    ]);
  },
  120_000,
);

test("publishAll() refuses a previous page that is not there, and one page for several documents", async () => {
  const folder = createFolder();
  const files = ["a", "b"].map((name) => join(folder, `${name}.md`));
  files.forEach((file) => writeFileSync(file, "# A\n"));
  await expect(publishAll([files[0]], { out: folder, previous: join(folder, "none.html") })).rejects.toThrow(
    /Cannot compare with ".*none\.html"/,
  );
  await expect(publishAll(files, { out: folder, previous: files[0] })).rejects.toThrow("Cannot compare 2 documents");
});

test("a review at release is not taken from a record", async () => {
  const { file, options } = await setUp("right");
  await expect(publishAll([file], { ...options, backend: "replay", level: "release" })).rejects.toThrow(
    "replayed review",
  );
  expect((await reviewFile(file, { ...options, backend: "none" })).verdict).toBe("REVIEW_UNAVAILABLE");
}, 60_000);
