// internal
import type { PolicySurface } from "../../core/index.js";
import { markup, renderTable, type Html } from "../../page/index.js";
import { cellId } from "../report-claims.js";
import type { Report } from "../report.js";
import { describeSetting, renderBare, renderFirst, renderNumber, renderP, renderPolicy } from "../section-html.js";
import type { ReportSection, ReportView } from "../section.js";
import { layOutTable } from "../text-layout.js";

interface Corners {
  readonly lowK: number;
  readonly highK: number;
  readonly lowT: number;
  readonly highT: number;
}

function getCorners({ sampleCounts, budgets }: PolicySurface): Corners {
  return {
    lowK: Math.min(...sampleCounts),
    highK: Math.max(...sampleCounts),
    lowT: Math.min(...budgets),
    highT: Math.max(...budgets),
  };
}

/** The samples per task as one number, or as a range where they differ. */
function listSampleIds(index: number, surface: PolicySurface): string[] {
  const { minSamplesPerTask, maxSamplesPerTask } = surface.denominator;
  const [low, high] = [`count.${index}.minSamples`, `count.${index}.maxSamples`];
  return minSamplesPerTask === maxSamplesPerTask ? [low] : [low, high];
}

/** Names a corner of the grid; the surfaces of one report may have different grids. */
function nameCorner(surfaces: readonly PolicySurface[], pick: (corners: Corners) => readonly [number, number]): string {
  const names = new Set(surfaces.map((surface) => pick(getCorners(surface)).join(",")));
  const [only] = names;
  return names.size === 1 && only !== undefined ? `pass@(${only})` : "";
}

function renderFigures(view: ReportView): Html {
  const { surfaces } = view.report;
  const hasTries = surfaces.some((surface) => getCorners(surface).highK > getCorners(surface).lowK);
  const hasBudgets = surfaces.some((surface) => surface.budgets.length > 1);
  const hasTokens = surfaces.some((surface) => surface.meanTokens !== undefined);
  const hasCost = surfaces.some((surface) => surface.meanCost !== undefined);
  const rows = surfaces.map((surface, index) => {
    const { lowK, highK, lowT, highT } = getCorners(surface);
    const top = cellId(`pass.${index}`, lowK, highT);
    const cells = [
      renderPolicy(surface, index),
      ...(hasBudgets ? [renderNumber(view, cellId(`pass.${index}`, lowK, lowT))] : []),
      markup`<strong>${renderNumber(view, top)}</strong>`,
      renderFirst(view, [`${top}.interval`, `${top}.band`]),
      ...(hasTries
        ? [renderNumber(view, cellId(`pass.${index}`, highK, highT)), renderNumber(view, `passhat.${index}.k${highK}`)]
        : []),
      renderBare(view, `turns.${index}`),
      ...(hasTokens ? [renderBare(view, `tokens.${index}`)] : []),
      ...(hasCost ? [renderBare(view, `cost.${index}`)] : []),
      markup`${renderBare(view, `tasks.${index}`)} × ${listSampleIds(index, surface).map((id, i) => markup`${i > 0 && "–"}${renderBare(view, id)}`)}`,
    ];
    return { cells };
  });
  const tight = nameCorner(surfaces, ({ lowK, lowT }) => [lowK, lowT]);
  const loose = nameCorner(surfaces, ({ lowK, highT }) => [lowK, highT]);
  const reach = nameCorner(surfaces, ({ highK, highT }) => [highK, highT]);
  const columns = [
    { head: "Policy", kind: "row_head" as const },
    ...(hasBudgets ? [{ head: markup`Tightest budget <small>${tight}</small>` }] : []),
    { head: markup`Largest budget <small>${loose}</small>` },
    { head: markup`Its interval <small>%</small>` },
    ...(hasTries
      ? [{ head: markup`Most tries <small>${reach}</small>` }, { head: markup`All tries <small>pass^k</small>` }]
      : []),
    { head: "Mean turns" },
    ...(hasTokens ? [{ head: "Mean tokens" }] : []),
    ...(hasCost ? [{ head: "Mean cost" }] : []),
    { head: "Tasks × samples" },
  ];
  return markup`${renderTable({ caption: "Success of each policy at the corners of the grid", columns, rows, hasHiddenCaption: true })}
${view.report.comparisons.map((_comparison, index) => renderComparison(view, index))}`;
}

function renderComparison(view: ReportView, index: number): Html {
  const { report } = view;
  const comparison = report.comparisons[index];
  const reversals = comparison.reversalTurns.map(
    (_turns, i) => markup`${i > 0 && ", "}${renderNumber(view, `reversal.${index}.${i}`)}`,
  );
  return markup`<div class="facts"><h3>${comparison.b} <span class="minus">minus</span> ${comparison.a}</h3><dl>
<div><dt>Onset: smallest T with a gain</dt><dd>${comparison.onsetTurns === undefined ? "none" : markup`T = ${renderNumber(view, `onset.${index}`)}`}</dd></div>
<div><dt>Reversals: T with a loss</dt><dd>${reversals.length === 0 ? "none" : markup`T = ${reversals}`}</dd></div>
<div><dt>Mean difference over the T grid</dt><dd>${renderNumber(view, `area.${index}`)} <small>${renderFirst(view, [`area.${index}.interval`, `area.${index}.band`])}</small></dd></div>
<div><dt>Smallest difference this design finds</dt><dd>${view.findClaim(`mdd.${index}`) === undefined ? "no spread to estimate it from" : markup`${renderNumber(view, `mdd.${index}`)} <small>80% power</small>`}</dd></div>
<div><dt>Sign-flip test at the largest T</dt><dd>${renderP(view, `flip.${index}`)}</dd></div>
<div><dt>Shared tasks</dt><dd>${renderNumber(view, `shared.${index}`)}</dd></div>
</dl></div>
`;
}

/** The headline numbers of each policy and each comparison. */
export const figuresSection: ReportSection = {
  id: "figures",
  title: "Key figures",
  hasContent: (report: Report) => report.surfaces.length > 0,
  renderHtml: renderFigures,
  renderText: (context) => {
    const columns = [
      "policy",
      "setting",
      "tightest T",
      "largest T",
      "interval, %",
      "most tries",
      "mean turns",
      "counted",
    ];
    const rows = context.report.surfaces.map((surface, index) => {
      const { lowK, highK, lowT, highT } = getCorners(surface);
      const top = cellId(`pass.${index}`, lowK, highT);
      const interval = context.findClaim(`${top}.interval`) === undefined ? `${top}.band` : `${top}.interval`;
      return [
        surface.label,
        describeSetting(surface),
        context.text(cellId(`pass.${index}`, lowK, lowT)),
        context.text(top),
        context.text(interval, { hasUnit: false }),
        context.text(cellId(`pass.${index}`, highK, highT)),
        context.text(`turns.${index}`),
        `${context.text(`count.${index}.counted`)}/${context.text(`count.${index}.recorded`)}`,
      ];
    });
    return layOutTable(
      columns.map((head) => ({ head })),
      rows,
      context,
    );
  },
};
