import { lintFinding, lintRule } from "../../lint-rule.js";
import { findCollisions } from "../../tex/binders.js";
import { getFormulaLine, listFormulas } from "../../tex/formulas.js";

/** A sum inside a sum over the same index. */
export const mathShadowRule = lintRule({
  id: "math.shadow",
  severity: "warning",
  description: "Finds nested sums or products over the same index.",
  rationale: "The inner index hides the outer one, so that the outer sum only counts.",
  remedy: "Rename one of the indices",
  examples: [
    { name: "two indices", markdown: "$\\sum_i \\sum_j a_{ij}$", messages: [] },
    {
      name: "one index for both",
      markdown: "$\\sum_{i=1}^n \\sum_{i=1}^m a_{i}$",
      messages: ['Nested sums both run over "i"'],
    },
  ],
  check({ document }) {
    return listFormulas(document).flatMap((formula) =>
      findCollisions(formula.tree.nodes).flatMap(({ variable, how, at }) =>
        how === "shadow" ? [lintFinding(getFormulaLine(formula, at), `Nested sums both run over "${variable}"`)] : [],
      ),
    );
  },
});
