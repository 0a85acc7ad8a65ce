// internal
import type { IncidenceRow, PolicySurface } from "../../core/index.js";
import { markup, renderFold, renderLegend, renderLineChart, renderTable, type Html } from "../../page/index.js";
import { incidenceFields } from "../report-claims.js";
import { renderBare } from "../section-html.js";
import type { ReportSection, ReportView } from "../section.js";

type Field = (typeof incidenceFields)[number];

const names: { readonly [field in Field]: string } = {
  success: "Solved by turn t",
  quit: "Quit by turn t",
  fail: "Failed for good by turn t",
  successHazard: "Chance to solve in turn t",
  quitHazard: "Chance to quit in turn t",
  failHazard: "Chance to fail for good in turn t",
};

function occurs(surfaces: readonly PolicySurface[], field: Field): boolean {
  return surfaces.some(({ incidence }) => incidence.some((row) => row[field] > 0));
}

function isCumulative(field: Field): boolean {
  return field === "success" || field === "quit" || field === "fail";
}

function renderSmall(view: ReportView, field: Field): Html {
  const { surfaces } = view.report;
  const last = Math.max(...surfaces.flatMap(({ incidence }) => incidence.map(({ turn }) => turn)));
  const series = surfaces.map(({ label, incidence }, index) => {
    const rows = incidence.map((row: IncidenceRow) => ({
      x: row.turn,
      y: row.atRisk > 0 || isCumulative(field) ? row[field] : undefined,
    }));
    return { label, tone: index, points: isCumulative(field) ? [{ x: 0, y: 0 }, ...rows] : rows };
  });
  const start = isCumulative(field) ? 0 : 1;
  const xTicks = Array.from({ length: last + 1 - start }, (_unused, index) => start + index);
  const chart = renderLineChart({
    id: `incidence-${field}`,
    title: names[field],
    description: `${names[field]}, for ${surfaces.map(({ label }) => label).join(", ")}. The figures stand in the table below.`,
    xLabel: "turn t",
    yLabel: "%",
    xTicks,
    yKind: "share",
    series,
    curve: isCumulative(field) ? "step" : "linear",
    hasEvenScale: true,
    size: "small",
  });
  return markup`<figure class="small"><figcaption><strong>${names[field]}</strong></figcaption>${chart}</figure>`;
}

function renderRows(view: ReportView, index: number): Html {
  const { label, incidence } = view.report.surfaces[index];
  const columns = [
    { head: "turn", kind: "row_head" as const },
    { head: "at risk" },
    ...incidenceFields.map((field) => ({ head: names[field] })),
  ];
  const rows = incidence.map(({ turn }) => ({
    cells: [
      String(turn),
      ...["atRisk", ...incidenceFields].map((field) => renderBare(view, `incidence.${index}.t${turn}.${field}`)),
    ],
  }));
  return renderTable({ caption: `${label}: cumulative incidence and hazards, %`, columns, rows });
}

/** When episodes are solved, given up or lost: cumulative incidence with competing ends, and hazards. */
export const incidenceSection: ReportSection = {
  id: "incidence",
  title: "When episodes end",
  hasContent: ({ surfaces }) => surfaces.some(({ incidence }) => incidence.length > 0),
  renderHtml: (view) => {
    const { surfaces } = view.report;
    const shown = incidenceFields.filter((field) => occurs(surfaces, field));
    const tables = surfaces.map((surface, index) => surface.incidence.length > 0 && renderRows(view, index));
    return markup`<p>Solving, quitting and failing for good compete: an episode that quits can no longer be solved. The upper row counts what has happened by turn t (Aalen-Johansen); the hazards give the chance in turn t among the episodes still going.</p>
${renderLegend(surfaces.map(({ label }, index) => ({ label, tone: index })))}<div class="smalls">${shown.filter(isCumulative).map((field) => renderSmall(view, field))}</div>
<div class="smalls">${shown.filter((field) => !isCumulative(field)).map((field) => renderSmall(view, field))}</div>
${renderFold("Data as a table", tables)}`;
  },
};
