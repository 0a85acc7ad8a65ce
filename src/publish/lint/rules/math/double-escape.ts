import { lintFinding, lintRule } from "../../lint-rule.js";
import { getFormulaLine, listFormulas } from "../../tex/formulas.js";
import type { TexNode } from "../../tex/parse-tex.js";

/** Returns the line breaks outside environments, `\substack` included. */
function listBreaks(nodes: readonly TexNode[]): TexNode[] {
  return nodes.flatMap((node, i) => {
    if (node.kind === "break") return [node];
    const isStack = node.kind === "group" && nodes[i - 1]?.text === "\\substack";
    return node.kind === "environment" || isStack ? [] : listBreaks(node.nodes);
  });
}

/** A backslash written twice. */
export const mathDoubleEscapeRule = lintRule({
  id: "math.double-escape",
  severity: "error",
  description: "Finds `\\\\` directly before a letter, a brace or a bar outside an environment of several lines.",
  rationale:
    "It is nearly always a command escaped twice, for JSON or for another renderer: `\\\\frac` breaks the line and prints the word.",
  remedy: "Write one backslash; for a line break use an aligned environment",
  examples: [
    {
      name: "line breaks where they belong",
      markdown: "$$\\begin{aligned} a &= b \\\\c &= d \\end{aligned}$$\n\n$$\\sum_{\\substack{i\\\\j}} x$$",
      messages: [],
    },
    {
      name: "a command escaped twice",
      markdown: "So $x = \\\\frac{a}{b}$.",
      messages: ['"\\\\frac" has one backslash too many'],
    },
    {
      name: "a set in braces escaped twice",
      markdown: "Let $\\\\{a\\\\}$.",
      messages: ['"\\\\{" has one backslash too many', '"\\\\}" has one backslash too many'],
    },
  ],
  check({ document }) {
    return listFormulas(document).flatMap((formula) =>
      listBreaks(formula.tree.nodes).flatMap(({ start }) => {
        const match = /^\\\\(?:[A-Za-z]+|[{}|])/.exec(formula.tex.slice(start));
        if (match === null) return [];
        return [lintFinding(getFormulaLine(formula, start), `"${match[0]}" has one backslash too many`)];
      }),
    );
  },
});
