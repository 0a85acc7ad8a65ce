import { lintFinding, lintRule } from "../../lint-rule.js";
import { listFormulas, showTex, type Formula } from "../../tex/formulas.js";
import { flattenTex } from "../../tex/parse-tex.js";

/** Words inside a formula are translated; everything else is not. */
function normalize({ tree }: Formula): string {
  return flattenTex(tree.nodes)
    .replace(/‹[^›]*›/g, "")
    .replace(/[.,;。，；]$/, "");
}

/** Displays that changed in translation. */
export const parityMathRule = lintRule({
  id: "parity.math",
  severity: "warning",
  description:
    "Finds displays of a translation that differ from the original's at the same place, words inside them aside.",
  rationale:
    "Formulas are not translated: one of the two was corrected or mistyped. Where their numbers differ, parity.blocks says so first.",
  remedy: "Carry the correction over",
  examples: [
    {
      name: "words translated",
      markdown: "$$a = b \\text{ 若 } c$$",
      original: "$$a = b \\text{ if } c$$",
      messages: [],
    },
    {
      name: "a sign changed",
      markdown: "$$a = -b$$",
      original: "$$a = b$$",
      messages: ['Display 1 differs from the original\'s: "a = b"'],
    },
  ],
  findGap: ({ original }) => (original === undefined ? "the document translates no other" : undefined),
  check({ document, original }) {
    if (original === undefined) return [];
    const own = listFormulas(document).filter(({ isDisplay }) => isDisplay);
    const others = listFormulas(original).filter(({ isDisplay }) => isDisplay);
    return own.flatMap((formula, i) => {
      const other = others[i];
      if (other === undefined || normalize(formula) === normalize(other)) return [];
      return [lintFinding(formula.line, `Display ${i + 1} differs from the original's: "${showTex(other.tex)}"`)];
    });
  },
});
