// internal
import type { TaskDifference } from "../../core/index.js";
import {
  markup,
  renderDumbbell,
  renderFigure,
  renderFold,
  renderProfileChart,
  renderTable,
  type Html,
} from "../../page/index.js";
import { discordanceFields } from "../report-claims.js";
import { renderBare, renderComparisonHead, renderNumber, renderSides } from "../section-html.js";
import type { ReportSection, ReportView, TextContext } from "../section.js";
import { fitText, layOutTable, wrapText } from "../text-layout.js";

function renderDiscordance(view: ReportView, index: number): Html {
  const { a, b, discordance } = view.report.comparisons[index];
  const columns = [
    { head: "T", kind: "row_head" as const },
    { head: markup`only ${a}` },
    { head: markup`only ${b}` },
    { head: "both" },
    { head: "neither" },
    { head: "exact p" },
    { head: "mid-p" },
  ];
  const rows = discordance.map(({ maxTurns }) => {
    const id = `mcnemar.${index}.t${maxTurns}`;
    return {
      cells: [
        String(maxTurns),
        ...[...discordanceFields, "pExact", "pMid"].map((field) => renderBare(view, `${id}.${field}`)),
      ],
    };
  });
  const table = renderTable({
    caption: `Tasks solved at least once by ${a} and ${b}, with McNemar's test`,
    columns,
    rows,
    hasHiddenCaption: true,
  });
  return markup`<h3>Tasks solved at least once, by turn budget</h3>
<p class="how">McNemar's test is valid with one episode a task; with more it describes, and the band above decides.</p>
${table}`;
}

/** Returns the task as people know it: its id, or its family first where the id is a hash. */
function nameTask({ taskId, family }: TaskDifference): string {
  const isHash = /^[0-9a-f]{16,64}$/.test(taskId);
  return family === undefined || !isHash ? taskId : `${family} · ${taskId.slice(0, 8)}`;
}

function renderListing(view: ReportView, index: number): Html {
  const { a, b, taskDifferences } = view.report.comparisons[index];
  const { rows, omittedCount, discordantCount } = view.report.taskListings[index];
  if (discordantCount === 0) return markup`<p class="none">The two do not differ on any task.</p>`;
  const table = renderTable({
    caption: `Tasks on which ${a} and ${b} differ`,
    columns: [
      { head: "Task", kind: "row_head" },
      { head: markup`${a} <span aria-hidden="true">●</span>` },
      { head: markup`${b} <span aria-hidden="true">■</span>` },
      { head: markup`0–100%`, kind: "text" },
      { head: "points" },
    ],
    rows: rows.map((row) => {
      const task = taskDifferences[row];
      const id = `task.${index}.${row}`;
      return {
        cells: [
          nameTask(task),
          renderBare(view, `${id}.a`),
          renderBare(view, `${id}.b`),
          renderDumbbell(task.a, task.b),
          renderBare(view, id),
        ],
      };
    }),
    hasHiddenCaption: true,
    className: "tall",
  });
  const omitted =
    omittedCount > 0 &&
    markup` The ${renderNumber(view, `omitted.${index}`)} with the smallest differences are only in report.json.`;
  return markup`<h3>Tasks by name</h3>
<p class="how">The two differ on ${renderNumber(view, `discordant.${index}`)} of ${renderNumber(view, `shared.${index}`)} shared tasks; largest difference first.${omitted}</p>
${table}`;
}

function renderComparison(view: ReportView, index: number): Html {
  const comparison = view.report.comparisons[index];
  const { a, b } = comparison;
  const chart = renderProfileChart({
    id: `profile-${index}`,
    title: `${b} minus ${a} on every shared task`,
    description:
      "Tasks sorted by their difference in success: on the left those on which the first policy is better, on the right those on which the second is. The tasks that differ stand by name in the table below.",
    values: view.report.taskListings[index].profile,
    colours: { below: "var(--a)", above: "var(--b)" },
    xLabel: "shared tasks, sorted",
    yLabel: "difference, points",
  });
  const lead = markup`Each task's difference at the largest budget, sorted: left of the flat part ${a} is better, right of it ${b}.`;
  return markup`<div ${renderSides(view, comparison)}>${renderComparisonHead(view, comparison)}${renderFigure({ title: "Who gains, who loses.", lead, chart })}${comparison.discordance.length > 0 && renderFold("Agreement by turn budget (McNemar)", renderDiscordance(view, index))}${renderListing(view, index)}</div>`;
}

/** Names the tasks most in favour of each side. */
function writeNames(context: TextContext, index: number): string[] {
  const { a, b, taskDifferences } = context.report.comparisons[index];
  const { rows } = context.report.taskListings[index];
  const write = (label: string, isBetter: (difference: number) => boolean): string[] => {
    const better = rows.filter((row) => isBetter(taskDifferences[row].b - taskDifferences[row].a));
    if (better.length === 0) return [];
    const names = better
      .slice(0, 6)
      .map((row) => `${fitText(nameTask(taskDifferences[row]), 28)} (${context.text(`task.${index}.${row}`)})`);
    const more = better.length > names.length ? ", …" : "";
    return wrapText(`${label} better on: ${names.join(", ")}${more}`, context.width, "  ");
  };
  return [...write(b, (difference) => difference > 0), ...write(a, (difference) => difference < 0)];
}

/** Per-task differences: the profile, agreement by budget, and discordant tasks by name. */
export const tasksSection: ReportSection = {
  id: "tasks",
  title: "Task by task",
  hasContent: ({ comparisons }) => comparisons.some(({ taskDifferences }) => taskDifferences.length > 0),
  renderHtml: (view) => markup`${view.report.comparisons.map((_comparison, index) => renderComparison(view, index))}`,
  renderText: (context) =>
    context.report.comparisons.flatMap(({ a, b, discordance }, index) => {
      const rows = discordance.map(({ maxTurns }) => {
        const id = `mcnemar.${index}.t${maxTurns}`;
        return [String(maxTurns), ...[...discordanceFields, "pExact"].map((field) => context.text(`${id}.${field}`))];
      });
      const columns = [
        { head: "T" },
        { head: fitText(`only ${a}`, 20) },
        { head: fitText(`only ${b}`, 20) },
        { head: "both" },
        { head: "neither" },
        { head: "McNemar p" },
      ];
      const table = rows.length > 0 ? ["Tasks solved at least once", ...layOutTable(columns, rows, context)] : [];
      return [...table, ...writeNames(context, index), ""];
    }),
};
