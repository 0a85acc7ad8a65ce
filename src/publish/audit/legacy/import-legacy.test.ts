import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { parseAuditFile, renderAuditFile, type AuditFile } from "../audit-file.js";
import { importLegacyAudit } from "./import-legacy.js";
import { decideLegacyStage, expandRun, readLegacyVerdict } from "./legacy-verdict.js";
import { readLegacyNeedsVerify, readReplacement, splitLegacyList } from "./legacy-texts.js";

const options = { at: "2030-01-02T03:04:05Z", tool: { name: "turnwise", version: "1.2.3" } };
const legacy = (more: Record<string, unknown>) => ({
  skill: "s",
  source: "docs/x.md",
  output: "docs/x.html",
  summary: "PASS",
  rendered_at: "2029-12-01",
  ...more,
});

test.each([
  { text: "PASS", verdicts: ["PASS"] },
  { text: "WARN (no FAIL)", verdicts: ["WARN"] },
  { text: "FAIL → fixed", verdicts: ["FAIL"], isEdited: true },
  { text: "FAIL → substantive fixes applied", verdicts: ["FAIL"], isEdited: true },
  { text: "FAIL_AT_ROUND_3_FIXED_POST_HOC", verdicts: ["FAIL"], isEdited: true },
  { text: "PASS_WITH_WARNINGS", verdicts: ["WARN"] },
  { text: "PASS (effective)", verdicts: ["PASS"], isClaimOnly: true },
  { text: "FAIL→FAIL→PASS", verdicts: ["FAIL", "FAIL", "PASS"], isEdited: true, isClaimOnly: true },
  { text: "draft delivered", verdicts: ["NOT_RUN"] },
  { text: "iterative fixes applied", verdicts: ["NOT_RUN"] },
  { text: "incomplete", verdicts: ["NOT_RUN"] },
  { text: "no fixes applied", verdicts: ["NOT_RUN"] },
  { text: "DEFERRED", verdicts: ["NOT_RUN"] },
  { text: "pass", verdicts: ["PASS"] },
  { text: "", verdicts: ["NOT_RUN"] },
])("readLegacyVerdict() reads $text", ({ text, verdicts, isEdited = false, isClaimOnly = false }) => {
  expect(readLegacyVerdict(text)).toEqual({ verdicts, isEdited, isClaimOnly });
});

test("decideLegacyStage() takes the last round with a thread id, whatever comes after", () => {
  expect(decideLegacyStage([{ verdict: "FAIL", thread_id: "a" }, { verdict: "PASS" }])).toBe("FAIL");
  expect(
    decideLegacyStage([
      { verdict: "FAIL", thread_id: "a" },
      { verdict: "PASS", thread_id: "b" },
    ]),
  ).toBe("PASS");
  expect(decideLegacyStage([{ verdict: "PASS" }])).toBe("NOT_RUN");
  expect(decideLegacyStage([])).toBe("NOT_RUN");
});

test("expandRun() makes one round of each number in a range", () => {
  expect(expandRun("1-3")).toEqual([1, 2, 3]);
  expect(expandRun("2–4 (agent)")).toEqual([2, 3, 4]);
  expect(expandRun("0 (draft only)")).toEqual([0]);
  expect(expandRun(7)).toEqual([7]);
  expect(expandRun("final")).toEqual(["final"]);
});

test("splitLegacyList() splits at semicolons and letters, but not inside brackets, code and formulas", () => {
  expect(splitLegacyList("one; two (a; b); `c; d`; $e; f$")).toEqual(["one", "two (a; b)", "`c; d`", "$e; f$"]);
  expect(splitLegacyList("(a) first thing, (b) second thing")).toEqual(["first thing", "second thing"]);
});

test("readReplacement() finds the old and the new words", () => {
  expect(readReplacement("§1: 'Alpha+Beta' → 'Beta'; `y_{<t}` → `y_{\\lt t}`")).toEqual({
    before: ["Alpha+Beta", "y_{<t}"],
    after: "Beta; y_{\\lt t}",
  });
  expect(readReplacement("rewritten").before).toEqual([]);
});

test.each([
  ["A 2025: VERIFIED (preprint)", "verified"],
  ["A 2025: PARTIAL FAIL — title wrong (now fixed)", "corrected"],
  ["Removed the sentence", "removed"],
  ["B: HEDGED as reported", "hedged"],
  ["C: could not look it up", "open"],
])("readLegacyNeedsVerify() reads the state of %j", (text, state) => {
  expect(readLegacyNeedsVerify(text, "2029-12-01").state).toBe(state);
});

