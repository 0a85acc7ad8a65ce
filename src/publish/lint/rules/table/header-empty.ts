import { lintFinding, lintRule } from "../../lint-rule.js";
import { listTableRows } from "../../text/table-rows.js";

/** Columns without a name. */
export const tableHeaderEmptyRule = lintRule({
  id: "table.header-empty",
  severity: "note",
  description: "Finds empty header cells, the first one excepted.",
  rationale: "Readers and screen readers cannot tell what the column holds. The corner above row names may stay empty.",
  remedy: "Name the column",
  examples: [
    { name: "named columns and an empty corner", markdown: "| | b |\n|---|---|\n| 1 | 2 |", messages: [] },
    { name: "a column without a name", markdown: "| a | |\n|---|---|\n| 1 | 2 |", messages: ["Column 2 has no name"] },
  ],
  check({ document }) {
    return document.blocks
      .filter(({ type }) => type === "table")
      .flatMap((block) => {
        const [head] = listTableRows(document, block);
        return (head?.cells ?? []).flatMap((cell, i) =>
          cell === "" && i > 0 ? [lintFinding(block.lineStart, `Column ${i + 1} has no name`)] : [],
        );
      });
  },
});
