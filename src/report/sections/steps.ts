// internal
import { stepMeasures, type StepEvaluation, type StepMeasure } from "../../core/index.js";
import { markup, renderTable, type Html, type HtmlPart } from "../../page/index.js";
import { stepMeasureNames } from "../recovery-claims.js";
import { renderBare, renderFirst, renderNumber, renderVerdict, verdictSigns } from "../section-html.js";
import type { ReportSection, ReportView, TextContext } from "../section.js";
import { layOutTable, wrapText } from "../text-layout.js";

/** Returns the measures that some policy has a figure of. */
function listMeasures({ rows }: StepEvaluation): StepMeasure[] {
  return stepMeasures.filter((measure) => rows.some((row) => row[measure] !== undefined));
}

function renderRows(view: ReportView, steps: StepEvaluation): Html {
  const { rows } = steps;
  const shown = listMeasures(steps);
  return renderTable({
    caption: "Next actions in the states just before known errors, %",
    columns: [
      { head: "policy", kind: "row_head" },
      ...shown.flatMap((measure) => [{ head: stepMeasureNames[measure] }, { head: "interval" }]),
      { head: "states" },
      { head: "draws" },
      { head: "errored" },
    ],
    rows: rows.map(({ policy }, index) => ({
      cells: [
        policy,
        ...shown.flatMap((measure) => [
          renderBare(view, `step.row.${index}.${measure}`),
          renderFirst(view, [`step.row.${index}.${measure}.interval`]),
        ]),
        ...(["states", "draws", "errored"] as const).map((name) => renderBare(view, `step.row.${index}.${name}`)),
      ],
    })),
  });
}

function renderDifferences(view: ReportView, { differences }: StepEvaluation): HtmlPart {
  if (differences.length === 0) return false;
  return renderTable({
    caption: "Differences in the same states, points; the verdict is about being better",
    columns: [
      { head: "policies", kind: "row_head" },
      { head: "measure", kind: "text" },
      { head: "difference" },
      { head: "band" },
      { head: "verdict", kind: "text" },
    ],
    rows: differences.map(({ a, b, measure, verdict }, index) => ({
      cells: [
        `${b} minus ${a}`,
        stepMeasureNames[measure],
        renderBare(view, `step.diff.${index}`),
        renderFirst(view, [`step.diff.${index}.band`]),
        renderVerdict(verdict),
      ],
    })),
  });
}

const splitParts = [
  ["rateA", "error rate of A"],
  ["rateB", "error rate of B"],
  ["loggedA", "error rate of A, as logged"],
  ["loggedB", "error rate of B, as logged"],
  ["difference", "difference"],
  ["policyPart", "of it, by other choices"],
  ["stateMixPart", "of it, by other states"],
] as const;

function renderSplits(view: ReportView, { splits }: StepEvaluation): HtmlPart {
  if (splits.length === 0) return false;
  const tables = splits.map(({ a, b }, index) =>
    renderTable({
      caption: `${b} (B) minus ${a} (A): errors per turn, %, and the difference in points`,
      columns: [{ head: "figure", kind: "row_head" }, { head: "value" }, { head: "interval" }],
      rows: splitParts.map(([part, name]) => ({
        cells: [
          name,
          renderBare(view, `step.split.${index}.${part}`),
          renderFirst(view, [`step.split.${index}.${part}.interval`]),
        ],
      })),
    }),
  );
  return markup`<h3>Other choices, or other states?</h3>
<p>Errors per turn over the states each policy visits in its own episodes, and what of the difference comes from choosing otherwise in the same states. The two parts sum to the difference. The logged rates are from the episodes themselves: where they are far from the rates played again, do not trust the split.</p>
${tables}`;
}

function writeSteps(context: TextContext, steps: StepEvaluation): string[] {
  const { rows, differences } = steps;
  const shown = listMeasures(steps);
  const plain = (id: string): string => context.text(id, { hasUnit: false });
  const columns = ["policy", ...shown.map((measure) => stepMeasureNames[measure])].map((head) => ({ head }));
  const table = layOutTable(
    columns,
    rows.map(({ policy }, index) => [policy, ...shown.map((measure) => plain(`step.row.${index}.${measure}`))]),
    context,
  );
  const pairs = differences.map(({ a, b, measure, verdict }, index) => [
    `${b} minus ${a}`,
    stepMeasureNames[measure],
    plain(`step.diff.${index}`),
    plain(`step.diff.${index}.band`),
    `${verdictSigns[verdict]} ${verdict}`,
  ]);
  const compared =
    pairs.length === 0
      ? []
      : [
          "",
          ...layOutTable(
            ["policies", "measure", "difference", "band", "verdict"].map((head) => ({ head })),
            pairs,
            context,
          ),
        ];
  return [
    ...wrapText(`Next actions in ${context.text("step.stateCount")} states just before known errors, %`, context.width),
    ...table,
    ...compared,
    "",
    ...steps.notes.flatMap((note) => wrapText(`- ${note}.`, context.width, "  ")),
  ];
}

/** What policies do in the states just before known errors, one action at a time. */
export const stepsSection: ReportSection = {
  id: "steps",
  title: "Decisions before errors",
  hasContent: ({ steps }) => steps !== undefined,
  renderHtml: (view) => {
    const { steps } = view.report;
    if (steps === undefined) return markup``;
    return markup`<p>${renderNumber(view, "step.stateCount")} states in ${renderNumber(view, "step.taskCount")} tasks, each just before an error that some policy made; every policy was asked for its next action there, and nothing was played on.</p>
${renderRows(view, steps)}
${renderDifferences(view, steps)}
${renderSplits(view, steps)}
<ul>${steps.notes.map((note) => markup`<li>${note}.</li>`)}</ul>`;
  },
  renderText: (context) => (context.report.steps === undefined ? [] : writeSteps(context, context.report.steps)),
};
