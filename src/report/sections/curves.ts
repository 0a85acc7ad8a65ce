// internal
import type { SurfaceCell } from "../../core/index.js";
import {
  renderChoices,
  renderFigure,
  renderLegend,
  renderLineChart,
  renderTable,
  type Html,
  type LineSeries,
} from "../../page/index.js";
import { cellId } from "../report-claims.js";
import type { Report } from "../report.js";
import { describeSetting, renderBare, renderFirst, sortNumbers } from "../section-html.js";
import type { ReportSection, ReportView } from "../section.js";
import { fitText, layOutTable } from "../text-layout.js";

function listCounts({ surfaces }: Report): number[] {
  return sortNumbers(surfaces.flatMap((surface) => surface.sampleCounts));
}

function writePoint(view: ReportView, label: string, id: string, { maxTurns, mark }: SurfaceCell): string {
  const band = [`${id}.band`, `${id}.interval`].find((name) => view.findClaim(name) !== undefined);
  return `${label}, T = ${maxTurns} (${mark}): ${view.text(id)}${band === undefined ? "" : ` ${view.text(band)}`}`;
}

function renderCurve(view: ReportView, k: number): Html {
  const { surfaces } = view.report;
  const shown = surfaces.flatMap((surface, index) => (surface.sampleCounts.includes(k) ? [{ surface, index }] : []));
  const budgets = sortNumbers(shown.flatMap(({ surface }) => surface.budgets));
  const series = shown.map(({ surface, index }): LineSeries => {
    const points = surface.cells
      .filter((cell) => cell.k === k)
      .sort((left, right) => left.maxTurns - right.maxTurns)
      .map((cell) => {
        const { value, band, interval } = cell.estimate;
        const around = band ?? interval;
        const title = writePoint(view, surface.label, cellId(`pass.${index}`, k, cell.maxTurns), cell);
        return {
          x: cell.maxTurns,
          y: Number.isFinite(value) ? value : undefined,
          lower: around?.lower,
          upper: around?.upper,
          title,
        };
      });
    return { label: surface.label, tone: index, points };
  });
  const what =
    k === 1
      ? "Share of attempts that succeed within T turns"
      : `Share of tasks solved at least once in ${k} tries of T turns`;
  const chart = renderLineChart({
    id: `curve-k${k}`,
    title: `Pass@(${k},T)`,
    description: `${what}. ${shown.map(({ surface }) => `${surface.label}: ${describeSetting(surface)}`).join("; ")}. The figures stand in the table below the chart.`,
    xLabel: "turn budget T",
    yLabel: "success, %",
    xTicks: budgets,
    yKind: "share",
    series,
  });
  const columns = [
    { head: "T", kind: "row_head" as const },
    ...shown.flatMap(({ surface }) => [
      { head: surface.label },
      { head: "band" },
      { head: "made by", kind: "text" as const },
    ]),
  ];
  const rows = budgets.map((maxTurns) => {
    const cells = shown.flatMap(({ surface, index }) => {
      const id = cellId(`pass.${index}`, k, maxTurns);
      const cell = surface.cells.find((candidate) => candidate.k === k && candidate.maxTurns === maxTurns);
      return [renderBare(view, id), renderFirst(view, [`${id}.band`, `${id}.interval`]), cell?.mark ?? ""];
    });
    return { cells: [String(maxTurns), ...cells] };
  });
  const table = renderTable({ caption: `Pass@(${k},T) in %, with bands`, columns, rows });
  const legend = renderLegend(
    shown.map(({ surface, index }) => ({ label: `${surface.label} (${describeSetting(surface)})`, tone: index })),
  );
  return renderFigure({
    title: `Pass@(${k},T).`,
    lead: `${what}. Shaded: bands that hold for all cells together.`,
    legend,
    chart,
    table,
  });
}

/** Success against the turn budget, for each k. */
export const curvesSection: ReportSection = {
  id: "curves",
  title: "Success by turn budget",
  hasContent: (report) => report.surfaces.some((surface) => surface.cells.length > 0),
  renderHtml: (view) =>
    renderChoices(
      "curve-k",
      "Tries a task",
      listCounts(view.report).map((k) => ({ label: `k = ${k}`, content: renderCurve(view, k) })),
    ),
  renderText: (context) => {
    const { surfaces, comparisons } = context.report;
    const compared = new Set(comparisons.flatMap(({ a, b }) => [a, b]));
    // What is compared stands in the table of differences already.
    return surfaces.flatMap((surface, index) => {
      if (compared.has(surface.label)) return [];
      const counts = sortNumbers(surface.sampleCounts);
      const rows = sortNumbers(surface.budgets).map((maxTurns) => [
        String(maxTurns),
        ...counts.map((k) => context.text(cellId(`pass.${index}`, k, maxTurns), { hasUnit: false })),
      ]);
      const table = layOutTable([{ head: "T" }, ...counts.map((k) => ({ head: `k=${k}` }))], rows, context);
      return [fitText(`${surface.label}: pass@(k,T), %`, context.width), ...table, ""];
    });
  },
};
