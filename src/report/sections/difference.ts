// internal
import type { ComparisonResult, DifferenceCell } from "../../core/index.js";
import { markup, renderChoices, renderFigure, renderLineChart, renderTable, type Html } from "../../page/index.js";
import { cellId } from "../report-claims.js";
import {
  findSurfaceIndex,
  renderBare,
  renderComparisonHead,
  nameDifference,
  renderFirst,
  renderSides,
  renderVerdict,
  sortNumbers,
  verdictSigns,
} from "../section-html.js";
import type { ReportSection, ReportView, TextColour, TextContext } from "../section.js";
import { fitText, layOutTable, wrapText } from "../text-layout.js";

function pickCells(comparison: ComparisonResult, k: number): DifferenceCell[] {
  return comparison.cells.filter((cell) => cell.k === k).sort((left, right) => left.maxTurns - right.maxTurns);
}

function renderDifference(view: ReportView, index: number, k: number): Html {
  const comparison = view.report.comparisons[index];
  const { a, b, onsetTurns, reversalTurns } = comparison;
  const cells = pickCells(comparison, k);
  const id = (cell: DifferenceCell) => cellId(`diff.${index}`, k, cell.maxTurns);
  const points = cells.map((cell) => {
    const { value, band, interval } = cell.estimate;
    const around = band ?? interval;
    const title = `T = ${cell.maxTurns}: ${view.text(id(cell))}, ${cell.verdict}`;
    return {
      x: cell.maxTurns,
      y: Number.isFinite(value) ? value : undefined,
      lower: around?.lower,
      upper: around?.upper,
      title,
    };
  });
  const isFirst = k === Math.min(...comparison.cells.map((cell) => cell.k));
  const marks = isFirst
    ? [
        ...(onsetTurns === undefined ? [] : [{ x: onsetTurns, text: "onset" }]),
        ...reversalTurns.map((x) => ({ x, text: "loss" })),
      ]
    : [];
  const chart = renderLineChart({
    id: `diff-${index}-k${k}`,
    title: `${b} minus ${a}, k = ${k}`,
    description: `Difference in success by turn budget. Verdicts: ${cells.map((cell) => `T = ${cell.maxTurns} ${cell.verdict}`).join(", ")}.`,
    xLabel: "turn budget T",
    yLabel: "difference, points",
    xTicks: cells.map((cell) => cell.maxTurns),
    yKind: "difference",
    series: [{ label: b, tone: Math.max(0, findSurfaceIndex(view, b)), points }],
    marks,
  });
  const columns = [
    { head: "T", kind: "row_head" as const },
    { head: a },
    { head: b },
    { head: "difference" },
    { head: "band" },
    { head: "verdict", kind: "text" as const },
  ];
  const surfaceIds = [findSurfaceIndex(view, a), findSurfaceIndex(view, b)];
  const rows = cells.map((cell) => ({
    cells: [
      String(cell.maxTurns),
      ...surfaceIds.map((surface) => renderBare(view, cellId(`pass.${surface}`, k, cell.maxTurns))),
      markup`<strong>${renderBare(view, id(cell))}</strong>`,
      renderFirst(view, [`${id(cell)}.band`, `${id(cell)}.interval`]),
      renderVerdict(cell.verdict),
    ],
  }));
  const table = renderTable({
    caption: `${b} minus ${a} at k = ${k}: success in %, difference in points`,
    columns,
    rows,
    hasHiddenCaption: true,
  });
  const lead = markup`Above the line ${b} is better, below it ${a}. The band holds for all budgets and k together; where it crosses the line, the verdict is open.`;
  return markup`${renderFigure({ title: `${nameDifference(view, comparison)}, k = ${k}.`, lead, chart })}${table}`;
}

const verdictColours: { readonly [verdict in DifferenceCell["verdict"]]: TextColour } = {
  gain: "gain",
  loss: "loss",
  equivalent: "bold",
  undecided: "dim",
};

