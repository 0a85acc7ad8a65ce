import { lintFinding, lintRule } from "../../lint-rule.js";
import { findCollisions } from "../../tex/binders.js";
import { getFormulaLine, listFormulas } from "../../tex/formulas.js";

const words = {
  free: "and is also free on the same side",
  again: "and is bound again inside it",
  limits: "and stands in its own limits",
};

/** One letter for two things. */
export const mathIndexCollisionRule = lintRule({
  id: "math.index-collision",
  severity: "warning",
  description:
    "Finds a variable that an expectation, sum, product or integral binds and that is bound again inside it, stands in its limits, or is also free on the same side of a relation.",
  rationale:
    "The two uses mean different things under one name, as in a softmax whose sum runs over the index of its numerator. Both sides of a relation are judged apart: an index may be free on one and bound on the other. A sum is taken to end at the next plus or minus, so a missing bracket is found too.",
  remedy: "Rename the bound variable, or put brackets around what the sum covers",
  examples: [
    {
      name: "an index bound on the other side only",
      markdown: "$$p(x) \\log p(x) = \\mathbb{E}_{x \\sim p}[\\log p(x)]$$",
      messages: [],
    },
    { name: "two sums side by side may share an index", markdown: "$\\sum_i a_i + \\sum_i b_i$", messages: [] },
    {
      name: "a softmax over its own index",
      markdown: "$$\\frac{e^{x_i}}{\\sum_i e^{x_i}}$$",
      messages: ['"i" is bound by \\sum and is also free on the same side'],
    },
    {
      name: "an integral up to its own variable",
      markdown: "$$F = \\int_0^x f(x)\\,dx$$",
      messages: ['"x" is bound by \\int and stands in its own limits'],
    },
    {
      name: "an expectation inside one over the same variable",
      markdown: "$\\mathbb{E}_{x \\sim p}[\\mathbb{E}_{x \\sim q}[x]]$",
      messages: ['"x" is bound by \\mathbb{E} and is bound again inside it'],
    },
  ],
  check({ document }) {
    return listFormulas(document).flatMap((formula) =>
      findCollisions(formula.tree.nodes).flatMap(({ variable, sign, how, at }) =>
        how === "shadow"
          ? []
          : [lintFinding(getFormulaLine(formula, at), `"${variable}" is bound by ${sign} ${words[how]}`)],
      ),
    );
  },
});
