// internal
import type { RecoveryResult } from "../../core/index.js";
import {
  markup,
  renderFigure,
  renderFold,
  renderLegend,
  renderLineChart,
  renderTable,
  type Html,
  type HtmlPart,
} from "../../page/index.js";
import { renderBare, renderFirst, renderNumber, renderVerdict, verdictSigns } from "../section-html.js";
import type { ReportSection, ReportView, TextContext } from "../section.js";
import { layOutTable, wrapText } from "../text-layout.js";

const contextNames = { full: "all turns", summary: "a summary", state_only: "the state only" } as const;

/** Returns the estimate's number and, beside it, its interval. */
function renderPair(view: ReportView, id: string): Html[] {
  return [renderBare(view, id), renderFirst(view, [`${id}.band`, `${id}.interval`])];
}

function renderCurves(view: ReportView, { policies, cells, contexts, budgets, hasControl }: RecoveryResult): Html {
  const arms = hasControl ? (["error", "clean"] as const) : (["error"] as const);
  const series = policies.flatMap((policy, index) =>
    arms.map((arm, armIndex) => ({
      label: `${policy}, ${arm === "error" ? "after an error" : "after the best action"}`,
      tone: index + armIndex * policies.length,
      points: cells.flatMap((cell, i) => {
        const estimate = cell[arm];
        if (cell.policy !== policy || cell.context !== contexts[0] || estimate === undefined) return [];
        const { lower, upper } = estimate.band ?? {};
        const title = `${policy}, ${cell.maxTurns} turns left: ${view.text(`rec.cell.${i}.${arm}`)}`;
        return [
          {
            x: cell.maxTurns,
            y: estimate.value,
            title,
            ...(lower === undefined || upper === undefined ? {} : { lower, upper }),
          },
        ];
      }),
    })),
  );
  const chart = renderLineChart({
    id: "recovery-curves",
    title: "Success after an error, by turns left",
    description: `Success by turns left, for ${series.map(({ label }) => label).join("; ")}. The figures stand in the table below.`,
    xLabel: "turns left b",
    yLabel: "success, %",
    xTicks: budgets,
    yKind: "share",
    series,
  });
  const lead = hasControl
    ? markup`For each policy two curves from the same states: after the error, and after the best action in its place. The distance between them is what the error costs.`
    : markup`There is no control, as the env knows no best action: these curves alone do not tell recovery from being better anyway.`;
  return renderFigure({
    title: "Success after an error, by turns left.",
    lead,
    legend: renderLegend(series.map(({ label, tone }) => ({ label, tone }))),
    chart,
  });
}

function renderCells(view: ReportView, { cells, contexts }: RecoveryResult): Html {
  const rows = cells.map(({ policy, context, maxTurns }, index) => {
    const id = `rec.cell.${index}`;
    const name = contexts.length > 1 ? `${policy}, ${contextNames[context]}` : policy;
    return {
      cells: [
        name,
        String(maxTurns),
        ...renderPair(view, `${id}.error`),
        renderBare(view, `${id}.clean`),
        ...renderPair(view, `${id}.cost`),
        ...renderPair(view, `${id}.ratio`),
        renderBare(view, `${id}.returned`),
      ],
    };
  });
  return renderTable({
    caption: "After an error and after the best action in its place, %",
    columns: [
      { head: "policy", kind: "row_head" },
      { head: "turns left" },
      { head: "after the error" },
      { head: "band" },
      { head: "after the best action" },
      { head: "cost of the error" },
      { head: "band" },
      { head: "recovery ratio" },
      { head: "band" },
      { head: "back at the best distance" },
    ],
    rows,
  });
}

function renderDifferences(view: ReportView, { differences }: RecoveryResult): HtmlPart {
  if (differences.length === 0) return false;
  const rows = differences.map(({ a, b, maxTurns, verdict, returnedVerdict }, index) => {
    const id = `rec.diff.${index}`;
    return {
      cells: [
        `${b} minus ${a}`,
        String(maxTurns),
        renderBare(view, `${id}.error`),
        renderBare(view, `${id}.clean`),
        ...renderPair(view, `${id}.beyondControl`),
        verdict === undefined ? "no control" : renderVerdict(verdict),
        renderBare(view, `${id}.returned`),
        returnedVerdict === undefined ? "–" : renderVerdict(returnedVerdict),
      ],
    };
  });
  return markup`<h3>Who recovers better?</h3>
<p>A better policy succeeds more often after an error simply because it is better. What counts as recovery is the difference after the error beyond the difference after the best action.</p>
${renderTable({
  caption: "Differences in the same states, points",
  columns: [
    { head: "policies", kind: "row_head" },
    { head: "turns left" },
    { head: "after the error" },
    { head: "after the best action" },
    { head: "beyond the control" },
    { head: "band" },
    { head: "recovery", kind: "text" },
    { head: "back at the best distance" },
    { head: "way back", kind: "text" },
  ],
  rows,
})}`;
}

