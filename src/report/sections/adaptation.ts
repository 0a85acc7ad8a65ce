// internal
import { markup, renderTable } from "../../page/index.js";
import { renderBare, renderFirst } from "../section-html.js";
import type { ReportSection } from "../section.js";
import { layOutTable } from "../text-layout.js";

/** What being told the budget changes: disclosed minus hidden-and-cut success. */
export const adaptationSection: ReportSection = {
  id: "adaptation",
  title: "Does it use the budget it is told?",
  hasContent: ({ adaptation }) => adaptation.length > 0,
  renderHtml: (view) => {
    const rows = view.report.adaptation.map(({ label, maxTurns, disclosure }, index) => {
      const id = `adaptation.${index}`;
      return {
        cells: [
          label,
          disclosure,
          String(maxTurns),
          markup`<strong>${renderBare(view, id)}</strong>`,
          renderFirst(view, [`${id}.interval`, `${id}.band`]),
        ],
      };
    });
    const table = renderTable({
      caption: "Budget-adaptation effect in points",
      columns: [
        { head: "Policy", kind: "row_head" },
        { head: "told", kind: "text" },
        { head: "T" },
        { head: "effect" },
        { head: "interval" },
      ],
      rows,
      hasHiddenCaption: true,
    });
    return markup`<p>Success when the policy is told its budget, minus success of the same policy when its long, uninformed episodes are cut at that budget. Around zero: telling it changes nothing.</p>
${table}`;
  },
  renderText: (context) => {
    const rows = context.report.adaptation.map(({ label, maxTurns, disclosure }, index) => {
      const id = `adaptation.${index}`;
      const interval = context.findClaim(`${id}.interval`) === undefined ? `${id}.band` : `${id}.interval`;
      return [
        label,
        disclosure,
        String(maxTurns),
        context.text(id, { hasUnit: false }),
        context.text(interval, { hasUnit: false }),
      ];
    });
    const columns = ["policy", "told", "T", "effect", "interval"].map((head) => ({ head }));
    return ["Effect of being told the budget, points", ...layOutTable(columns, rows, context)];
  },
};
