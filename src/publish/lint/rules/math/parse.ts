import katex from "katex";
import { errorMessage } from "../../../../core/index.js";
import { lintFinding, lintRule } from "../../lint-rule.js";
import { listFormulas, showTex } from "../../tex/formulas.js";
import { repairTex } from "../../tex/repair-tex.js";

/** Formulas that the engine of the page cannot set. */
export const mathParseRule = lintRule({
  id: "math.parse",
  severity: "error",
  description: "Finds formulas that the maths engine of the page rejects.",
  rationale:
    "The page shows such a formula as an error in red instead of as maths. The formula is judged as the page sets it, after its repairs.",
  remedy: "Correct the command or the braces that the message names",
  examples: [
    {
      name: "formulas that can be set, a bare operator as an index among them",
      markdown: "Let $\\sigma_\\min \\le \\|x\\|$.\n\n$$\\frac{a}{b} = \\text{何か}$$",
      messages: [],
    },
    {
      name: "a command that does not exist",
      markdown: "So $\\fraction{a}{b}$ holds.",
      messages: ['The formula "\\fraction{a}{b}" cannot be set: Undefined control sequence: \\fraction at position 1'],
    },
  ],
  check({ document }) {
    return listFormulas(document).flatMap(({ tex, tree, line, isDisplay }) => {
      // Unbalanced pieces have a rule of their own, which says more.
      if (tree.faults.length > 0) return [];
      try {
        katex.renderToString(repairTex(tex), { displayMode: isDisplay, strict: "ignore", throwOnError: true });
        return [];
      } catch (error) {
        const [reason] = errorMessage(error)
          .replace(/^KaTeX parse error: /, "")
          .split(/:? *\u0332|: (?=…|[^:]*$)/);
        return [lintFinding(line, `The formula "${showTex(tex)}" cannot be set: ${reason.trim()}`)];
      }
    });
  },
});
