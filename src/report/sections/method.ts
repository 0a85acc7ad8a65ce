// internal
import { markup, renderTable, type Html } from "../../page/index.js";
import { describeSetting, renderNumber, renderSentence } from "../section-html.js";
import type { ReportSection, ReportView } from "../section.js";

const terms: readonly (readonly [string, string])[] = [
  [
    "Pass@(k,T)",
    "the chance that at least one of k tries at a task succeeds when each may use T turns; pass^k is the chance that all k do.",
  ],
  ["turn", "one call of the policy and the answer to it. Retries of failed requests are not turns."],
  ["cut", "the figure comes from longer episodes cut at T; exact only because the policy could not see its budget."],
  ["run", "the figure comes from episodes that ran under this budget."],
  ["hidden, static, countdown", "the policy was told nothing of its budget, told once, or told every turn."],
  [
    "act, hard, answer_only",
    "after the last turn the state reached is graded; or an unfinished episode fails; or one closing answer without tools is asked for.",
  ],
  [
    "band",
    "an interval that holds for all cells of its surface together; tasks, not episodes, are resampled, and it is widened where they are few.",
  ],
  ["gain, loss", "the band lies above zero, or below."],
  ["equivalent", "the band lies within the declared margin. Undecided: none of these; it does not mean equal."],
];

function renderRuns(view: ReportView): Html {
  const { runs } = view.report;
  return renderTable({
    caption: "Runs behind this report",
    columns: [
      { head: "Run", kind: "row_head" },
      { head: "feeds", kind: "text" },
      { head: "env", kind: "text" },
      { head: "tasks" },
      { head: "episodes" },
      { head: "config or source", kind: "text" },
    ],
    rows: runs.map(({ path, labels, env, configHash, source }, index) => ({
      cells: [
        path,
        labels.join(", "),
        `${env.id} ${env.version}`,
        renderNumber(view, `run.${index}.tasks`),
        renderNumber(view, `run.${index}.episodes`),
        markup`${source}${source !== undefined && configHash !== undefined && ", "}${configHash !== undefined && markup`<code title="${configHash}">${configHash.slice(0, 12)}</code>`}`,
      ],
    })),
    hasHiddenCaption: true,
  });
}

function renderMethod(view: ReportView): Html {
  const { surfaces, comparisons, notes } = view.report;
  const settings = surfaces.map(
    (surface) =>
      markup`<li><b>${surface.label}</b>: policy ${surface.policyId}${surface.checkpoint !== undefined && ` at ${surface.checkpoint}`}, env ${surface.env.id} ${surface.env.version}, ${describeSetting(surface)}</li>`,
  );
  const made = comparisons.map(
    ({ a, b, seed }, index) =>
      markup`<li><b>${b} minus ${a}</b>: paired on ${renderNumber(view, `shared.${index}`)} tasks, ${renderNumber(view, `level.${index}`)} level, ${renderNumber(view, `replicates.${index}`)} replicates with seed ${seed}, margin of equivalence ${renderNumber(view, `margin.${index}`)}.</li>`,
  );
  return markup`${renderRuns(view)}<ul>${settings}${made}</ul>
${
  notes.length > 0 &&
  markup`<h3>Notes</h3><ul>${notes.map((note) => markup`<li>${renderSentence(view, note)}</li>`)}</ul>
`
}<h3>Words</h3>
<dl class="terms">${terms.map(([term, meaning]) => markup`<div><dt>${term}</dt><dd>${meaning}</dd></div>`)}</dl>`;
}

/** Where the figures come from and what the words mean. */
export const methodSection: ReportSection = {
  id: "method",
  title: "How this was made",
  hasContent: () => true,
  renderHtml: renderMethod,
};
