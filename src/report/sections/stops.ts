// internal
import { stopLabels, type StopLabel } from "../../core/index.js";
import { markup, renderFigure, renderShareBar, renderSwatch, renderTable, type Html } from "../../page/index.js";
import type { Report } from "../report.js";
import { describeStop, renderBare, sortNumbers } from "../section-html.js";
import type { ReportSection, ReportView } from "../section.js";
import { layOutTable, wrapText } from "../text-layout.js";

/** The stop labels that occur at all, in their fixed order. */
function listLabels({ surfaces }: Report): StopLabel[] {
  return stopLabels.filter((label) =>
    surfaces.some((surface) => surface.stopShares.some(({ shares }) => (shares[label] ?? 0) > 0)),
  );
}

function renderBars(view: ReportView, labels: readonly StopLabel[]): Html {
  const { surfaces } = view.report;
  const budgets = sortNumbers(surfaces.flatMap((surface) => surface.stopShares.map(({ maxTurns }) => maxTurns)));
  const groups = budgets.map((maxTurns) => {
    const bars = surfaces.map((surface, index) => {
      const shares = surface.stopShares.find((row) => row.maxTurns === maxTurns)?.shares;
      if (shares === undefined) return false;
      const parts = labels.map((label) => ({
        className: `stop-${label}`,
        label: `${surface.label}, T = ${maxTurns}, ${describeStop(label)}`,
        share: shares[label] ?? 0,
        text: view.text(`stop.${index}.t${maxTurns}.${label}`),
      }));
      return markup`<div class="barrow">${renderSwatch(index)}${renderShareBar(parts)}</div>`;
    });
    return markup`<div class="bargroup"><span class="barhead">T = ${maxTurns}</span><div>${bars}</div></div>
`;
  });
  return markup`<div class="bars">${groups}</div>`;
}

function renderStops(view: ReportView): Html {
  const { surfaces } = view.report;
  const labels = listLabels(view.report);
  const key = markup`<ul class="legend">${surfaces.map(({ label }, index) => markup`<li>${renderSwatch(index)} ${label}</li>`)}</ul>
<ul class="legend">${labels.map((label) => markup`<li><span class="chip stop-${label}"></span> ${describeStop(label)}</li>`)}</ul>
`;
  const rows = surfaces.flatMap((surface, index) =>
    surface.stopShares.map(({ maxTurns }) => ({
      cells: [
        surface.label,
        String(maxTurns),
        ...labels.map((label) => renderBare(view, `stop.${index}.t${maxTurns}.${label}`)),
      ],
    })),
  );
  const table = renderTable({
    caption: "Why episodes ended, % of counted episodes",
    columns: [
      { head: "Policy", kind: "row_head" },
      { head: "T" },
      ...labels.map((label) => ({ head: describeStop(label) })),
    ],
    rows,
  });
  const lead =
    "Shares of counted episodes. Why an episode ended and whether it succeeded are two things: only the ends named here are exclusive.";
  return renderFigure({ title: "Ends by turn budget.", lead, legend: key, chart: renderBars(view, labels), table });
}

/** Why episodes ended, by turn budget, side by side. */
export const stopsSection: ReportSection = {
  id: "stops",
  title: "Why episodes ended",
  hasContent: (report) => listLabels(report).length > 0,
  renderHtml: renderStops,
  renderText: (context) => {
    const { surfaces } = context.report;
    const labels = listLabels(context.report);
    const rows = surfaces.map((surface, index) => {
      const largest = Math.max(...surface.stopShares.map(({ maxTurns }) => maxTurns));
      const shares = labels.map((label) => context.text(`stop.${index}.t${largest}.${label}`, { hasUnit: false }));
      return [surface.label, String(largest), ...shares];
    });
    const columns = [{ head: "policy" }, { head: "T" }, ...labels.map((label) => ({ head: describeStop(label) }))];
    return [
      ...wrapText("Ends at the largest budget, % of counted episodes", context.width),
      ...layOutTable(columns, rows, context),
    ];
  },
};
