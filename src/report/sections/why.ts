// internal
import type { AttributedShare, AttributionResult, AttributionRow, Verdict } from "../../core/index.js";
import {
  markup,
  renderFigure,
  renderFold,
  renderLegend,
  renderLineChart,
  renderStackChart,
  renderTable,
  type Html,
} from "../../page/index.js";
import { hasOpenGap, listDoubted } from "../attribution-answer.js";
import { cellNames, gapParts } from "../attribution-claims.js";
import { renderBare, renderFirst, renderVerdict, verdictSigns } from "../section-html.js";
import type { ReportSection, ReportView, TextContext } from "../section.js";
import { fitText, layOutTable, wrapText } from "../text-layout.js";
import { renderArms, renderChecks, renderRestart, renderResponse } from "./why/extras.js";

type Part = (typeof gapParts)[number];

/** Colours of the shares, after those of the two policies. */
const tones: { readonly [part in Part]: number } = { decision: 2, recovery: 3, persistence: 4 };
const titles: { readonly [part in Part]: string } = {
  decision: "Decisions",
  recovery: "Recovery",
  persistence: "Persistence",
};

/** What stands for the verdict of a share whose model is in doubt: hollow signs, and no verdict word. */
const leads: { readonly [lead in Verdict]: { readonly sign: string; readonly words: string } } = {
  gain: { sign: "△", words: "lead: upward" },
  loss: { sign: "▽", words: "lead: downward" },
  equivalent: { sign: "≈", words: "lead: near zero" },
  undecided: { sign: "?", words: "undecided" },
};

/** Returns the verdict word of a share, or its lead in words. */
function describeShare({ verdict, lead }: AttributedShare): string {
  return lead === undefined ? verdict : leads[lead].words;
}

/** Says at which budgets a share is worded firmer than the difference it sums to; nothing where none is. */
function describeOpenGaps(rows: readonly AttributionRow[]): string | undefined {
  const open = rows.filter(hasOpenGap).map((row) => row.maxTurns);
  if (open.length === 0) return undefined;
  return `At T = ${open.join(", ")} the difference itself is undecided: a share with a word there is one part of a sum that the other parts may offset, not a gain or loss in success.`;
}

/** Returns the verdict word of a share, or that there is none. */
function renderWord(row: AttributionRow, part: "gap" | Part): Html {
  if (part !== "gap" && !row.isIdentified) return markup`<span class="why">not identified</span>`;
  const { verdict, lead } = row[part];
  if (lead === undefined) return renderVerdict(verdict);
  const { sign, words } = leads[lead];
  return markup`<span class="verdict undecided"><span aria-hidden="true">${sign}</span> ${words}</span> <span class="why">(model in doubt)</span>`;
}

function renderStack(view: ReportView, { rows, a, b }: AttributionResult): Html {
  const stacks = rows
    .filter((row) => row.isIdentified)
    .map((row) => {
      const id = `why.t${row.maxTurns}`;
      const { value, band } = row.gap.estimate;
      return {
        x: row.maxTurns,
        parts: gapParts.map((part) => ({
          label: titles[part],
          tone: tones[part],
          value: row[part].estimate.value,
          title: `T = ${row.maxTurns}, ${titles[part].toLowerCase()}: ${view.text(`${id}.${part}`)}`,
        })),
        total: {
          value,
          ...(band === undefined ? {} : { lower: band.lower, upper: band.upper }),
          title: `T = ${row.maxTurns}, difference: ${view.text(`${id}.gap`)} ${view.text(`${id}.gap.band`)}`,
        },
      };
    });
  const chart = renderStackChart({
    id: "why-stack",
    title: `What makes the difference of ${b} to ${a}`,
    description:
      "Shares of decisions, recovery and persistence by turn budget, stacked; the ring is their sum, the difference, with its band. The figures stand in the table below.",
    xLabel: "turn budget T",
    yLabel: "difference, points",
    stacks,
  });
  const lead = markup`Shares above the line are in favour of ${b}, below it of ${a}; the ring is their sum, the difference, with its band.`;
  return renderFigure({ title: `What makes the difference of ${b} to ${a}.`, lead, legend: renderPartLegend(), chart });
}

function renderPartLegend(): Html {
  return renderLegend(gapParts.map((part) => ({ label: titles[part], tone: tones[part] })));
}

