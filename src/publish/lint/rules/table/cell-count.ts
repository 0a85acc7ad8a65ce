import { lintFinding, lintRule } from "../../lint-rule.js";
import { listTableRows } from "../../text/table-rows.js";

/** Rows that lose a cell or gain one. */
export const tableCellCountRule = lintRule({
  id: "table.cell-count",
  severity: "error",
  description: "Finds table rows whose number of cells differs from that of the header.",
  rationale:
    "Missing cells show empty and surplus ones are dropped without a word. Pipes inside code and maths split nothing here.",
  remedy: "Add the missing cell, or escape the pipe that splits one as `\\|`",
  examples: [
    {
      name: "pipes in maths and code",
      markdown: "| a | b |\n|---|---|\n| $|x|$ | `a|b` |\n| c \\| d | e |",
      messages: [],
    },
    {
      name: "a row too short and one too long",
      markdown: "| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |",
      messages: ["The row has 1 cell, the header 2", "The row has 3 cells, the header 2"],
      lines: [3, 4],
    },
  ],
  check({ document }) {
    return document.blocks
      .filter(({ type }) => type === "table")
      .flatMap((block) => {
        const [head, ...rows] = listTableRows(document, block);
        if (head === undefined) return [];
        return rows.flatMap(({ line, cells }) =>
          cells.length === head.cells.length
            ? []
            : [
                lintFinding(
                  line,
                  `The row has ${cells.length} ${cells.length === 1 ? "cell" : "cells"}, the header ${head.cells.length}`,
                ),
              ],
        );
      });
  },
});
