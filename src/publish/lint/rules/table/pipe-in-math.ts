import { lintFinding, lintRule } from "../../lint-rule.js";
import { showTex } from "../../tex/formulas.js";

/** Pipes in formulas of tables. */
export const tablePipeInMathRule = lintRule({
  id: "table.pipe-in-math",
  severity: "warning",
  description: "Finds pipes, escaped or not, inside maths in a table cell.",
  rationale: "The page splits cells correctly; other renderers split the formula at the pipe, or turn \\| into |.",
  remedy:
    "Write \\lvert … \\rvert, \\lVert … \\rVert or \\mid; --fix-safe writes \\vert and \\Vert, which look the same",
  examples: [
    { name: "commands for bars", markdown: "| a |\n|---|\n| $\\lVert x \\rVert$ |", messages: [] },
    { name: "pipes outside tables", markdown: "So $p(a|b)$ holds.", messages: [] },
    {
      name: "a norm in a cell",
      markdown: "| a | b |\n|---|---|\n| $\\|x\\|$ | $p(a|b)$ |",
      messages: ['The formula "\\|x\\|" in a table holds pipes', 'The formula "p(a|b)" in a table holds pipes'],
    },
  ],
  check({ document }) {
    const tables = document.blocks.filter(({ type }) => type === "table");
    return document.inlineMath
      .filter(
        ({ tex, line }) =>
          tex.includes("|") && tables.some(({ lineStart, lineEnd }) => line >= lineStart && line <= lineEnd),
      )
      .map(({ tex, line }) => lintFinding(line, `The formula "${showTex(tex)}" in a table holds pipes`));
  },
});
