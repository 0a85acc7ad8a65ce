// internal
import type { PolicySurface } from "../../core/index.js";
import { markup, renderFold, renderTable, type Html } from "../../page/index.js";
import { renderNumber, renderPolicy } from "../section-html.js";
import type { ReportSection, ReportView } from "../section.js";
import { layOutTable, wrapText } from "../text-layout.js";

/** Names shown of a long list; all of them stand in report.json. */
const maxNames = 50;

const counts = ["planned", "recorded", "counted", "errored", "unknown"] as const;
const rates = ["rateWithoutErrors", "rateWithErrorsAsFailures"] as const;

/** Returns the budgets that were played on their own, so that each has episodes of its own; none where they are cut. */
function listBudgets({ denominator }: PolicySurface): number[] {
  return (denominator.byBudget ?? []).map(({ maxTurns }) => maxTurns);
}

function renderNames(names: readonly string[]): Html {
  const rest = names.length > maxNames && markup`<li>… all of them stand in report.json</li>`;
  return markup`<ul class="names">${names.slice(0, maxNames).map((name) => markup`<li>${name}</li>`)}${rest}</ul>`;
}

function renderErrors(view: ReportView, surface: PolicySurface, index: number): Html | false {
  const classes = Object.keys(surface.denominator.errorsByClass);
  if (classes.length === 0) return false;
  return markup`<p>${surface.label}, errors by class: ${classes.map((name, i) => markup`${i > 0 && ", "}${name} ${renderNumber(view, `count.${index}.error.${i}`)}`)}.</p>
`;
}

function renderDropped(surface: PolicySurface): Html | false {
  const { droppedTasks } = surface.denominator;
  if (droppedTasks.length === 0) return false;
  return renderFold(
    markup`${surface.label}: tasks left out`,
    renderNames(droppedTasks.map(({ taskId, reason }) => `${taskId}: ${reason}`)),
  );
}

function renderDenominators(view: ReportView): Html {
  const { surfaces, comparisons } = view.report;
  const table = renderTable({
    caption: "Episodes behind each policy's figures",
    columns: [
      { head: "Policy", kind: "row_head" },
      ...counts.map((head) => ({ head })),
      { head: "success of counted" },
      { head: "errors as failures" },
    ],
    rows: surfaces.flatMap((surface, index) => [
      {
        cells: [
          renderPolicy(surface, index),
          ...[...counts, ...rates].map((name) => renderNumber(view, `count.${index}.${name}`)),
        ],
      },
      ...listBudgets(surface).map((maxTurns) => ({
        cells: [
          markup`<span class="setting">${surface.label}, T = ${maxTurns} alone</span>`,
          "",
          ...[...counts.slice(1), ...rates].map((name) => renderNumber(view, `count.${index}.t${maxTurns}.${name}`)),
        ],
      })),
    ]),
    hasHiddenCaption: true,
  });
  const unshared = comparisons.map(({ a, b, onlyInA, onlyInB }) => [
    onlyInA.length > 0 && renderFold(markup`Tasks only in ${a}, not compared with ${b}`, renderNames(onlyInA)),
    onlyInB.length > 0 && renderFold(markup`Tasks only in ${b}, not compared with ${a}`, renderNames(onlyInB)),
  ]);
  return markup`<p>Episodes that ended in an error, or whose outcome is not known, leave the denominator of every T alike. Both rates are shown so that nothing hides in it.${surfaces.some(({ denominator }) => denominator.byBudget !== undefined) && " Where each T was played on its own, the first line sums the episodes of all T; its rates are those of the largest T."}</p>
${table}${surfaces.map((surface, index) => renderErrors(view, surface, index))}${surfaces.map(renderDropped)}${unshared}`;
}

/** What stands behind each figure and what was left out; always shown. */
export const denominatorsSection: ReportSection = {
  id: "denominators",
  title: "What was counted",
  hasContent: ({ surfaces }) => surfaces.length > 0,
  renderHtml: renderDenominators,
  renderText: (context) => {
    const rows = context.report.surfaces.flatMap((surface, index) => [
      [surface.label, ...[...counts, ...rates].map((name) => context.text(`count.${index}.${name}`))],
      ...listBudgets(surface).map((maxTurns) => [
        `  at T=${maxTurns}`,
        "",
        ...[...counts.slice(1), ...rates].map((name) => context.text(`count.${index}.t${maxTurns}.${name}`)),
      ]),
    ]);
    const heads = ["policy", ...counts, "success", "err=fail"];
    const dropped = context.report.surfaces.flatMap(({ label, denominator }) => {
      if (denominator.droppedTasks.length === 0) return [];
      const names = denominator.droppedTasks.slice(0, 5).map(({ taskId, reason }) => `${taskId} (${reason})`);
      const more = denominator.droppedTasks.length > names.length ? ", …" : "";
      return wrapText(`${label}, tasks left out: ${names.join(", ")}${more}`, context.width, "  ");
    });
    return [
      ...layOutTable(
        heads.map((head) => ({ head })),
        rows,
        context,
      ),
      ...dropped,
    ];
  },
};