test("importLegacyAudit() maps every kind of field and keeps the old record untouched", () => {
  const old = legacy({
    topic: "t",
    effort: "max",
    byline: "Somebody",
    reviewer: "model x",
    verdict: "PASS",
    no_defer_compliance: true,
    unknown_key: { nested: [1, 2] },
    math_code_review: {
      verdict: "PASS (effective)",
      warnings_remaining: ["style of one table"],
      rounds: [
        { run: "1-2", verdict: "iterative fixes" },
        {
          run: 3,
          verdict: "FAIL",
          thread_id: "t-3",
          issues: "first; second",
          fixes_post_round3: ["§1: 'wrong words' → 'right words'"],
          passes: ["formulas"],
        },
        { run: 4, verdict: "PASS (effective)", needs_verify_resolved: ["W 2020 arXiv 2001.00001: VERIFIED"] },
      ],
    },
    render_review: {
      verdict: "PASS",
      rounds: [
        {
          run: 1,
          verdict: "FAIL",
          thread_id: "t-r",
          real_issues_caught: ["bad tag"],
          false_positives_noted: ["intended"],
        },
      ],
    },
  });
  const copy = structuredClone(old);
  const audit = parseAuditFile(renderAuditFile(importLegacyAudit(old, "x.review.json", options)), "x");
  expect(audit.legacy).toEqual(copy);
  expect(audit.verdict).toBe("FAIL");
  expect(audit.math_code_review?.verdict).toBe("FAIL");
  expect(audit.math_code_review?.rounds.map(({ run, verdict, thread_id }) => [run, verdict, thread_id])).toEqual([
    [1, "NOT_RUN", undefined],
    [2, "NOT_RUN", undefined],
    [3, "FAIL", "t-3"],
    [4, "NOT_RUN", undefined],
  ]);
  expect(audit.math_code_review?.rounds[2]).toMatchObject({
    edited_after_round: true,
    passes: ["formulas"],
    issues: ["first", "second"],
  });
  expect(audit.findings.map(({ state, severity }) => [state, severity])).toEqual([
    ["fixed", "major"],
    ["fixed", "major"],
    ["open", "major"],
    ["rejected", "major"],
    ["open", "minor"],
  ]);
  expect(audit.corrections).toHaveLength(1);
  expect(audit.corrections[0]).toMatchObject({ before: [{ literal: "wrong words" }], after: "right words" });
  expect(audit.deferred.map(({ reason }) => reason)).toEqual(["style of one table"]);
  expect(audit.needs_verify).toMatchObject([{ state: "verified", evidence: [{ source: "arXiv 2001.00001" }] }]);
  expect(audit.independence?.violations).toHaveLength(1);
  expect(audit.no_defer_compliance).toBe(false);
  expect(audit.findings.at(-1)?.category).toBe("audit.no-defer");
  expect(audit["unknown_key"]).toEqual({ nested: [1, 2] });
  expect(audit.topic).toBe("t");
});

test("importLegacyAudit() refuses what is no old audit", () => {
  expect(() => importLegacyAudit({ a: 1 }, "x.json", options)).toThrow('Cannot import "x.json"');
  expect(() => importLegacyAudit(legacy({ schema_version: "1.0.0" }), "x.json", options)).toThrow("no audit of before");
});

test("importLegacyAudit() keeps no absolute path", () => {
  const audit = importLegacyAudit(legacy({ source: "/srv/someone/x.md", output: "C:\\out\\x.html" }), "x", options);
  expect([audit.source, audit.output]).toEqual(["x.md", "x.html"]);
});

/** One old file per way in which content stages of such files end, with what the import must make of it. */
const round = (run: unknown, verdict: string, thread?: string, more = {}) => ({
  run,
  verdict,
  ...(thread === undefined ? {} : { thread_id: thread }),
  ...more,
});
const shapes: readonly (readonly [number, string | undefined, unknown])[] = [
  [2, "PASS", { verdict: "PASS", rounds: [round(1, "FAIL", "a"), round(2, "PASS", "b")] }],
  [2, "PASS", { verdict: "FAIL", rounds: [round("1-4", "FAIL→FAIL→FAIL→FAIL"), round(5, "PASS", "e")] }],
  [2, "WARN", { verdict: "PASS", rounds: [round(1, "iterative fixes applied"), round(2, "WARN (no FAIL)", "b")] }],
  [1, "WARN", { verdict: "PASS (effective)", rounds: [round(1, "WARN", "a"), round(2, "PASS (effective)")] }],
  [
    5,
    "FAIL",
    {
      verdict: "FAIL_AT_ROUND_3_FIXED_POST_HOC",
      rounds: [
        round(1, "FAIL", "a"),
        round(2, "FAIL", "b"),
        round(3, "FAIL", "c", { fixes_post_round_3_no_re_review: ["x"] }),
      ],
    },
  ],
  [
    4,
    "FAIL",
    {
      verdict: "PASS (after fixes)",
      rounds: [round("0 (draft only)", "draft delivered"), round(1, "FAIL → fixed", "a")],
    },
  ],
  [
    4,
    "FAIL",
    { verdict: "PASS", rounds: [round(1, "FAIL", "a", { issue: "x", fix: "y" }), round(2, "PASS (effective)")] },
  ],
  [1, "NOT_RUN", { verdict: "DEFERRED", rounds: [round("1-3", "incomplete"), round(4, "PASS")] }],
  [3, undefined, undefined],
];

