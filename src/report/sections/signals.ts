// internal
import type { SignalAssessment, SignalsResult, SignalTarget, SignalWord } from "../../core/index.js";
import { signalTargets } from "../../core/index.js";
import { markup, renderFigure, renderFold, renderHeatTable, renderTable, type Html } from "../../page/index.js";
import { renderBare, renderVerdict } from "../section-html.js";
import type { ReportSection, ReportView, TextContext } from "../section.js";
import { fitText, layOutTable, wrapText } from "../text-layout.js";

const titles: { readonly [target in SignalTarget]: string } = {
  success: "Eventual success",
  first_error: "Which turn is the first error",
  recovery: "Recovery from an error",
};
const words: { readonly [word in SignalWord]: string } = {
  higher_means_yes: "higher means yes",
  higher_means_no: "higher means no",
  no_information: "no information",
  undecided: "undecided",
};

/** Returns the assessments of a target with their positions, which name their claims. */
function listTarget(
  { assessments }: SignalsResult,
  target: SignalTarget,
): { readonly one: SignalAssessment; readonly i: number }[] {
  return assessments.map((one, i) => ({ one, i })).filter(({ one }) => one.target === target);
}

function describeWord({ definesLabel, word, signal }: SignalAssessment): string {
  if (definesLabel) return "defines the label";
  return word === undefined ? (signal === "clock" ? "turn and budget alone" : "–") : words[word];
}

function renderTarget(view: ReportView, result: SignalsResult, index: number, target: SignalTarget): Html {
  const rows = listTarget(result, target).map(({ one, i }) => {
    const id = `signal.${index}.${i}`;
    const gain =
      one.fitted === undefined
        ? "–"
        : markup`${renderBare(view, `${id}.gain`)} ${renderVerdict(one.fitted.brierGainVerdict)}`;
    return {
      cells: [
        one.signal,
        markup`<strong>${renderBare(view, `${id}.stratified`)}</strong> ${renderBare(view, `${id}.stratified.interval`)}`,
        describeWord(one),
        renderBare(view, `${id}.auroc`),
        renderBare(view, `${id}.fitted`),
        renderBare(view, `${id}.auprc`),
        renderBare(view, `${id}.brier`),
        renderBare(view, `${id}.ece`),
        gain,
        renderBare(view, `${id}.coverage`),
        ...(target === "first_error"
          ? [markup`${renderBare(view, `${id}.located`)} (${renderBare(view, `${id}.chance`)})`]
          : []),
      ],
    };
  });
  const [first] = listTarget(result, target);
  if (first === undefined) return markup``;
  const table = renderTable({
    caption: `${titles[target]}: signals of ${result.label}`,
    columns: [
      { head: "Signal", kind: "row_head" },
      { head: "AUROC, same turn and budget" },
      { head: "word", kind: "text" },
      { head: "AUROC, all pairs" },
      { head: "fitted AUROC" },
      { head: "AUPRC" },
      { head: "Brier" },
      { head: "ECE" },
      { head: "gain over the clock" },
      { head: "coverage, %" },
      ...(target === "first_error" ? [{ head: "located, % (chance)" }] : []),
    ],
    rows,
  });
  return markup`<p>${titles[target]}: ${renderBare(view, `signal.${index}.${first.i}.positives`)} yes among ${renderBare(view, `signal.${index}.${first.i}.rows`)} turns.</p>
${table}`;
}

function renderTimed(view: ReportView, result: SignalsResult, index: number): Html {
  const names = [...new Set(result.timed.map(({ signal }) => signal))];
  const heads = [...new Set(result.timed.map((cell) => nameTime(cell)))];
  if (names.length === 0) return markup``;
  const cells = names.map((name) =>
    heads.map((head) => {
      const i = result.timed.findIndex((cell) => cell.signal === name && nameTime(cell) === head);
      return i < 0
        ? { value: undefined, content: "–" }
        : { value: result.timed[i].auroc.value - 0.5, content: renderBare(view, `timed.${index}.${i}`) };
    }),
  );
  const chart = renderHeatTable({
    caption: `AUROC by turn and turns left: signals of ${result.label}`,
    rowLabel: "signal",
    columnLabel: "turn, success within",
    rowHeads: names,
    columnHeads: heads,
    cells,
    scale: 0.5,
  });
  return renderFigure({
    title: "When a signal knows.",
    lead: markup`AUROC among episodes still open at one turn, for success within so many more turns; 0.5 is chance.`,
    chart,
  });
}

function nameTime({ fromTurn, toTurn, budgetLeft }: SignalsResult["timed"][number]): string {
  const turns = fromTurn === toTurn ? String(fromTurn) : `${fromTurn}–${toTurn}`;
  return `${turns}, ${budgetLeft === undefined ? "all left" : `+${budgetLeft}`}`;
}

