import fc from "fast-check";
import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { cleanText, formatClaim } from "../page/index.js";
import { makeReportInput, usualPlan, type SyntheticPlan } from "../../test/report/synthetic-report.js";
import { buildReport } from "./build-report.js";
import { renderIndexPage } from "./render-index-page.js";
import { renderReportPage } from "./render-report-page.js";
import { renderReportText } from "./render-report-text.js";
import { renderReportJson } from "./report-json.js";
import type { Report, ReportInput } from "./report.js";
import { countColumns } from "./text-layout.js";

const smallPlan: SyntheticPlan = {
  ...usualPlan,
  taskCount: 12,
  samples: 4,
  sampleCounts: [1, 2, 4],
  budgets: [1, 2, 4],
  transcriptBytes: 12_000,
};
const usual = buildReport(makeReportInput(smallPlan));

function withLabel(input: ReportInput, label: string): ReportInput {
  const rename = (text: string): string => (text === "trained" ? label : text);
  return {
    ...input,
    title: label,
    question: label,
    notes: [label],
    warnings: [label],
    runs: input.runs.map((run) => ({ ...run, path: label, source: label, labels: run.labels.map(rename) })),
    surfaces: input.surfaces.map((surface) => ({ ...surface, label: rename(surface.label), notes: [label] })),
    comparisons: input.comparisons?.map((comparison) => ({
      ...comparison,
      b: label,
      labels: [label],
      warnings: [label],
      onlyInA: [label],
      taskDifferences: comparison.taskDifferences.map((task, index) => ({ ...task, taskId: `${label}${index}` })),
    })),
    episodes: input.episodes && {
      ...input.episodes,
      episodes: input.episodes.episodes.map((episode) => ({
        ...episode,
        label: rename(episode.label),
        taskId: label,
        stopDetail: label,
        turns: episode.turns.map((turn) => ({
          ...turn,
          text: { text: label },
          reasoning: { text: label },
          toolCalls: [{ name: label, arguments: { text: label } }],
        })),
      })),
    },
  };
}

const odd: { readonly [name: string]: Report } = {
  "one policy, one budget, k = 1": buildReport(
    makeReportInput({
      ...smallPlan,
      policies: usualPlan.policies.slice(0, 1),
      budgets: [4],
      sampleCounts: [1],
      isCompared: false,
    }),
  ),
  "twelve budgets and eight k": buildReport(
    makeReportInput({
      ...smallPlan,
      samples: 128,
      taskCount: 6,
      budgets: [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32],
      sampleCounts: [1, 2, 4, 8, 16, 32, 64, 128],
    }),
  ),
  "nine policies": buildReport(
    makeReportInput({
      ...smallPlan,
      policies: Array.from({ length: 9 }, (_unused, index) => ({ ...usualPlan.policies[1], label: `policy ${index}` })),
    }),
  ),
  "no discordant task": buildReport(makeSame()),
  "values that are not defined": buildReport(makeUndefined()),
  "no episode and no run": buildReport({ ...makeReportInput(smallPlan), episodes: undefined, runs: [] }),
};

function makeSame(): ReportInput {
  const input = makeReportInput(smallPlan);
  const comparisons = input.comparisons?.map((comparison) => ({
    ...comparison,
    taskDifferences: comparison.taskDifferences.map((task) => ({ ...task, b: task.a })),
  }));
  return { ...input, comparisons };
}

function makeUndefined(): ReportInput {
  const input = makeReportInput(smallPlan);
  const none = { value: NaN, taskCount: 0 };
  return {
    ...input,
    surfaces: input.surfaces.map((surface) => ({
      ...surface,
      meanTurns: NaN,
      meanTokens: undefined,
      cells: surface.cells.map((cell) => ({ ...cell, estimate: none })),
      passHat: [],
      stopShares: [],
      incidence: [],
    })),
    comparisons: input.comparisons?.map((comparison) => ({
      ...comparison,
      cells: comparison.cells.map((cell) => ({ ...cell, estimate: none, verdict: "undecided" as const })),
      areaBetween: none,
      onsetTurns: undefined,
      reversalTurns: [],
      minimumDetectableDifference: NaN,
      signFlipP: NaN,
      extraTurns: [{ maxTurns: 1, value: undefined, note: "both are 0" }],
      extraSamples: [],
    })),
  };
}