/** Writes the table of one k with bands and verdict words. */
function writeTable(context: TextContext, index: number, k: number): string[] {
  const comparison = context.report.comparisons[index];
  const cells = pickCells(comparison, k);
  const surfaceIds = [findSurfaceIndex(context, comparison.a), findSurfaceIndex(context, comparison.b)];
  const rows = cells.map((cell) => {
    const id = cellId(`diff.${index}`, k, cell.maxTurns);
    const band = context.findClaim(`${id}.band`) === undefined ? `${id}.interval` : `${id}.band`;
    const rates = surfaceIds.map((surface) =>
      context.text(cellId(`pass.${surface}`, k, cell.maxTurns), { hasUnit: false }),
    );
    return [
      String(cell.maxTurns),
      ...rates,
      context.text(id, { hasUnit: false }),
      context.text(band, { hasUnit: false }),
      cell.verdict,
    ];
  });
  const heads = ["T", fitText(comparison.a, 16), fitText(comparison.b, 16), "difference", "band"];
  const columns = [...heads.map((head) => ({ head })), { head: "verdict", align: "left" as const }];
  const decorate = (text: string, row: number, column: number) =>
    column === columns.length - 1 ? context.paint(text, verdictColours[cells[row]?.verdict ?? "undecided"]) : text;
  return layOutTable(columns, rows, { width: context.width, decorate });
}

/** Writes the differences of the other k as one matrix, a sign for each verdict. */
function writeMatrix(context: TextContext, index: number, counts: readonly number[]): string[] {
  const { cells } = context.report.comparisons[index];
  const budgets = sortNumbers(cells.map((cell) => cell.maxTurns));
  const rows = budgets.map((maxTurns) => [
    String(maxTurns),
    ...counts.map((k) => {
      const verdict = cells.find((cell) => cell.k === k && cell.maxTurns === maxTurns)?.verdict;
      const text = context.text(cellId(`diff.${index}`, k, maxTurns), { hasUnit: false });
      return verdict === undefined ? text : `${text} ${verdictSigns[verdict]}`;
    }),
  ]);
  const table = layOutTable([{ head: "T" }, ...counts.map((k) => ({ head: `k=${k}  ` }))], rows, context);
  const head = "Difference in points by tries a task (▲ gain, ▼ loss, = equivalent, ? undecided)";
  return ["", ...wrapText(head, context.width), ...table];
}

/** Writes what the table sums up to: onset, reversals, mean over the grid, and what the design could have found. */
function writeFacts(context: TextContext, index: number): string[] {
  const { onsetTurns, reversalTurns } = context.report.comparisons[index];
  const onset = onsetTurns === undefined ? "none" : `T = ${context.text(`onset.${index}`)}`;
  const reversals = reversalTurns.map((_turns, i) => context.text(`reversal.${index}.${i}`)).join(", ");
  const ends = [`area.${index}.interval`, `area.${index}.band`].find((id) => context.findClaim(id) !== undefined);
  const area = `${context.text(`area.${index}`)}${ends === undefined ? "" : ` ${context.text(ends)}`}`;
  const facts = [
    `Onset ${onset}`,
    `reversals ${reversals === "" ? "none" : `T = ${reversals}`}`,
    `mean over the T grid ${area}`,
    context.findClaim(`mdd.${index}`) === undefined
      ? "smallest difference found: no spread to estimate it from"
      : `smallest difference found with 80% power ${context.text(`mdd.${index}`)}`,
  ];
  return wrapText(`${facts.join(" · ")}.`, context.width);
}

/** The difference of two policies against the turn budget, with verdict words. */
export const differenceSection: ReportSection = {
  id: "difference",
  title: "Difference by turn budget",
  hasContent: (report) => report.comparisons.some((comparison) => comparison.cells.length > 0),
  renderHtml: (view) =>
    markup`${view.report.comparisons.map((comparison, index) => {
      const counts = sortNumbers(comparison.cells.map((cell) => cell.k));
      const choices = counts.map((k) => ({ label: `k = ${k}`, content: renderDifference(view, index, k) }));
      return markup`<div ${renderSides(view, comparison)}>${renderComparisonHead(view, comparison)}${renderChoices(`diff-${index}-k`, "Tries a task", choices)}</div>`;
    })}`,
  renderText: (context) =>
    context.report.comparisons.flatMap((comparison, index) => {
      const [first, ...others] = sortNumbers(comparison.cells.map((cell) => cell.k));
      if (first === undefined) return [];
      const head = `${comparison.b} minus ${comparison.a}, pass@(${first},T) in %, difference in points`;
      const matrix = others.length > 0 ? writeMatrix(context, index, others) : [];
      return [
        ...wrapText(head, context.width),
        ...writeTable(context, index, first),
        ...writeFacts(context, index),
        ...matrix,
        "",
      ];
    }),
};