test("importLegacyAudit() of 24 files of all shapes gives 4 PASS, 3 WARN, 13 FAIL, 1 NOT_RUN and 3 without content", () => {
  const audits = shapes.flatMap(([count, , review]) =>
    Array.from({ length: count }, () =>
      importLegacyAudit(
        legacy(
          review === undefined
            ? { verdict: "PASS", checks: { structure: "pass" }, history: [round(1, "PASS", "r")] }
            : { math_code_review: review },
        ),
        "x",
        options,
      ),
    ),
  );
  const counts: Record<string, number> = {};
  for (const { math_code_review } of audits)
    counts[math_code_review?.verdict ?? "absent"] = (counts[math_code_review?.verdict ?? "absent"] ?? 0) + 1;
  expect(audits).toHaveLength(24);
  expect(counts).toEqual({ PASS: 4, WARN: 3, FAIL: 13, NOT_RUN: 1, absent: 3 });
  audits.forEach((audit) => expect(parseAuditFile(renderAuditFile(audit), "x").schema_version).toBe("1.0.0"));
});

const corpus = "../shared/real-data/aris-tutorials";
const hasCorpus = existsSync(corpus);
if (!hasCorpus) process.stderr.write("skipped: the import of the public audit files needs ../shared/real-data\n");

function readCorpus(name: string): { readonly old: Record<string, unknown>; readonly audit: AuditFile } {
  const old = JSON.parse(readFileSync(`${corpus}/${name}.review.json`, "utf8")) as Record<string, unknown>; // an object
  const source = gunzipSync(readFileSync(`${corpus}/${name}.md.gz`));
  return { old, audit: importLegacyAudit(old, name, { ...options, source }) };
}

test.runIf(hasCorpus).each([
  {
    name: "agentic_rl_tutorial",
    content: "FAIL",
    render: "PASS",
    findings: 11,
    corrections: 10,
    deferred: 3,
    needsVerify: 3,
  },
  {
    name: "attention_tutorial",
    content: undefined,
    render: "PASS",
    findings: 2,
    corrections: 3,
    deferred: 0,
    needsVerify: 0,
  },
  {
    name: "flow_matching_tutorial",
    content: undefined,
    render: "PASS",
    findings: 0,
    corrections: 2,
    deferred: 0,
    needsVerify: 0,
  },
  {
    name: "rlhf_dpo_grpo_ppo_tutorial",
    content: "WARN",
    render: "FAIL",
    findings: 2,
    corrections: 2,
    deferred: 2,
    needsVerify: 0,
  },
])("importLegacyAudit() takes over $name without loss", ({ name, content, render, ...counts }) => {
  const { old, audit } = readCorpus(name);
  const written = parseAuditFile(renderAuditFile(audit), name);
  expect(written.legacy).toEqual(old);
  expect(written.math_code_review?.verdict).toBe(content);
  expect(written.render_review?.verdict).toBe(render);
  expect({
    findings: written.findings.length,
    corrections: written.corrections.length,
    deferred: written.deferred.length,
    needsVerify: written.needs_verify.length,
  }).toEqual(counts);
  // Every sentence of the old record is in the new one outside the kept original, too.
  const { legacy: _legacy, ...rest } = written;
  const text = JSON.stringify(rest);
  const lost = listTexts(old).filter((words) => !text.includes(JSON.stringify(words).slice(1, -1)));
  expect(lost.filter((words) => words !== old["summary"] && !/^(?:PASS|WARN|FAIL)\b/.test(words))).toEqual([]);
});

test.runIf(hasCorpus)("importLegacyAudit() leaves no PASS where the last recorded round of the corpus was FAIL", () => {
  expect(readCorpus("agentic_rl_tutorial").audit.verdict).toBe("FAIL");
  const { audit } = readCorpus("rlhf_dpo_grpo_ppo_tutorial");
  expect(audit.verdict).toBe("FAIL");
  expect(audit.independence?.violations).toHaveLength(1);
  expect(readCorpus("attention_tutorial").audit.source_sha256).toMatch(/^sha256:8d8d5146c1a9a924/);
});

function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(listTexts);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listTexts) : [];
}