test("a report's JSON, text and page are the expected ones", async () => {
  await expect(renderReportJson(usual)).toMatchFileSnapshot("fixtures/usual/report.json");
  await expect(renderReportText(usual)).toMatchFileSnapshot("fixtures/usual/report.txt");
  // Style sheet and script have their own tests and would drown what a reader sees.
  const page = renderReportPage(usual)
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, "")
    .replace(/<meta http-equiv[^>]*>\n/, "");
  await expect(page).toMatchFileSnapshot("fixtures/usual/report.html");
});

test("a report draws lines of equal success and prints their slopes, each a claim", () => {
  const input = makeReportInput(smallPlan);
  const interval = { lower: 1.5, upper: 3, level: 0.95, method: "task_bootstrap_percentile" } as const;
  const contour = {
    level: 0.5,
    points: [
      { maxTurns: 1, tries: 4 },
      { maxTurns: 2, tries: 2, interval },
      { maxTurns: 4, tries: 1 },
    ],
    slopes: [-1, -1],
    slope: -1,
  };
  const [surface, ...others] = input.surfaces;
  const report = buildReport({ ...input, surfaces: [{ ...surface, contours: [contour] }, ...others] });
  const { document } = parseHTML(renderReportPage(report));
  const grid = document.querySelector("#grid");
  expect(grid?.querySelector("#contours-0-wide-title")?.textContent).toContain("Lines of equal success");
  const rows = [...(grid?.querySelectorAll("table") ?? [])]
    .filter((table) => table.textContent.includes("Tries of base that give the same success"))
    .flatMap((table) => [...table.querySelectorAll("tbody tr")].map((row) => row.textContent.replace(/\s+/g, " ")));
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/50% ?1 to 2 ?4\.0 ?– ?2\.0 ?\[1\.5, 3\.0\] ?−1\.00/);
  expect(document.getElementById("c.iso.0.0.slope")).not.toBeNull();
  expect(renderReportText(report)).toMatch(/base +50% +1 to 4 +4\.0 to 1\.0 +−1\.00/);
});

test("a report counts each T that was played on its own, and names tasks by family where their id is a hash", () => {
  const input = makeReportInput(smallPlan);
  const hash = "0123456789abcdef";
  const row = { recordedEpisodes: 9, countedEpisodes: 7, erroredEpisodes: 2, unknownEpisodes: 0 };
  const byBudget = [
    { ...row, maxTurns: 1, rateWithoutErrors: 0.25 },
    { ...row, maxTurns: 4, rateWithoutErrors: 0.5 },
  ];
  const report = buildReport({
    ...input,
    surfaces: input.surfaces.map((surface) => ({ ...surface, denominator: { ...surface.denominator, byBudget } })),
    comparisons: input.comparisons?.map((comparison) => ({
      ...comparison,
      taskDifferences: comparison.taskDifferences.map((task) => ({
        ...task,
        taskId: hash,
        family: "off-by-one",
        a: 0,
        b: 1,
      })),
    })),
  });
  expect(report.claims.find(({ id }) => id === "count.0.t4.counted")?.value).toBe(7);
  const text = renderReportText(report, { width: 120 });
  expect(text).toMatch(/at T=4 .* 9 .* 7 .* 2 .* 0 .* 50/);
  expect(text).toContain("off-by-one · 01234567");
  const page = renderReportPage(report);
  expect(page).toContain("T = 4 alone");
  expect(page).toContain("off-by-one · 01234567");
});

test("a report tells extra tokens where they are known, and says so where they are not", () => {
  const input = makeReportInput(smallPlan);
  const [comparison] = input.comparisons ?? [];
  const extraTokens = comparison.extraTurns.map(({ maxTurns, value }) => ({
    maxTurns,
    value: value && 1234.4 * value,
  }));
  const known = buildReport({ ...input, comparisons: [{ ...comparison, extraTokens }] });
  const [first] = extraTokens;
  expect(known.claims.find(({ id }) => id === `extraTokens.0.t${first.maxTurns}`)?.value).toBe(first.value);
  const cell = renderReportText(known, { width: 120 }).match(/tokens\n.*\b988\b/s);
  expect(cell).not.toBeNull();
  expect(renderReportPage(known)).toContain("extra tokens of");
  expect(renderReportText(usual, { width: 200 })).toContain("What it is worth in tokens is not known");
});

