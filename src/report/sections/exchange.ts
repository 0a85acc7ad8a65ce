// internal
import type { ComparisonResult, ExchangeRow } from "../../core/index.js";
import { markup, renderTable, type Html, type HtmlPart } from "../../page/index.js";
import { renderBare, renderComparisonHead, sortNumbers } from "../section-html.js";
import type { ReportSection, ReportView, TextContext } from "../section.js";
import { fitText, layOutTable, wrapText } from "../text-layout.js";

const kinds = ["extraTurns", "extraSamples"] as const;
type Kind = (typeof kinds)[number];

function listRows(
  comparison: ComparisonResult,
): { readonly maxTurns: number; readonly rows: { readonly [kind in Kind]?: ExchangeRow } }[] {
  const budgets = sortNumbers(kinds.flatMap((kind) => comparison[kind].map((row) => row.maxTurns)));
  const find = (kind: Kind, maxTurns: number) => comparison[kind].find((row) => row.maxTurns === maxTurns);
  return budgets.map((maxTurns) => ({
    maxTurns,
    rows: { extraTurns: find("extraTurns", maxTurns), extraSamples: find("extraSamples", maxTurns) },
  }));
}

function renderValue(view: ReportView, id: string, row: ExchangeRow | undefined): HtmlPart[] {
  if (row === undefined) return ["–", "–"];
  if (row.value === undefined || Number.isNaN(row.value))
    return [markup`<span class="why">${row.note ?? "not defined"}</span>`, "–"];
  return [renderBare(view, id), renderBare(view, `${id}.interval`)];
}

const unknownTokens = "What it is worth in tokens is not known: not every turn of both states how many it took.";

function explainTokens({ a, b }: ComparisonResult): string {
  return `Extra tokens are those that an episode of ${a} takes at the T that matches, beyond those of ${b} at T: means over all their episodes, without an interval.`;
}

function renderExchange(view: ReportView, index: number): Html {
  const comparison = view.report.comparisons[index];
  const { a, b, extraTokens } = comparison;
  const rows = listRows(comparison).map(({ maxTurns, rows: found }) => ({
    cells: [
      String(maxTurns),
      ...kinds.flatMap((kind) => renderValue(view, `${kind}.${index}.t${maxTurns}`, found[kind])),
      ...(extraTokens === undefined ? [] : [renderBare(view, `extraTokens.${index}.t${maxTurns}`)]),
    ],
  }));
  const table = renderTable({
    caption: `What ${b} is worth in turns and samples of ${a}`,
    columns: [
      { head: "T", kind: "row_head" },
      { head: markup`extra turns of ${a}` },
      { head: "interval" },
      { head: markup`samples of ${a}` },
      { head: "interval" },
      ...(extraTokens === undefined ? [] : [{ head: markup`extra tokens of ${a}` }]),
    ],
    rows,
    hasHiddenCaption: true,
  });
  return markup`${renderComparisonHead(view, comparison)}<p>How many more turns, or how many tries, ${a} would need to succeed as often as ${b} does within T turns and one try. ${extraTokens === undefined ? unknownTokens : explainTokens(comparison)}</p>
${table}`;
}

function writeValue(context: TextContext, id: string, row: ExchangeRow | undefined): string {
  if (row?.value === undefined || Number.isNaN(row.value)) return row?.note === undefined ? "–" : fitText(row.note, 34);
  const interval = context.findClaim(`${id}.interval`) === undefined ? "" : ` ${context.text(`${id}.interval`)}`;
  return `${context.text(id)}${interval}`;
}

/** Exchange rates: what the better policy is worth in extra turns and extra samples. */
export const exchangeSection: ReportSection = {
  id: "exchange",
  title: "What it is worth",
  hasContent: ({ comparisons }) =>
    comparisons.some(({ extraTurns, extraSamples }) => extraTurns.length + extraSamples.length > 0),
  renderHtml: (view) => markup`${view.report.comparisons.map((_comparison, index) => renderExchange(view, index))}`,
  renderText: (context) =>
    context.report.comparisons.flatMap((comparison, index) => {
      const hasTokens = comparison.extraTokens !== undefined;
      const rows = listRows(comparison).map(({ maxTurns, rows: found }) => [
        String(maxTurns),
        ...kinds.map((kind) => writeValue(context, `${kind}.${index}.t${maxTurns}`, found[kind])),
        ...(hasTokens ? [context.text(`extraTokens.${index}.t${maxTurns}`)] : []),
      ]);
      if (rows.length === 0) return [];
      const head = `${comparison.b} at one try is worth, in turns and tries of ${comparison.a}`;
      return [
        ...wrapText(head, context.width),
        ...layOutTable(
          ["T", "extra turns", "samples", ...(hasTokens ? ["tokens"] : [])].map((head) => ({ head })),
          rows,
          context,
        ),
        ...wrapText(hasTokens ? explainTokens(comparison) : unknownTokens, context.width),
        "",
      ];
    }),
};
