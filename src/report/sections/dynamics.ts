// internal
import { dynamicsMeasures, type DynamicsMeasure, type DynamicsResult } from "../../core/index.js";
import { markup, renderFigure, renderFold, renderHeatTable, renderTable, type Html } from "../../page/index.js";
import { renderBare, renderFirst, verdictSigns } from "../section-html.js";
import type { ReportSection, ReportView, TextContext } from "../section.js";
import { layOutTable, wrapText } from "../text-layout.js";

const names: { readonly [measure in DynamicsMeasure]: string } = {
  meanTurns: "mean turns",
  quitShare: "quit, % of episodes",
  wrongShare: "wrong end, %",
  truncationShare: "truncated, %",
  invalidShare: "invalid turns, %",
  toolErrorShare: "tool errors, % of turns",
  quitClean: "quits a clean turn, %",
  quitError: "quits a turn in error, %",
  errorRate: "errs a clean turn, %",
  recoveryRate: "recovers a turn in error, %",
  wrongRate: "wrong end a turn, %",
  rewardDeviation: "reward deviation within tasks",
  uniformGroupShare: "tasks with equal rewards, %",
  entropy: "entropy, nats a token",
  distinctActionRate: "distinct actions, % of turns",
  distinctSequenceRate: "distinct episodes within tasks, %",
};

function nameCheckpoint({ label, updateIndex }: DynamicsResult["checkpoints"][number]): string {
  return updateIndex === undefined || String(updateIndex) === label ? label : `${label} (update ${updateIndex})`;
}

function renderHeat(view: ReportView, { checkpoints, budgets, mark, disclosure, terminalRule }: DynamicsResult): Html {
  const cells = checkpoints.map(({ cells: row }, c) =>
    row.map(({ maxTurns, estimate, change }) => ({
      value: estimate.value,
      content: markup`${renderBare(view, `dynamics.${c}.t${maxTurns}`)}${change !== undefined && change.verdict !== "undecided" && markup`<span class="sign" title="${change.verdict}"><span aria-hidden="true">${verdictSigns[change.verdict]}</span><span class="hidden"> ${change.verdict}</span></span>`}`,
    })),
  );
  const chart = renderHeatTable({
    caption: "Success in % by checkpoint and turn budget T",
    rowLabel: "checkpoint",
    columnLabel: "T",
    rowHeads: checkpoints.map(nameCheckpoint),
    columnHeads: budgets.map(String),
    cells,
    scale: 1,
  });
  const lead = markup`Success within T turns, %, ${disclosure} · ${terminalRule} · ${mark}. ▲ gain, ▼ loss, = equivalent to the first checkpoint, by a band over all cells; no sign: undecided.`;
  return markup`<div style="--b:var(--s1)">${renderFigure({ title: "Success over training.", lead, chart })}</div>`;
}

function listMeasures({ checkpoints }: DynamicsResult): DynamicsMeasure[] {
  return dynamicsMeasures.filter((measure) => checkpoints.some(({ measures }) => measures[measure] !== undefined));
}

function renderMeasures(view: ReportView, result: DynamicsResult): Html {
  const rows = listMeasures(result).map((measure) => ({
    cells: [
      names[measure],
      ...result.checkpoints.map((_checkpoint, c) => {
        const id = `dynamics.${c}.${measure}`;
        return markup`${renderBare(view, id)}${c > 0 && markup` <span class="why">${renderFirst(view, [`${id}.change.interval`, `${id}.change`])}</span>`}`;
      }),
    ],
  }));
  return renderTable({
    caption: "Behaviour over training; the interval is that of the change from the first checkpoint",
    columns: [
      { head: "Measure", kind: "row_head" },
      ...result.checkpoints.map((checkpoint) => ({ head: nameCheckpoint(checkpoint) })),
    ],
    rows,
  });
}

function renderSelection(view: ReportView, { selection }: DynamicsResult): Html {
  if (selection === undefined)
    return markup`<p>Too few tasks to choose a checkpoint on some and report it on others.</p>`;
  const rows = selection.rows.map(({ maxTurns, chosen }) => {
    const id = `selection.t${maxTurns}`;
    return {
      cells: [
        String(maxTurns),
        chosen,
        renderBare(view, `${id}.selected`),
        markup`<strong>${renderBare(view, `${id}.reported`)}</strong> ${renderBare(view, `${id}.reported.interval`)}`,
        renderBare(view, `${id}.optimism`),
        renderBare(view, `${id}.agreement`),
      ],
    };
  });
  const table = renderTable({
    caption: "The best checkpoint at each T, chosen on one half of the tasks",
    columns: [
      { head: "T", kind: "row_head" },
      { head: "chosen", kind: "text" },
      { head: "where chosen, %" },
      { head: "on other tasks, %" },
      { head: "mean optimism, points" },
      { head: "chosen again, % of splits" },
    ],
    rows,
  });
  return markup`<p>Chosen on ${renderBare(view, "selection.selectionTasks")} tasks and reported on the other ${renderBare(view, "selection.reportTasks")}. The best of several looks better than it is on the tasks it was chosen on; mean optimism is by how much, over ${renderBare(view, "selection.splits")} random halvings.</p>
${table}`;
}

function renderHtml(view: ReportView): Html {
  const { dynamics } = view.report;
  if (dynamics === undefined) return markup``;
  const flags = dynamics.flags.map(
    ({ flag, label, finding, rule }) =>
      markup`<li><strong>${flag}</strong> at ${label}: ${finding}. Rule: ${rule}.</li>`,
  );
  const rules = dynamics.rules.map(({ flag, rule }) => markup`<li><strong>${flag}</strong>: ${rule}</li>`);
  return markup`${renderHeat(view, dynamics)}${flags.length > 0 ? markup`<ul>${flags}</ul>` : markup`<p>No rule of training health is broken.</p>`}
${renderFold("The rules", markup`<ul>${rules}</ul>`)}${renderMeasures(view, dynamics)}${renderSelection(view, dynamics)}`;
}

function renderText(context: TextContext): string[] {
  const { dynamics } = context.report;
  if (dynamics === undefined) return [];
  const rows = dynamics.checkpoints.map((checkpoint, c) => [
    nameCheckpoint(checkpoint),
    ...checkpoint.cells.map(
      ({ maxTurns, change }) =>
        `${context.text(`dynamics.${c}.t${maxTurns}`, { hasUnit: false })} ${change === undefined ? " " : verdictSigns[change.verdict]}`,
    ),
  ]);
  const measures = listMeasures(dynamics).map((measure) => [
    names[measure],
    ...dynamics.checkpoints.map((_checkpoint, c) => context.text(`dynamics.${c}.${measure}`, { hasUnit: false })),
  ]);
  const heads = dynamics.checkpoints.map((checkpoint) => ({ head: nameCheckpoint(checkpoint) }));
  return [
    ...wrapText("Success in %, and whether it differs from the first checkpoint", context.width),
    ...layOutTable(
      [{ head: "checkpoint" }, ...dynamics.budgets.map((budget) => ({ head: `T=${budget}  ` }))],
      rows,
      context,
    ),
    "",
    ...layOutTable([{ head: "measure" }, ...heads], measures, context),
    "",
    ...dynamics.flags.flatMap(({ flag, label, finding }) =>
      wrapText(`${flag} at ${label}: ${finding}`, context.width, "  "),
    ),
  ];
}

/** How success and behaviour changed over training. */
export const dynamicsSection: ReportSection = {
  id: "dynamics",
  title: "How training went",
  hasContent: ({ dynamics }) => dynamics !== undefined,
  renderHtml,
  renderText,
};