test.each(Object.entries(odd))("a report of %s shows neither undefined values nor lines too long", (_name, report) => {
  const text = renderReportText(report);
  const page = renderReportPage(report).replace(/<script>[\s\S]*<\/script>/, "");
  expect(text).not.toMatch(/NaN|undefined|\[object|null/);
  expect(page).not.toMatch(/NaN|undefined|\[object|>null</);
  expect(text.split("\n").filter((line) => countColumns(line) > 80)).toEqual([]);
  expect(renderIndexPage([{ title: "t", question: "q", about: "a", command: "c", href: "h", report }])).not.toMatch(
    /NaN|>undefined/,
  );
});

test.each([40, 60, 80, 120])("renderReportText() keeps every line within %d columns", (width) => {
  const long = withLabel(makeReportInput(smallPlan), "a policy with quite a long name, 第三回強化学習後のモデル");
  for (const report of [usual, buildReport(long), ...Object.values(odd)]) {
    const lines = renderReportText(report, { width }).split("\n");
    expect(lines.filter((line) => countColumns(line) > width)).toEqual([]);
  }
});

test("renderReportText() with colour says the same as without", () => {
  const coloured = renderReportText(usual, { hasColour: true });
  expect(coloured).not.toBe(renderReportText(usual));
  expect(coloured.replace(/\u001b\[\d+m/g, "")).toBe(renderReportText(usual));
});

test("renderReportText() refuses a width that no table fits", () => {
  expect(() => renderReportText(usual, { width: 39 })).toThrow(RangeError);
});

test("every number on the page is the text of the claim it links to, and the claim is on the page", () => {
  const { document } = parseHTML(renderReportPage(usual));
  const claims = new Map(usual.claims.map((claim) => [claim.id, claim]));
  const links = [...document.querySelectorAll("a.n")];
  expect(links.length).toBeGreaterThan(200);
  for (const link of links) {
    const id = link.getAttribute("href")?.slice("#c.".length) ?? "";
    const claim = claims.get(id);
    if (claim === undefined) throw new Error(`No claim "${id}"`);
    expect([formatClaim(claim), formatClaim(claim, { hasUnit: false })]).toContain(link.textContent);
    expect(document.getElementById(`c.${id}`)?.textContent).toContain(formatClaim(claim));
  }
});

test("every figure of the terminal summary is on the page", () => {
  const { document } = parseHTML(renderReportPage(usual));
  const shown = new Set([...document.querySelectorAll("a.n")].map((link) => link.textContent ?? ""));
  const numbers = [...shown].join(" ");
  const figures = renderReportText(usual).match(/[+−]?\d[\d,]*\.\d+/g) ?? [];
  expect(figures.length).toBeGreaterThan(60);
  expect(figures.filter((figure) => !numbers.includes(figure))).toEqual([]);
});

const nastyLabel = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "</script>",
        "<!--",
        "]]>",
        '"',
        "'",
        "&amp;",
        "<img src=x onerror=alert(1)>",
        "\ud800",
        "\u0000",
        "\u001b[2J",
        "\u202e",
        "{claim}",
        "`",
      ),
      fc.string({ unit: "binary", maxLength: 12 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(""))
  .filter((label) => label.trim() !== "" && label !== "base");

test("no label, task or transcript text can leave its place on the page or act on a terminal", () => {
  const plain = parseHTML(
    renderReportPage(
      buildReport(withLabel(makeReportInput({ ...smallPlan, taskCount: 4, transcriptBytes: 3000 }), "x")),
    ),
  ).document;
  const tags = (document: typeof plain) =>
    new Set([...document.querySelectorAll("*")].map((element) => element.tagName));
  const input = makeReportInput({ ...smallPlan, taskCount: 4, transcriptBytes: 3000 });
  fc.assert(
    fc.property(nastyLabel, (label) => {
      const report = buildReport(withLabel(input, label));
      const page = renderReportPage(report);
      const { document } = parseHTML(page);
      expect(page.match(/<script/g)).toHaveLength(1);
      expect([...tags(document)].filter((tag) => !tags(plain).has(tag))).toEqual([]);
      expect(document.querySelectorAll("[onerror]")).toHaveLength(0);
      expect(document.querySelector("h1")?.textContent).toBe(cleanText(label));
      expect(page.isWellFormed()).toBe(true);
      expect(renderReportText(report)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/u);
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test("a page of 1,000 tasks, 16 samples, 12 budgets and 8 k stays below 2 MB", () => {
  const plan = {
    ...usualPlan,
    taskCount: 1000,
    budgets: [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32],
    sampleCounts: [1, 2, 4, 6, 8, 10, 12, 16],
    transcriptBytes: undefined,
  };
  const page = renderReportPage(buildReport(makeReportInput(plan)));
  expect(new TextEncoder().encode(page).length).toBeLessThan(2_000_000);
});