function renderBands(view: ReportView, { rows }: AttributionResult): Html {
  const series = gapParts.map((part) => ({
    label: titles[part],
    tone: tones[part],
    points: rows
      .filter((row) => row.isIdentified)
      .map((row) => {
        const { value, band } = row[part].estimate;
        const id = `why.t${row.maxTurns}.${part}`;
        return {
          x: row.maxTurns,
          y: value,
          lower: band?.lower,
          upper: band?.upper,
          title: `T = ${row.maxTurns}: ${view.text(id)}, ${describeShare(row[part])}`,
        };
      }),
  }));
  const chart = renderLineChart({
    id: "why-bands",
    title: "The three shares with their bands",
    description:
      "Each share by turn budget with a band that holds for all budgets together. The figures stand in the table below.",
    xLabel: "turn budget T",
    yLabel: "share, points",
    xTicks: rows.map((row) => row.maxTurns),
    yKind: "difference",
    series,
  });
  return renderFigure({
    title: "The three shares with their bands.",
    lead: "Where a band crosses the line, that share is undecided.",
    legend: renderPartLegend(),
    chart,
  });
}

function renderShares(view: ReportView, attribution: AttributionResult): Html {
  const { rows, a, b } = attribution;
  const parts = ["gap", ...gapParts] as const;
  const words = { gap: "difference", decision: "decisions", recovery: "recovery", persistence: "persistence" };
  const columns = [
    { head: "T", kind: "row_head" as const },
    { head: "share", kind: "text" as const },
    { head: "points" },
    { head: "band" },
    { head: "verdict", kind: "text" as const },
  ];
  const body = rows.flatMap((row) =>
    parts.map((part) => {
      const id = `why.t${row.maxTurns}.${part}`;
      const isShown = part === "gap" || row.isIdentified;
      const figures = isShown
        ? [markup`<strong>${renderBare(view, id)}</strong>`, renderFirst(view, [`${id}.band`, `${id}.interval`])]
        : ["–", "–"];
      return { cells: [String(row.maxTurns), words[part], ...figures, renderWord(row, part)] };
    }),
  );
  const table = renderTable({ caption: `Shares of the difference of ${b} to ${a}, in points`, columns, rows: body });
  const open = describeOpenGaps(rows);
  return markup`${table}${open !== undefined && markup`<p>${open}</p>`}`;
}

/** Says whether a cell's value is shown: where hybrids are not identified, only A and B themselves are known. */
function isCellShown({ isIdentified }: AttributionRow, name: (typeof cellNames)[number]): boolean {
  return isIdentified || name === "AAA" || name === "BBB";
}

function renderCells(view: ReportView, { rows, a, b }: AttributionResult): Html {
  const columns = [
    { head: "T", kind: "row_head" as const },
    ...cellNames.map((name) => ({ head: name })),
    { head: "interaction" },
    { head: "interval" },
  ];
  const body = rows.map((row) => {
    const id = `why.t${row.maxTurns}`;
    const last = row.isIdentified
      ? [renderBare(view, `${id}.interaction`), renderFirst(view, [`${id}.interaction.interval`])]
      : ["×", "–"];
    return {
      cells: [
        String(row.maxTurns),
        ...cellNames.map((name) => (isCellShown(row, name) ? renderBare(view, `${id}.cell.${name}`) : "×")),
        ...last,
      ],
    };
  });
  const absent = rows.some((row) => !row.isIdentified) && markup` A × stands where mixed cells are not identified.`;
  const table = renderTable({ caption: "Success of the eight cells, %", columns, rows: body });
  return markup`<h3>The eight cells</h3>
<p>Each cell takes decisions, recovery and persistence, in this order, from A (${a}) or B (${b}): AAB decides and recovers like ${a} and gives up like ${b}. The shares average what each exchange changes over all orders; the interaction is what the three single exchanges leave unexplained, and the shares spread it evenly.${absent}</p>
${table}`;
}

function renderSensitivity(view: ReportView, { rows }: AttributionResult): Html | undefined {
  const variants = [
    { key: "pooled", label: "one chain for all tasks (diagnostic: biased where tasks differ)" },
    { key: "wrongAsQuit", label: "wrong ends counted as quits" },
    { key: "least", label: "least over the judge's error rates" },
    { key: "most", label: "most over the judge's error rates" },
  ].filter(({ key }) => rows.some((row) => view.findClaim(`why.t${row.maxTurns}.${key}.decision`) !== undefined));
  if (variants.length === 0) return undefined;
  const columns = [
    { head: "T", kind: "row_head" as const },
    { head: "variant", kind: "text" as const },
    ...gapParts.map((part) => ({ head: titles[part].toLowerCase() })),
  ];
  const identified = rows.filter((row) => row.isIdentified);
  const body = identified.flatMap(({ maxTurns }) =>
    variants.map(({ key, label }) => ({
      cells: [String(maxTurns), label, ...gapParts.map((part) => renderBare(view, `why.t${maxTurns}.${key}.${part}`))],
    })),
  );
  return renderFold(
    "What other conventions would give",
    renderTable({ caption: "Shares under other conventions, in points", columns, rows: body }),
  );
}