function renderBehaviour(view: ReportView, { behaviour, contexts }: RecoveryResult): Html {
  const rows = behaviour.map(({ policy, context }, index) => {
    const id = `rec.behaviour.${index}`;
    const name = contexts.length > 1 ? `${policy}, ${contextNames[context]}` : policy;
    return {
      cells: [
        name,
        ...renderPair(view, `${id}.turnsToReturn`),
        renderBare(view, `${id}.relapse`),
        ...renderPair(view, `${id}.quitHazard`),
        renderBare(view, `${id}.cleanQuitHazard`),
        renderBare(view, `${id}.episodes`),
        renderBare(view, `${id}.errored`),
      ],
    };
  });
  return renderTable({
    caption:
      "On the way back: turns until the best distance is reached again (at most the largest b), errors after that, quits in a turn, %",
    columns: [
      { head: "policy", kind: "row_head" },
      { head: "turns back" },
      { head: "interval" },
      { head: "errs again" },
      { head: "quits in error" },
      { head: "interval" },
      { head: "quits otherwise" },
      { head: "episodes" },
      { head: "errored" },
    ],
    rows,
  });
}

function renderDebt(view: ReportView, { debt, budgets }: RecoveryResult): HtmlPart {
  if (debt.length === 0) return false;
  const rows = debt.map(({ policy, turns }, index) => ({
    cells: [
      policy,
      turns,
      renderBare(view, `rec.debt.${index}.prefixes`),
      ...budgets.map((b) => renderBare(view, `rec.debt.${index}.t${b}`)),
      ...renderPair(view, `rec.debt.${index}.extraTurns`),
    ],
  }));
  return markup`<h3>What an error at turn t costs</h3>
<p>Cost of the error in points of success, by the turn it happens in and the turns left. Extra turns: how much later success comes because of the error, on average, counted up to the largest b.</p>
${renderTable({
  caption: "Error debt",
  columns: [
    { head: "policy", kind: "row_head" },
    { head: "turn of the error", kind: "text" },
    { head: "prefixes" },
    ...budgets.map((b) => ({ head: `b = ${b}` })),
    { head: "extra turns" },
    { head: "interval" },
  ],
  rows,
})}`;
}

