import { expect, test } from "vitest";
import type { DifferenceCell, JsonValue, Verdict } from "../core/index.js";
import { recomputeClaim } from "../../test/report/recompute-claim.js";
import { makeReportInput, usualPlan, type SyntheticPlan } from "../../test/report/synthetic-report.js";
import { buildReport } from "./build-report.js";
import { getReportHeadline } from "./report-headline.js";
import { renderReportJson } from "./report-json.js";
import type { ReportInput } from "./report.js";

const smallPlan: SyntheticPlan = { ...usualPlan, taskCount: 20, samples: 4, sampleCounts: [1, 4], budgets: [1, 2, 4] };

test("buildReport() makes claims that can each be computed again from report.json", () => {
  const report = buildReport(makeReportInput(usualPlan));
  const document = JSON.parse(renderReportJson(report)) as JsonValue; // what JSON.parse returns
  for (const claim of report.claims)
    expect({ id: claim.id, value: recomputeClaim(claim, document) }).toEqual({ id: claim.id, value: claim.value });
  expect(report.claims.length).toBeGreaterThan(500);
});

test("buildReport() gives every claim its own id, fit for an anchor", () => {
  const { claims } = buildReport(makeReportInput(usualPlan));
  const ids = claims.map((claim) => claim.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[\w.]+$/.test(id))).toEqual([]);
});

test("buildReport() gives the same report for the same input", () => {
  expect(renderReportJson(buildReport(makeReportInput(smallPlan)))).toBe(
    renderReportJson(buildReport(makeReportInput(smallPlan))),
  );
});

/** An input whose k=1 verdicts are the given words, by budget. */
function withVerdicts(verdicts: readonly Verdict[]): ReportInput {
  const input = makeReportInput({ ...smallPlan, sampleCounts: [1] });
  const comparisons = (input.comparisons ?? []).map((comparison) => ({
    ...comparison,
    cells: comparison.cells.map((cell, index): DifferenceCell => ({ ...cell, verdict: verdicts[index] })),
  }));
  return { ...input, comparisons };
}

test.each<{ verdicts: readonly Verdict[]; headline: string }>([
  { verdicts: ["undecided", "gain", "gain"], headline: "trained succeeds more often than base from T = 2 on." },
  { verdicts: ["gain", "gain", "gain"], headline: "trained succeeds more often than base at every budget." },
  { verdicts: ["gain", "undecided", "gain"], headline: "trained succeeds more often than base at T = 1 and 4." },
  { verdicts: ["loss", "undecided", "undecided"], headline: "trained succeeds less often than base at T = 1." },
  { verdicts: ["loss", "loss", "equivalent"], headline: "trained succeeds less often than base up to T = 2." },
  {
    verdicts: ["loss", "undecided", "gain"],
    headline: "Which one is better depends on the turn budget: trained at T = 4, base at T = 1.",
  },
  {
    verdicts: ["equivalent", "equivalent", "equivalent"],
    headline: "base and trained succeed equally often at every budget, within a margin of 3.0 pp.",
  },
  {
    verdicts: ["undecided", "equivalent", "undecided"],
    headline: "These episodes do not decide whether base or trained succeeds more often.",
  },
  {
    verdicts: ["undecided", "undecided", "undecided"],
    headline: "These episodes do not decide whether base or trained succeeds more often.",
  },
])("buildReport() says of $verdicts: $headline", ({ verdicts, headline }) => {
  expect(getReportHeadline(buildReport(withVerdicts(verdicts)))).toBe(headline);
});

test("buildReport() never says that one is better where no verdict is a gain or a loss", () => {
  const { answer } = buildReport(withVerdicts(["undecided", "equivalent", "undecided"]));
  expect(JSON.stringify(answer)).not.toMatch(/more often than|less often than|better/);
});

test("buildReport() answers for a policy that nothing is compared with", () => {
  const report = buildReport(makeReportInput({ ...smallPlan, isCompared: false }));
  expect(report.answer).toHaveLength(2);
  expect(getReportHeadline(report)).toMatch(
    /^base succeeds in [\d.]+% of its attempts within 4 turns \(95% interval \[[\d., ]+\]%\), and in [\d.]+% within 1\.$/,
  );
});