function describeMethod({ estimator, a, b, taskCount, episodesA, episodesB, classes = [] }: AttributionResult): Html {
  const kinds = [...new Set(classes.map(({ classCount }) => classCount))].join(" or ");
  const basis =
    estimator === "logs"
      ? markup`From ${String(episodesA)} episodes of ${a} and ${String(episodesB)} of ${b} on ${String(taskCount)} shared tasks: a chain with two modes, clean and in error, fitted within ${kinds} kinds of task. Only mixed cells rest on that model; the cells AAA and BBB are the observed success.`
      : markup`The mixed cells were really played on the same ${String(taskCount)} tasks and env seeds: each hybrid asks one policy whether to give up and another what to do. No model is assumed.`;
  return markup`<p>An episode is <em>in error</em> after a turn that did not bring it closer than it had been before. <em>Decisions</em> are what is done while going well, <em>recovery</em> what is done in error, <em>persistence</em> is not giving up. ${basis}</p>
`;
}

function renderHtml(view: ReportView): Html {
  const { attribution } = view.report;
  if (attribution === undefined) return markup``;
  return markup`${describeMethod(attribution)}${renderStack(view, attribution)}${renderBands(view, attribution)}${renderShares(view, attribution)}${renderCells(view, attribution)}${renderSensitivity(view, attribution)}${renderChecks(view, attribution)}${renderArms(view, attribution)}${renderRestart(view, attribution)}${renderResponse(view, attribution)}`;
}

function renderText(context: TextContext): string[] {
  const { attribution } = context.report;
  if (attribution === undefined) return [];
  const { a, b, rows, estimator } = attribution;
  const columns = [{ head: "T" }, { head: "difference  " }, ...gapParts.map((part) => ({ head: `${part}  ` }))];
  const body = rows.map((row) => {
    const write = (part: "gap" | Part): string => {
      if (part !== "gap" && !row.isIdentified) return "×";
      const { verdict, lead } = row[part];
      const sign = lead === undefined ? verdictSigns[verdict] : leads[lead].sign;
      return `${context.text(`why.t${row.maxTurns}.${part}`, { hasUnit: false })} ${sign}`;
    };
    return [String(row.maxTurns), ...(["gap", ...gapParts] as const).map(write)];
  });
  const how = estimator === "logs" ? "from logs" : "by playing hybrids";
  const head = fitText(`Shares of the difference of ${b} to ${a}, ${how}, in points`, context.width);
  const last = rows.findLast((row) => row.isIdentified) ?? rows.at(-1);
  const cells =
    last === undefined
      ? []
      : [
          "",
          `Cells at T = ${last.maxTurns}, % (who decides, recovers, persists)`,
          ...layOutTable(
            cellNames.map((name) => ({ head: name })),
            [
              cellNames.map((name) =>
                isCellShown(last, name) ? context.text(`why.t${last.maxTurns}.cell.${name}`, { hasUnit: false }) : "×",
              ),
            ],
            context,
          ),
        ];
  const key = fitText("▲ gain, ▼ loss, = equivalent, ? undecided, × not identified", context.width);
  const doubted = rows.some((row) => row.isDoubted) ? listDoubted(attribution) : [];
  const doubt =
    doubted.length === 0
      ? []
      : wrapText(
          `The check of the model fails for ${doubted.join(" and ")}: shares with △ up, ▽ down, ≈ near zero are leads, not findings`,
          context.width,
        ).map((line) => context.paint(line, "warning"));
  const open = describeOpenGaps(rows);
  const sums = open === undefined ? [] : wrapText(open, context.width);
  return [head, ...layOutTable(columns, body, context), key, ...doubt, ...sums, ...cells, ""];
}

/** Why one policy succeeds more often: decisions, recovery, persistence. */
export const whySection: ReportSection = {
  id: "why",
  title: "Why",
  hasContent: ({ attribution }) => attribution !== undefined && attribution.rows.length > 0,
  renderHtml,
  renderText,
};
