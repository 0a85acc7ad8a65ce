// internal
import { markup, renderTable, type Html } from "../../page/index.js";
import { renderBare } from "../section-html.js";
import type { ReportSection, ReportView, TextContext } from "../section.js";
import { fitText, layOutTable } from "../text-layout.js";

function nameSegment(segment: string): string {
  return segment.replaceAll("_", " ");
}

function renderRows(view: ReportView, list: "rows" | "logRatios"): Html {
  const rows = view.report.likelihood?.[list] ?? [];
  if (rows.length === 0) return markup``;
  const id = list === "rows" ? "nll" : "ratio";
  const table = rows.map((row, i) => ({
    cells: [
      "scorer" in row ? row.scorer : `${row.to} against ${row.from}`,
      `${row.producer}, ${row.success ? "succeeded" : "failed"}`,
      nameSegment(row.segment),
      markup`<strong>${renderBare(view, `${id}.${i}.token`)}</strong> ${renderBare(view, `${id}.${i}.token.interval`)}`,
      markup`${renderBare(view, `${id}.${i}.turn`)} ${renderBare(view, `${id}.${i}.turn.interval`)}`,
      renderBare(view, `${id}.${i}.tokens`),
    ],
  }));
  return renderTable({
    caption:
      list === "rows" ? "Negative log-likelihood in nats" : "Log-ratio in nats: above 0, training made it likelier",
    columns: [
      { head: "Under", kind: "row_head" },
      { head: "written by", kind: "text" },
      { head: "segment", kind: "text" },
      { head: "per token" },
      { head: "per turn" },
      { head: "tokens" },
    ],
    rows: table,
  });
}

function renderHtml(view: ReportView): Html {
  const { likelihood } = view.report;
  if (likelihood === undefined) return markup``;
  const missing = likelihood.unavailable.map(
    ({ scorer, reason }, i) => markup`<li>${scorer}: ${renderBare(view, `unscored.${i}`)} turns, ${reason}</li>`,
  );
  const agreement = likelihood.agreement.map(
    ({ from, to }, i) =>
      markup`<p>Within a task, the mean log-ratio a turn of ${to} to ${from} is higher in the episode that succeeds with chance ${renderBare(view, `ratioAgreement.${i}`)} ${renderBare(view, `ratioAgreement.${i}.interval`)}; a half is no relation.</p>
`,
  );
  return markup`<p>What was written in ${renderBare(view, "likelihood.episodes")} episodes (${renderBare(view, "likelihood.turns")} turns, ${renderBare(view, "likelihood.taskCount")} tasks), scored by teacher forcing. Observations are never scored. Segments of turns overlap with those of tokens.</p>
${renderRows(view, "logRatios")}${agreement}${renderRows(view, "rows")}${
    missing.length > 0 &&
    markup`<p>Not available:</p><ul>${missing}</ul>
`
  }`;
}

function renderText(context: TextContext): string[] {
  const { likelihood } = context.report;
  if (likelihood === undefined) return [];
  const write = (list: "rows" | "logRatios", title: string): string[] => {
    const id = list === "rows" ? "nll" : "ratio";
    const rows = likelihood[list].map((row, i) => [
      "scorer" in row ? row.scorer : `${row.to}/${row.from}`,
      `${row.producer} ${row.success ? "✓" : "✗"}`,
      nameSegment(row.segment),
      context.text(`${id}.${i}.token`),
      context.text(`${id}.${i}.token.interval`),
    ]);
    if (rows.length === 0) return [];
    const columns = [
      { head: "under" },
      { head: "written by", align: "left" as const },
      { head: "segment", align: "left" as const },
      { head: "per token" },
      { head: "interval" },
    ];
    return [fitText(title, context.width), ...layOutTable(columns, rows, context), ""];
  };
  const missing = likelihood.unavailable.map(({ scorer, reason }, i) =>
    fitText(`Not available under ${scorer}, ${context.text(`unscored.${i}`)} turns: ${reason}`, context.width),
  );
  return [
    ...write("logRatios", "Log-ratio, nats a token (✓ succeeded, ✗ failed)"),
    ...write("rows", "Negative log-likelihood, nats a token (✓ succeeded, ✗ failed)"),
    ...missing,
  ];
}

/** How likely what was written is under models. */
export const likelihoodSection: ReportSection = {
  id: "likelihood",
  title: "Where probability moved",
  hasContent: ({ likelihood }) => likelihood !== undefined,
  renderHtml,
  renderText,
};
