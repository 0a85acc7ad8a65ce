import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { execPath } from "node:process";
import { afterEach, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { auditDocument, gateFiles, importAudits, verifyAudits } from "./publish-audit.js";
import { lintFiles } from "./publish-lint.js";
import { probeFile } from "./publish-probe.js";
import { scanResidueFiles } from "./publish-residue.js";
import { reviewFile } from "./publish-review.js";
import type { PublishReviewOptions } from "./review-options.js";
import { triageDocument } from "./publish-triage.js";
import { locateProgram, splitCommandLine } from "./review-backend.js";
import { renderAuditSarif, renderGateText, renderReviewText, renderVerifyText } from "./review-text.js";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const markdown = `---
id: lesson
kind: page
lang: en
title: A lesson
---

# A lesson

## 1 Signs

The loss rises when the reward rises.

## 2 More

Nothing else is said here.
`;

/** A reviewer that finds one wrong sentence as long as it stands there. */
const reviewer = `let text="";process.stdin.on("data",(c)=>text+=c).on("end",()=>{
const packet=JSON.parse(text);
const isWrong=packet.documents[0].text.includes("The loss rises when");
console.log(JSON.stringify({schema:"review-response/1",pass:packet.pass,
coverage:packet.items.map(({id})=>({item:id,status:"checked",method:"read"})),
findings:isWrong?[{category:"fact.direction",severity:"major",location:{quote:{prefix:"",exact:"The loss rises when the reward rises",suffix:"."}},says:"rises",problem:"the loss falls",evidence:{kind:"derivation",detail:"the loss is minus the reward"}}]:[]}));
});`;

/** A fixer that mends that sentence. */
const fixer = `const fs=require("node:fs");let text="";process.stdin.on("data",(c)=>text+=c).on("end",()=>{
const {file,findings}=JSON.parse(text);
fs.writeFileSync(file,fs.readFileSync(file,"utf8").replace("The loss rises when","The loss falls when"));
console.log(JSON.stringify({schema:"review-fix/1",fixes:findings.map(({id})=>({finding:id,summary:"direction turned",before:["The loss rises when the reward rises"],after:"The loss falls when the reward rises"}))}));
});`;

function setUp(text = markdown) {
  const folder = mkdtempSync(join(tmpdir(), "turnwise-audit-"));
  folders.push(folder);
  const file = join(folder, "lesson.md");
  writeFileSync(file, text);
  writeFileSync(join(folder, "reviewer.cjs"), reviewer);
  writeFileSync(join(folder, "fixer.cjs"), fixer);
  writeFileSync(
    join(folder, "config.yaml"),
    stringify({ parties: { author: { id: "ann", family: "human" }, arbiter: { id: "kim", family: "human" } } }),
  );
  let clock = Date.parse("2030-01-01T00:00:00Z");
  const options: PublishReviewOptions = {
    out: join(folder, "out"),
    config: join(folder, "config.yaml"),
    now: () => new Date((clock += 1000)),
    environment: process.env,
    backend: "command",
    command: `"${execPath}" "${join(folder, "reviewer.cjs")}"`,
    reviewerFamily: "qwen",
    timeoutSeconds: 30,
  };
  const readAudit = () =>
    JSON.parse(readFileSync(join(folder, "out", "lesson.review.json"), "utf8")) as Record<string, unknown> & {
      findings: { id: string; state: string }[];
    };
  return { folder, file, options, readAudit };
}

test("reviewFile() in a loop finds, fixes, scans and ends in PASS, and every hash of it holds", async () => {
  const { folder, file, options } = setUp();
  const result = await reviewFile(file, {
    ...options,
    level: "release",
    isLoop: true,
    fixerCommand: `"${execPath}" "${join(folder, "fixer.cjs")}"`,
  });
  expect(result).toMatchObject({ stop: "converged", verdict: "PASS" });
  expect(result.rounds.map(({ verdict }) => verdict)).toEqual(["FAIL", "PASS"]);
  expect(result.audit.findings).toMatchObject([{ state: "verified", severity: "major" }]);
  expect(result.audit.corrections).toMatchObject([{ residue: { clean: true } }]);
  expect(result.audit.math_code_review).toMatchObject({
    verdict: "PASS",
    stop_reason: "converged",
    coverage: { ratio: 1 },
  });
  expect(readFileSync(file, "utf8")).toContain("The loss falls when");
  expect(renderReviewText(result)).toContain("stopped: converged");
  const [verified] = await verifyAudits(join(folder, "out"));
  expect(verified.problems).toEqual([]);
  expect(verified.checked).toMatchObject({ traces: 2, artefacts: 1 });
  expect(verified.checked.versions).toBeGreaterThan(1);
});

test("reviewFile() keeps no leaking words: the second round's packet knows nothing of the first", async () => {
  const { folder, file, options } = setUp();
  await reviewFile(file, options);
  await reviewFile(file, options);
  const read = (round: number) =>
    JSON.parse(
      readFileSync(join(folder, "out", "lesson.publish", "traces", `round-00${round}-consistency.json`), "utf8"),
    ) as { request: { packet: object }; meta: { session_id: string } };
  expect(read(2).request.packet).toEqual(read(1).request.packet);
  expect(read(2).meta.session_id).not.toBe(read(1).meta.session_id);
});

test("gateFiles() opens at release for a reviewed page, and one byte more in the source closes it as stale", async () => {
  const { file, options } = setUp(markdown.replace("The loss rises when", "The loss falls when"));
  const common = { ...options, level: "release" as const };
  await reviewFile(file, common);
  const isStage = async (stage: string) =>
    (await gateFiles([file], common)).documents[0].stages.find((each) => each.stage === stage)?.verdict;
  expect(await isStage("content")).toBe("PASS");
  expect((await gateFiles([file], common)).documents[0].blocking.map(({ verdict }) => verdict)).toEqual([
    "MISSING",
    "MISSING",
  ]);
  writeFileSync(file, `${readFileSync(file, "utf8")} `);
  expect(await isStage("content")).toBe("STALE");
  const { documents, exitCode } = await gateFiles([file], { ...common, level: "draft" });
  expect(exitCode).toBe(3);
  expect(documents[0].blocking).toMatchObject([{ stage: "content", verdict: "STALE", reason_code: "source-changed" }]);
  expect(renderGateText({ documents, exitCode })).toContain("gate closed at draft");
});

test("gateFiles() takes no lint verdict of draft for release", async () => {
  const { file, options } = setUp();
  await lintFiles([file], { out: options.out, level: "draft" });
  await auditDocument(file, options);
  const stage = async (level: "draft" | "release") =>
    (await gateFiles([file], { ...options, level })).documents[0].stages[0];
  expect((await stage("draft")).verdict).not.toBe("STALE");
  const atRelease = await stage("release");
  if (atRelease.verdict !== "FAIL")
    expect(atRelease).toMatchObject({ verdict: "STALE", reason_code: "judged-at-draft" });
});

test.each([
  { name: "a trace", path: ["lesson.publish", "traces", "round-001-consistency.json"], kind: "trace" },
  { name: "a stage artefact", path: ["lesson.publish", "content.json"], kind: "artefact" },
  { name: "the source", path: ["..", "lesson.md"], kind: "input" },
])("verifyAudits() notices a byte changed in $name", async ({ path, kind }) => {
  const { folder, file, options } = setUp();
  await reviewFile(file, options);
  const target = join(folder, "out", ...path);
  writeFileSync(target, `${readFileSync(target, "utf8")} `);
  const [result] = await verifyAudits(join(folder, "out"));
  expect(result.problems.map((problem) => problem.kind)).toEqual([kind]);
  expect(renderVerifyText([result])).toContain("1 problems");
});

test("verifyAudits() notices an earlier version that is gone or changed", async () => {
  const { folder, file, options } = setUp();
  await reviewFile(file, options);
  await auditDocument(file, options);
  const history = join(folder, "out", "lesson.publish", "history");
  const [name] = readdirSync(history);
  writeFileSync(join(history, name), "{}");
  expect((await verifyAudits(join(folder, "out")))[0].problems).toMatchObject([{ kind: "chain" }]);
  rmSync(join(history, name));
  expect((await verifyAudits(join(folder, "out")))[0].problems).toMatchObject([
    { kind: "chain", message: "An earlier version of the audit is gone" },
  ]);
});

test("auditDocument() keeps unknown keys, and equal data give equal bytes", async () => {
  const { folder, file, options, readAudit } = setUp();
  const fixed = { ...options, now: () => new Date("2030-01-01T00:00:00Z") };
  await reviewFile(file, fixed);
  const path = join(folder, "out", "lesson.review.json");
  writeFileSync(path, JSON.stringify({ ...readAudit(), zebra: { kept: true } }));
  await auditDocument(file, fixed);
  const first = readAudit();
  expect(first["zebra"]).toEqual({ kept: true });
  expect(Object.keys(first)[0]).toBe("schema");
  await auditDocument(file, fixed);
  const { prev_audit_sha256: _a, ...before } = first;
  const { prev_audit_sha256: _b, ...after } = readAudit();
  expect(JSON.stringify(after)).toBe(JSON.stringify(before));
});

test("a person's form is written, waits, is read once and signed", async () => {
  const { folder, file, options } = setUp();
  const human: PublishReviewOptions = { ...options, backend: "human", level: "release" };
  expect(await reviewFile(file, human)).toMatchObject({ verdict: "REVIEW_UNAVAILABLE", reason_code: "form-waiting" });
  const form = join(folder, "out", "lesson.publish", "forms", "consistency.yaml");
  const fill = (more: object) => {
    const value = parse(readFileSync(form, "utf8")) as { coverage: object[] };
    writeFileSync(
      form,
      stringify({
        ...value,
        coverage: value.coverage.map((entry) => ({ ...entry, status: "checked", method: "read" })),
        done: true,
        ...more,
      }),
    );
  };
  fill({ reviewer: null });
  expect((await reviewFile(file, human)).reason_code).toBe("form-unsigned");
  fill({ reviewer: "ann" });
  expect(await reviewFile(file, human)).toMatchObject({ verdict: "REVIEW_UNAVAILABLE", reason_code: "same-identity" });
  expect((await reviewFile(file, human)).reason_code).toBe("form-waiting");
  fill({ reviewer: "kim" });
  expect(await reviewFile(file, human)).toMatchObject({ verdict: "PASS" });
});

test("a form filled for another text is refused, not taken for this one", async () => {
  const { folder, file, options } = setUp();
  await reviewFile(file, { ...options, backend: "human" });
  const form = join(folder, "out", "lesson.publish", "forms", "consistency.yaml");
  writeFileSync(form, readFileSync(form, "utf8").replace("done: false", "done: true"));
  writeFileSync(file, `${markdown}\nMore.\n`);
  expect(await reviewFile(file, { ...options, backend: "human" })).toMatchObject({
    verdict: "ERROR",
    reason_code: "form-outdated",
  });
});

test("triageDocument() lets the arbiter decide, and nobody over their own text", async () => {
  const { file, options } = setUp();
  const { audit } = await reviewFile(file, options);
  const [{ id }] = audit.findings;
  const triage = (more: object) => triageDocument(file, { ...options, ...more });
  await expect(triage({ as: "ann", reject: [id], reason: "no" })).rejects.toThrow("that is the author");
  await expect(triage({ as: "lee", reject: [id], reason: "no" })).rejects.toThrow('the arbiter is "kim"');
  await expect(triage({ reject: ["f-nothing"], reason: "no" })).rejects.toThrow('Cannot find finding "f-nothing"');
  await expect(triage({ defer: [id], reason: "later", owner: "ann", expires: "2031-01-01" })).rejects.toThrow(
    "only minor findings",
  );
  expect((await triage({ accept: [id] })).findings[0].state).toBe("accepted");
  const rejected = await triage({ reject: [id], reason: "the text is about the other loss" });
  expect(rejected.findings[0].state).toBe("rejected");
  expect(rejected.audit?.math_code_review?.verdict).toBe("PASS");
  expect(rejected.audit?.independence?.violations).toEqual([]);
});

test("scanResidueFiles() finds a corrected wording that stands in another document", async () => {
  const { folder, file, options } = setUp();
  await reviewFile(file, { ...options, isLoop: true, fixerCommand: `"${execPath}" "${join(folder, "fixer.cjs")}"` });
  expect((await scanResidueFiles([file], options))[0].isClean).toBe(true);
  const twin = join(folder, "lesson.zh.md");
  writeFileSync(
    twin,
    "---\nid: lesson-zh\nkind: page\nlang: en\ntitle: T\ntranslation_of: lesson\n---\n\n# T\n\nThe loss rises\nwhen the reward **rises**.\n",
  );
  const [scan] = await scanResidueFiles([file, twin], options);
  expect(scan.isClean).toBe(false);
  expect(scan.corrections[0].residue?.hits).toMatchObject([{ line: 11 }]);
  expect((await auditDocument(file, options)).audit).toMatchObject({
    verdict: "FAIL",
    stages: { content: { reason_code: "residue" } },
  });
});

test("evidence that is not there blocks, and a failure is told before that", async () => {
  const { file, options } = setUp(markdown.replace("title: A lesson", "title: A lesson\nevidence: [runs]"));
  expect(await reviewFile(file, options)).toMatchObject({ verdict: "FAIL" });
  writeFileSync(file, readFileSync(file, "utf8").replace("The loss rises when", "The loss falls when"));
  const review = await reviewFile(file, options);
  await triageDocument(file, { ...options, reject: review.audit.findings.map(({ id }) => id), reason: "gone" });
  expect(await reviewFile(file, options)).toMatchObject({ verdict: "BLOCKED", reason_code: "input-missing" });
});

test("probeFile() puts recall into the audit and no finding", async () => {
  const { file, options } = setUp(
    markdown.replace(
      "Nothing else is said here.",
      "The first way is faster than the second one.\n\n<details>\n<summary>Q1: Why?</summary>\n\nIt is better.\n\n</details>",
    ),
  );
  const { probe } = await probeFile(file, { ...options, classes: ["invert_comparison"] });
  expect(probe.recall).toMatchObject([{ class: "invert_comparison", found: 0 }]);
  const { audit } = await auditDocument(file, options);
  expect(audit.math_code_review?.probes?.seeded["invert_comparison"]).toMatchObject({ found: 0 });
  expect(audit.findings).toEqual([]);
});

test("renderAuditSarif() gives fingerprints, and suppresses what is settled", async () => {
  const { file, options } = setUp();
  const { audit } = await reviewFile(file, options);
  const results = (given: typeof audit) =>
    (
      renderAuditSarif(given)["runs"] as unknown as {
        results: { suppressions?: unknown; partialFingerprints: object }[];
      }[]
    )[0].results;
  expect(results(audit)[0]).toMatchObject({
    ruleId: "fact.direction",
    level: "error",
    partialFingerprints: { "turnwise/v1": audit.findings[0].fingerprint },
  });
  expect(results(audit)[0].suppressions).toBeUndefined();
  expect(results({ ...audit, findings: [{ ...audit.findings[0], state: "rejected" }] })[0].suppressions).toBeDefined();
});

test("reviewFile() refuses to release without traces, and a backend without what it needs", async () => {
  const { file, options } = setUp();
  await expect(reviewFile(file, { ...options, level: "release", traces: "off" })).rejects.toThrow("without traces");
  await expect(reviewFile(file, { ...options, command: undefined })).rejects.toThrow("without its program");
  await expect(reviewFile(file, { ...options, backend: "http", environment: {} })).rejects.toThrow("without its model");
  await expect(reviewFile(file, { ...options, backend: "replay" })).rejects.toThrow("without its record");
});

test("importAudits() writes an audit that verifies, and does not overwrite", async () => {
  const { folder, options } = setUp();
  const old = join(folder, "old.review.json");
  writeFileSync(
    old,
    JSON.stringify({
      skill: "s",
      source: "lesson.md",
      output: "lesson.html",
      summary: "PASS",
      math_code_review: { verdict: "PASS", rounds: [{ run: 1, verdict: "FAIL → fixed", thread_id: "t" }] },
    }),
  );
  const [imported] = await importAudits([old], { out: options.out, root: folder, now: options.now });
  expect(imported.audit).toMatchObject({ verdict: "FAIL", source_bytes: Buffer.byteLength(markdown) });
  expect((await verifyAudits(options.out ?? ""))[0].problems).toEqual([]);
  await expect(importAudits([old], { out: options.out })).rejects.toThrow("is there already");
});

test.each([
  ["a b", ["a", "b"]],
  ['"a b" c', ["a b", "c"]],
  ['\'a b\' "c \\"d\\""', ["a b", 'c "d"']],
])("splitCommandLine() of %s", (line, parts) => {
  expect(splitCommandLine(line)).toEqual(parts);
});

test("splitCommandLine() refuses an empty line and an open quote", () => {
  expect(() => splitCommandLine("  ")).toThrow("names no program");
  expect(() => splitCommandLine('"a b')).toThrow("quote is left open");
});

test("locateProgram() names files in full and leaves programs and other arguments", () => {
  expect(locateProgram(["node", "package.json", "src", "--x=package.json", "nothing.mjs"])).toEqual([
    "node",
    resolve("package.json"),
    "src",
    "--x=package.json",
    "nothing.mjs",
  ]);
  expect(locateProgram(["package.json"])).toEqual(["package.json"]);
  expect(locateProgram(["./package.json"])).toEqual([resolve("package.json")]);
});

test("gateFiles() and reviewFile() say what stands in the way of an audit and of a trace", async () => {
  const { file, options } = setUp();
  const { written } = await reviewFile(file, { ...options, passes: ["consistency"] });
  const trace = join(options.out ?? "", "lesson.publish", "traces", "round-001-consistency.json");
  expect(written.length).toBeGreaterThan(0);
  writeFileSync(trace, "{");
  await expect(reviewFile(file, options)).rejects.toThrow(/Cannot read the trace ".*round-001-consistency\.json"/);
  const out = join(file, "..", "other");
  mkdirSync(join(out, "lesson.review.json"), { recursive: true });
  await expect(gateFiles([file], { out })).rejects.toThrow(/Cannot read the audit .*it is a folder, not a file/);
});