function renderMatrix(view: ReportView, { matrix }: RecoveryResult): HtmlPart {
  if (matrix === undefined) return false;
  const { producers, solvers, selfExcess, maxTurns } = matrix;
  const rows = producers.map((producer, row) => ({
    cells: [producer, ...solvers.map((_, column) => renderBare(view, `rec.matrix.${row * solvers.length + column}`))],
  }));
  return markup`<h3>Whose errors?</h3>
${renderTable({ caption: `Success of each policy (columns) after each one's errors (rows), ${maxTurns} turns left, %`, columns: [{ head: "errors of", kind: "row_head" }, ...solvers.map((solver) => ({ head: solver }))], rows })}
${selfExcess !== undefined && markup`<p>On its own errors a policy succeeds ${renderNumber(view, "rec.selfExcess")} more often than producer and solver alone explain (interval ${renderFirst(view, ["rec.selfExcess.interval"])}); below zero is a penalty for meeting one's own errors.</p>`}`;
}

function renderContexts(view: ReportView, { contextEffects }: RecoveryResult): HtmlPart {
  if (contextEffects.length === 0) return false;
  const rows = contextEffects.map(({ policy, context, verdict }, index) => {
    const id = `rec.context.${index}`;
    return {
      cells: [
        policy,
        contextNames[context],
        renderBare(view, `${id}.error`),
        renderBare(view, `${id}.clean`),
        ...renderPair(view, `${id}.pollution`),
        verdict === undefined ? "no control" : renderVerdict(verdict),
      ],
    };
  });
  return markup`<h3>The state, or what stands in the context?</h3>
<p>Success when less is shown of the turns before, minus success when all is shown, from the same states. Above zero after an error and not after the best action: the error in the context does harm beyond the state it led to.</p>
${renderTable({ caption: "Effect of what is shown, points", columns: [{ head: "policy", kind: "row_head" }, { head: "shown", kind: "text" }, { head: "after the error" }, { head: "after the best action" }, { head: "difference" }, { head: "interval" }, { head: "verdict", kind: "text" }], rows })}`;
}

function renderStrata(view: ReportView, { strata }: RecoveryResult): Html {
  const rows = strata.map(({ policy, by, value }, index) => {
    const id = `rec.strata.${index}`;
    const name = by === "slack" ? `${value} turns to spare` : value.replaceAll("_", " ");
    return {
      cells: [
        policy,
        name,
        renderBare(view, `${id}.cases`),
        ...renderPair(view, `${id}.error`),
        renderBare(view, `${id}.cost`),
      ],
    };
  });
  return renderTable({
    caption: "By turns to spare (b minus the distance), over all b, and by kind of error at the largest b, %",
    columns: [
      { head: "policy", kind: "row_head" },
      { head: "stratum", kind: "text" },
      { head: "cases" },
      { head: "after the error" },
      { head: "interval" },
      { head: "cost" },
    ],
    rows,
  });
}

function renderRecovery(view: ReportView, result: RecoveryResult): Html {
  return markup`<p>${renderNumber(view, "rec.prefixCount")} errors in ${renderNumber(view, "rec.taskCount")} tasks, the same for every policy, frozen before any of them played on. Left out as nobody can recover from them: ${renderNumber(view, "rec.trapCount")} traps and ${renderNumber(view, "rec.endedCount")} errors that ended the episode.</p>
${renderCurves(view, result)}
${renderDifferences(view, result)}
${renderFold("Data as a table", [renderCells(view, result), renderBehaviour(view, result), renderStrata(view, result)])}
${renderDebt(view, result)}
${renderMatrix(view, result)}
${renderContexts(view, result)}
<ul>${result.notes.map((note) => markup`<li>${note}.</li>`)}</ul>`;
}

function writeRecovery(context: TextContext, result: RecoveryResult): string[] {
  const { cells, differences, contexts } = result;
  const plain = (id: string): string => context.text(id, { hasUnit: false });
  const first = cells.flatMap((cell, index) =>
    cell.context === contexts[0] ? [{ ...cell, id: `rec.cell.${index}` }] : [],
  );
  const rows = first.map(({ policy, maxTurns, id }) => [
    policy,
    String(maxTurns),
    plain(`${id}.error`),
    plain(`${id}.clean`),
    plain(`${id}.cost`),
    plain(`${id}.cost.band`),
    plain(`${id}.returned`),
  ]);
  const table = layOutTable(
    ["policy", "left", "after error", "after best", "cost", "band", "back"].map((head) => ({ head })),
    rows,
    context,
  );
  const pairs = differences.map(({ a, b, maxTurns, verdict }, index) => {
    const word = verdict === undefined ? "no control" : `${verdictSigns[verdict]} ${verdict}`;
    return [
      `${b} minus ${a}`,
      String(maxTurns),
      plain(`rec.diff.${index}.beyondControl`),
      plain(`rec.diff.${index}.beyondControl.band`),
      word,
    ];
  });
  const compared =
    pairs.length === 0
      ? []
      : [
          "",
          "Beyond the control, points",
          ...layOutTable(
            ["policies", "left", "difference", "band", "recovery"].map((head) => ({ head })),
            pairs,
            context,
          ),
        ];
  const lead = `${context.text("rec.prefixCount")} errors in ${context.text("rec.taskCount")} tasks; success in % with b turns left, after the error and after the best action in its place`;
  return [
    ...wrapText(lead, context.width),
    ...table,
    ...compared,
    ...writeDebt(context, result),
    ...writeContexts(context, result),
    "",
    ...result.notes.flatMap((note) => wrapText(`- ${note}.`, context.width, "  ")),
  ];
}

/** Says how much later success comes because of an error. */
function writeDebt(context: TextContext, { debt }: RecoveryResult): string[] {
  const rows = debt.flatMap(({ policy, turns, extraTurns }, index) => {
    const id = `rec.debt.${index}.extraTurns`;
    return extraTurns === undefined ? [] : [[policy, turns, context.text(id), context.text(`${id}.interval`)]];
  });
  if (rows.length === 0) return [];
  const columns = ["policy", "turn of error", "extra turns", "interval"].map((head) => ({ head }));
  return ["", "Turns by which success is later because of the error", ...layOutTable(columns, rows, context)];
}

/** Says what showing less of the turns before changes. */
function writeContexts(context: TextContext, { contextEffects }: RecoveryResult): string[] {
  if (contextEffects.length === 0) return [];
  const plain = (id: string): string => context.text(id, { hasUnit: false });
  const rows = contextEffects.map(({ policy, context: mode, verdict }, index) => {
    const id = `rec.context.${index}`;
    const word = verdict === undefined ? "no control" : `${verdictSigns[verdict]} ${verdict}`;
    return [policy, contextNames[mode], plain(`${id}.error`), plain(`${id}.clean`), plain(`${id}.pollution`), word];
  });
  const columns = ["policy", "shown", "after error", "after best", "difference", "verdict"].map((head) => ({ head }));
  return ["", "What is shown of the turns before, against all of it, points", ...layOutTable(columns, rows, context)];
}

/** What policies make of the same errors, beside the best action in their place. */
export const recoverySection: ReportSection = {
  id: "recovery",
  title: "Recovery from errors",
  hasContent: ({ recovery }) => recovery !== undefined,
  renderHtml: (view) => (view.report.recovery === undefined ? markup`` : renderRecovery(view, view.report.recovery)),
  renderText: (context) =>
    context.report.recovery === undefined ? [] : writeRecovery(context, context.report.recovery),
};
