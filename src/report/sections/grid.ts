// internal
import type { PolicySurface } from "../../core/index.js";
import {
  markup,
  renderContourChart,
  renderFigure,
  renderFold,
  renderHeatTable,
  renderTable,
  type Html,
  type HtmlPart,
} from "../../page/index.js";
import { cellId } from "../report-claims.js";
import {
  describeSetting,
  nameDifference,
  renderBare,
  renderNumber,
  renderComparisonHead,
  renderSides,
  sortNumbers,
  verdictSigns,
} from "../section-html.js";
import type { ReportSection, ReportView, TextContext } from "../section.js";
import { layOutTable, wrapText } from "../text-layout.js";

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

const slopeWords =
  "The slope is the change of log2 tries for each doubling of the turns: at −1 a doubling saves half of the tries, below that longer attempts are the better buy, above it more attempts.";

/** Returns a row for each step of each line of equal success. */
function renderContourTable(view: ReportView, { label, contours = [] }: PolicySurface, index: number): Html {
  const rows = contours.flatMap(({ points }, i) =>
    points.slice(1).map((point, j) => {
      const id = `iso.${index}.${i}`;
      return {
        cells: [
          renderNumber(view, `${id}.level`),
          `${points[j].maxTurns} to ${point.maxTurns}`,
          renderBare(view, `${id}.p${j}`),
          renderBare(view, `${id}.p${j}.band`),
          renderBare(view, `${id}.p${j + 1}`),
          renderBare(view, `${id}.p${j + 1}.band`),
          renderBare(view, `${id}.s${j}`),
        ],
      };
    }),
  );
  return renderTable({
    caption: `Tries of ${label} that give the same success with more turns`,
    columns: [
      { head: "success", kind: "row_head" },
      { head: "T" },
      { head: "tries before" },
      { head: "band" },
      { head: "tries after" },
      { head: "band" },
      { head: "slope" },
    ],
    rows,
  });
}

/** Draws the lines of equal success over the surface, with their slopes. */
function renderContours(view: ReportView, index: number): HtmlPart {
  const surface = view.report.surfaces[index];
  const { label, contours = [], cells } = surface;
  if (contours.length === 0) return false;
  const chart = renderContourChart({
    id: `contours-${index}`,
    title: `Lines of equal success of ${label}`,
    description: `Tries k and turn budgets T at which ${label} succeeds equally often, over its surface. The figures stand in the table below.`,
    xLabel: "turn budget T",
    yLabel: "tries k",
    tone: index,
    cells: cells
      .filter(({ maxTurns }) => maxTurns >= 1)
      .map(({ k, maxTurns, estimate }) => ({
        x: maxTurns,
        y: k,
        value: estimate.value,
        title: `${k} tries, T = ${maxTurns}: ${view.text(cellId(`pass.${index}`, k, maxTurns))}`,
      })),
    lines: contours.map(({ points }, i) => ({
      label: view.text(`iso.${index}.${i}.level`),
      points: points.map(({ maxTurns, tries }, j) => ({
        x: maxTurns,
        y: tries,
        title: `T = ${maxTurns}: ${view.text(`iso.${index}.${i}.p${j}`)} tries`,
      })),
    })),
  });
  return renderFigure({
    title: `What turns are worth in tries of ${label}.`,
    lead: markup`Along a line success is the same. ${slopeWords}`,
    chart,
    table: renderContourTable(view, surface, index),
  });
}

/** Writes the slope of every line from its first to its last T. */
function writeContours(context: TextContext): string[] {
  const { surfaces } = context.report;
  const rows = surfaces.flatMap(({ label, contours = [] }, index) =>
    contours.map(({ points }, i) => {
      const id = `iso.${index}.${i}`;
      const last = points.length - 1;
      return [
        label,
        context.text(`${id}.level`),
        `${points[0].maxTurns} to ${points[last].maxTurns}`,
        `${context.text(`${id}.p0`)} to ${context.text(`${id}.p${last}`)}`,
        context.text(`${id}.slope`),
      ];
    }),
  );
  if (rows.length === 0) return [];
  return [
    "Lines of equal success",
    ...layOutTable(
      ["policy", "success", "T", "tries", "slope"].map((head) => ({ head })),
      rows,
      context,
    ),
    ...wrapText(slopeWords, context.width),
    "",
  ];
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
    const contours = surfaces.map((_surface, index) => renderContours(view, index));
    return markup`${differences}${differences.some((part) => part !== false) ? renderFold("Each policy's own surface", grids) : grids}${contours}`;
  },
  renderText: writeContours,
};
