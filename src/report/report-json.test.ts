import { expect, test } from "vitest";
import { makeReportInput, usualPlan } from "../../test/report/synthetic-report.js";
import { buildReport } from "./build-report.js";
import { renderReportPage } from "./render-report-page.js";
import { renderReportText } from "./render-report-text.js";
import { parseReport, renderReportJson } from "./report-json.js";

const report = buildReport(
  makeReportInput({ ...usualPlan, taskCount: 12, samples: 4, sampleCounts: [1, 4], budgets: [1, 4] }),
);

test("parseReport() gives back a report whose page, text and JSON are the same bytes", () => {
  const parsed = parseReport(renderReportJson(report), "report.json");
  expect(renderReportJson(parsed)).toBe(renderReportJson(report));
  expect(renderReportPage(parsed)).toBe(renderReportPage(report));
  expect(renderReportText(parsed)).toBe(renderReportText(report));
});

test("renderReportJson() writes infinite and undefined numbers as tags", () => {
  const surfaces = report.surfaces.map((surface) => ({ ...surface, meanTurns: NaN, meanCost: Infinity }));
  const text = renderReportJson({ ...report, surfaces });
  expect(parseReport(text, "x").surfaces[0]).toMatchObject({ meanTurns: NaN, meanCost: Infinity });
});

test.each([
  { name: "text that is not JSON", text: "{" },
  { name: "JSON of another kind", text: "[]" },
  { name: "another schema", text: '{"schema":"turnwise.report/9"}' },
])("parseReport() refuses $name and names the file", ({ text }) => {
  expect(() => parseReport(text, "some/report.json")).toThrow(/Cannot read the report "some\/report.json"/);
});
