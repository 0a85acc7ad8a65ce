// internal
import { markup, renderFigure, renderFold, renderHeatTable, type Html } from "../../page/index.js";
import { cellId } from "../report-claims.js";
import {
  describeSetting,
  nameDifference,
  renderBare,
  renderComparisonHead,
  renderSides,
  sortNumbers,
  verdictSigns,
} from "../section-html.js";
import type { ReportSection, ReportView } from "../section.js";

function renderDifferenceGrid(view: ReportView, index: number): Html {
  const comparison = view.report.comparisons[index];
  const { a, b } = comparison;
  const counts = sortNumbers(comparison.cells.map((cell) => cell.k)).reverse();
  const budgets = sortNumbers(comparison.cells.map((cell) => cell.maxTurns));
  const values = comparison.cells.map((cell) => Math.abs(cell.estimate.value)).filter(Number.isFinite);
  const cells = counts.map((k) =>
    budgets.map((maxTurns) => {
      const cell = comparison.cells.find((candidate) => candidate.k === k && candidate.maxTurns === maxTurns);
      if (cell === undefined || !Number.isFinite(cell.estimate.value)) return { value: undefined, content: "–" };
      const sign = markup`<span class="sign" title="${cell.verdict}"><span aria-hidden="true">${verdictSigns[cell.verdict]}</span><span class="hidden"> ${cell.verdict}</span></span>`;
      return {
        value: cell.estimate.value,
        content: markup`${renderBare(view, cellId(`diff.${index}`, k, maxTurns))}${sign}`,
      };
    }),
  );
  const chart = renderHeatTable({
    caption: `${b} minus ${a} in points, by tries k and turn budget T`,
    rowLabel: "k",
    columnLabel: "T",
    rowHeads: counts.map(String),
    columnHeads: budgets.map(String),
    cells,
    scale: Math.max(0.05, ...values),
    hasContour: true,
  });
  const lead = markup`Points of difference; the colour is that of the better policy, the thick line is where the sign changes. ▲ gain, ▼ loss, = equivalent, ? undecided, all by the simultaneous band.`;
  return markup`<div ${renderSides(view, comparison)}>${renderComparisonHead(view, comparison)}${renderFigure({ title: `${nameDifference(view, comparison)}.`, lead, chart })}</div>`;
}

function renderSurfaceGrid(view: ReportView, index: number): Html {
  const surface = view.report.surfaces[index];
  const counts = sortNumbers(surface.sampleCounts).reverse();
  const budgets = sortNumbers(surface.budgets);
  const cells = counts.map((k) =>
    budgets.map((maxTurns) => {
      const cell = surface.cells.find((candidate) => candidate.k === k && candidate.maxTurns === maxTurns);
      const value = cell !== undefined && Number.isFinite(cell.estimate.value) ? cell.estimate.value : undefined;
      return { value, content: renderBare(view, cellId(`pass.${index}`, k, maxTurns)) };
    }),
  );
  const chart = renderHeatTable({
    caption: `Pass@(k,T) of ${surface.label} in %`,
    rowLabel: "k",
    columnLabel: "T",
    rowHeads: counts.map(String),
    columnHeads: budgets.map(String),
    cells,
    scale: 1,
  });
  return markup`<div style="--b:var(--s${index % 8})">${renderFigure({ title: `Pass@(k,T) of ${surface.label}, %.`, lead: describeSetting(surface), chart })}</div>`;
}

function isGrid(cells: readonly { readonly k: number; readonly maxTurns: number }[]): boolean {
  return new Set(cells.map(({ k }) => k)).size > 1 && new Set(cells.map(({ maxTurns }) => maxTurns)).size > 1;
}

/** Differences and success over the whole K x T grid. */
export const gridSection: ReportSection = {
  id: "grid",
  title: "Tries against turns",
  hasContent: ({ surfaces, comparisons }) =>
    surfaces.some(({ cells }) => isGrid(cells)) || comparisons.some(({ cells }) => isGrid(cells)),
  renderHtml: (view) => {
    const { surfaces, comparisons } = view.report;
    const differences = comparisons.map(
      (comparison, index) => isGrid(comparison.cells) && renderDifferenceGrid(view, index),
    );
    const grids = surfaces.map((surface, index) => isGrid(surface.cells) && renderSurfaceGrid(view, index));
    return markup`${differences}${differences.some((part) => part !== false) ? renderFold("Each policy's own surface", grids) : grids}`;
  },
};