test("buildReport() warns of excluded episodes, of unshared tasks and of what else differs", () => {
  const input = makeReportInput(smallPlan);
  const comparisons = (input.comparisons ?? []).map((comparison) => ({ ...comparison, labels: ["grader version"] }));
  const text = JSON.stringify(buildReport({ ...input, comparisons }).warnings);
  expect(text).toContain("ended in an error");
  expect(text).toContain("compared on their shared tasks");
  expect(text).toContain("differ in more than the policy: grader version");
});

test("buildReport() never says of few tasks that the sides differ in more than the policy", () => {
  const input = makeReportInput(smallPlan);
  const comparisons = (input.comparisons ?? []).map((comparison) => ({
    ...comparison,
    labels: [],
    warnings: ["Only 5 tasks"],
  }));
  const text = JSON.stringify(buildReport({ ...input, comparisons }).warnings);
  expect(text).toMatch(/Comparison of \S+ and \S+: Only 5 tasks\./);
  expect(text).not.toContain("differ in more than");
});

test("buildReport() lists discordant tasks by the size of their difference and says how many it leaves out", () => {
  const input = makeReportInput(smallPlan);
  const { taskListings, comparisons } = buildReport({ ...input, maxTaskRows: 3 });
  const [{ rows, discordantCount, omittedCount }] = taskListings;
  const sizes = comparisons[0].taskDifferences.map(({ a, b }) => Math.abs(b - a)).sort((left, right) => right - left);
  expect(
    rows.map((row) => Math.abs(comparisons[0].taskDifferences[row].b - comparisons[0].taskDifferences[row].a)),
  ).toEqual(sizes.slice(0, 3));
  expect(rows.length + omittedCount).toBe(discordantCount);
});

test.each([
  { name: "no surface", change: { surfaces: [] } },
  {
    name: "a label that stands twice",
    change: { surfaces: [...makeReportInput(smallPlan).surfaces, ...makeReportInput(smallPlan).surfaces] },
  },
  {
    name: "a comparison of a label that is not there",
    change: { surfaces: makeReportInput(smallPlan).surfaces.slice(1) },
  },
])("buildReport() refuses $name", ({ change }) => {
  expect(() => buildReport({ ...makeReportInput(smallPlan), ...change })).toThrow(RangeError);
});

test("buildReport() keeps what it says of several comparisons apart: a headline, then a paragraph each", () => {
  const policies = [...usualPlan.policies, { label: "sft", solve: 0.1, quit: 0.05, fail: 0.05, needs: 2 }];
  const { answer } = buildReport({ ...makeReportInput({ ...usualPlan, policies, taskCount: 60 }), adaptation: [] });
  const words = answer.map((sentence) => sentence.filter((part) => typeof part === "string").join(""));
  expect(words).toHaveLength(3);
  expect(words[0]).toMatch(/trained/);
  expect(words[2]).toMatch(/sft/);
  expect(`${words[0]}${words[1]}`).not.toMatch(/sft/);
});

test("buildReport() begins with a comparison that is decided", () => {
  const policies = [usualPlan.policies[0], { ...usualPlan.policies[0], label: "twin" }, usualPlan.policies[1]];
  expect(getReportHeadline(buildReport(makeReportInput({ ...usualPlan, policies, taskCount: 60 })))).toMatch(/trained/);
});

test.each([
  {
    name: "raises it",
    band: [0.02, 0.2],
    words: "base (countdown) succeeds more often when it is told its budget at T = 1: by ",
  },
  {
    name: "lowers it",
    band: [-0.2, -0.02],
    words: "base (countdown) succeeds less often when it is told its budget at T = 1: by ",
  },
  {
    name: "is open",
    band: [-0.2, 0.02],
    words: "Whether base (countdown) succeeds more often when it is told its budget is undecided.",
  },
])("buildReport() says when the effect of being told the budget $name", ({ band: [lower, upper], words }) => {
  const band = { lower, upper, level: 0.95, method: "task_multiplier" as const };
  const estimate = { value: (lower + upper) / 2, taskCount: 20, band };
  const adaptation = [{ label: "base", maxTurns: 1, disclosure: "countdown" as const, estimate }];
  const { answer } = buildReport({ ...makeReportInput(smallPlan), adaptation });
  const written = answer.map((sentence) => sentence.filter((part) => typeof part === "string").join("")).join("\n");
  expect(written.replaceAll("\u00a0", " ")).toContain(words);
});