function renderAlarms(view: ReportView, result: SignalsResult, index: number): Html {
  if (result.alarms.length === 0) return markup``;
  const rows = result.alarms.map(({ signal }, i) => {
    const id = `alarm.${index}.${i}`;
    return {
      cells: [
        signal,
        renderBare(view, `${id}.falseAlarms`),
        renderBare(view, `${id}.caught`),
        renderBare(view, `${id}.leadTurns`),
        renderBare(view, `${id}.leadShare`),
      ],
    };
  });
  return renderTable({
    caption: `Early alarms on failing episodes, on tasks they were not set on`,
    columns: [
      { head: "Signal", kind: "row_head" },
      { head: "false alarms, %" },
      { head: "failures caught, %" },
      { head: "turns ahead" },
      { head: "ahead, % of turns" },
    ],
    rows,
  });
}

function renderReward(view: ReportView, result: SignalsResult, index: number): Html {
  const rows = result.divergence.map(({ signal, sign, diverges, curve, verdict }, i) => {
    const id = `divergence.${index}.${i}`;
    const shaping = result.shaping.find((check) => check.signal === signal);
    const last = curve[curve.length - 1];
    return {
      cells: [
        sign === 1 ? signal : `minus ${signal}`,
        markup`${renderBare(view, `${id}.agreement`)} ${renderBare(view, `${id}.agreement.interval`)}`,
        markup`${renderBare(view, `${id}.n1`)} → ${renderBare(view, `${id}.n${last?.n ?? 1}`)} (best of ${last?.n ?? 1})`,
        markup`${renderBare(view, `${id}.gain`)} ${verdict !== undefined && renderVerdict(verdict)}`,
        diverges ? markup`<strong>must not be a reward</strong>` : "",
        shaping === undefined ? "–" : `${shaping.verdict.replaceAll("_", " ")}: ${shaping.reason}`,
      ],
    };
  });
  if (rows.length === 0) return markup``;
  return renderTable({
    caption: "What the signals would be worth as rewards, on tasks on which their direction was not chosen",
    columns: [
      { head: "Sum of signal", kind: "row_head" },
      { head: "agreement with success within a task" },
      { head: "success when picked by it, %" },
      { head: "change, points" },
      { head: "warning", kind: "text" },
      { head: "as shaping", kind: "text" },
    ],
    rows,
  });
}

function renderResult(view: ReportView, result: SignalsResult, index: number): Html {
  const missing = result.unavailable.map(({ id, reason }) => `${id} (${reason})`).join("; ");
  return markup`${
    (view.report.signals?.length ?? 0) > 1 &&
    markup`<h3>${result.label}</h3>
`
  }<p>${renderBare(view, `signals.${index}.episodes`)} episodes of ${renderBare(view, `signals.${index}.taskCount`)} tasks. Models are fitted on ${renderBare(view, `signals.${index}.fitTasks`)} tasks and judged on the other ${renderBare(view, `signals.${index}.evaluationTasks`)}. Recovery means within ${renderBare(view, `signals.${index}.recoveryTurns`)} turns.${missing !== "" && ` Not available: ${missing}.`}</p>
${signalTargets.map((target) => renderTarget(view, result, index, target))}${renderTimed(view, result, index)}${renderAlarms(view, result, index)}${renderReward(view, result, index)}${renderFold(
    "What the signals are",
    markup`<ul>${result.signals.map(({ id, description }) => markup`<li><strong>${id}</strong>: ${description}</li>`)}</ul>
<ul>${result.notes.map((note) => markup`<li>${note}</li>`)}</ul>`,
  )}`;
}

function renderText(context: TextContext): string[] {
  return (context.report.signals ?? [])
    .flatMap((result, index) =>
      signalTargets.flatMap((target) => {
        const rows = listTarget(result, target).map(({ one, i }) => {
          const id = `signal.${index}.${i}`;
          return [
            one.signal,
            context.text(`${id}.stratified`),
            context.text(`${id}.stratified.interval`),
            context.text(`${id}.fitted`),
            context.text(`${id}.gain`),
            describeWord(one),
          ];
        });
        if (rows.length === 0) return [];
        const columns = [
          { head: "signal" },
          { head: "AUROC" },
          { head: "interval" },
          { head: "fitted" },
          { head: "gain" },
          { head: "word", align: "left" as const },
        ];
        return [
          fitText(`${result.label}: ${titles[target].toLowerCase()}`, context.width),
          ...layOutTable(columns, rows, context),
          "",
        ];
      }),
    )
    .concat(
      (context.report.signals ?? []).flatMap(({ label, unavailable }) =>
        unavailable.flatMap(({ id, reason }) =>
          wrapText(`Not available for ${label}: ${id}, as ${reason}`, context.width, "  "),
        ),
      ),
      wrapText(
        "AUROC within turn and remaining budget; fitted: on other tasks; gain: Brier score of the clock minus the signal's",
        context.width,
      ),
    );
}

/** Which signals of a turn can be trusted. */
export const signalsSection: ReportSection = {
  id: "signals",
  title: "Which signals can be trusted",
  hasContent: ({ signals }) => signals !== undefined && signals.length > 0,
  renderHtml: (view) =>
    markup`${(view.report.signals ?? []).map((result, index) => renderResult(view, result, index))}`,
  renderText,
};
