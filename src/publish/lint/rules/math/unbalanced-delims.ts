import { lintFinding, lintRule } from "../../lint-rule.js";
import { getFormulaLine, listFormulas, showTex } from "../../tex/formulas.js";
import { matchProse } from "../../text/prose.js";

/** Something opened and not closed. */
export const mathUnbalancedDelimsRule = lintRule({
  id: "math.unbalanced-delims",
  severity: "error",
  description: "Finds braces, environments, \\left…\\right and dollars without a partner.",
  rationale:
    "The formula cannot be set, or the text after a lone dollar is taken for one. A dollar beside a digit is money and is left alone.",
  remedy: "Add the missing partner; write `\\$` for a dollar that opens no formula",
  examples: [
    {
      name: "balanced formulas, one bracket left open on purpose, and prices",
      markdown: "It costs $5 or 3$; $\\left\\{ a \\right. $ and $[0, 1)$.",
      messages: [],
    },
    {
      name: "a line that begins with the letter of its formula",
      markdown: "The chance within $T$ turns.",
      messages: [],
    },
    {
      name: "a brace that is never closed",
      markdown: "So $x_{i$ is lost.",
      messages: ['The formula "x_{i" is unbalanced: A "{" is never closed'],
    },
    {
      name: "a fence without its end",
      markdown: "$$\n\\frac{a}{b} + \\left( c\n$$",
      messages: ['The formula "\\frac{a}{b} + \\left( c" is unbalanced: \\left( has no \\right'],
      lines: [2],
    },
    { name: "a lone dollar", markdown: "Here $x is not closed.", messages: ['A "$" has no partner on its line'] },
  ],
  check({ document }) {
    const formulas = listFormulas(document).flatMap((formula) =>
      formula.tree.faults.map(({ message, at }) =>
        lintFinding(getFormulaLine(formula, at), `The formula "${showTex(formula.tex)}" is unbalanced: ${message}`),
      ),
    );
    const dollars = matchProse(document, /(?<![\\\d$])\$(?!\s*[\d$]|\{)/g);
    return [...formulas, ...dollars.map(({ line }) => lintFinding(line, 'A "$" has no partner on its line'))];
  },
});
