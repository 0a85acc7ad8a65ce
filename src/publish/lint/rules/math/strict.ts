import katex from "katex";
import { lintFinding, lintRule } from "../../lint-rule.js";
import { listFormulas, showTex } from "../../tex/formulas.js";
import { repairTex } from "../../tex/repair-tex.js";

const reasons: { readonly [code: string]: string } = {
  unicodeTextInMathMode: "letters of another script stand outside \\text{…}",
  unknownSymbol: "it holds a character that the maths fonts lack",
  mathVsTextUnits: "it uses a unit of the wrong mode",
  mathVsSout: "it strikes out text in maths mode",
  commentAtEnd: "a % comments out its end",
  htmlExtension: "it uses an HTML extension",
  newLineInDisplayMode: "\\\\ breaks a line outside an environment, which other engines ignore",
};

/** Formulas that only a forgiving engine sets. */
export const mathStrictRule = lintRule({
  id: "math.strict",
  severity: "warning",
  description: "Finds formulas that a strict parser rejects though the page can set them.",
  rationale:
    "Another renderer may fail on them, show them differently or fall back to another font. One finding for each formula and reason.",
  remedy: "Put braces around a bare operator, words into \\text{…}, and line breaks into an aligned environment",
  examples: [
    { name: "plain TeX", markdown: "With $x_{\\min}$ and $\\text{é}$.", messages: [] },
    {
      name: "a bare operator as an index",
      markdown: "With $\\sigma_\\min$.",
      messages: ['The formula "\\sigma_\\min" needs repair: an operator stands bare as an index'],
    },
    {
      name: "Chinese outside text",
      markdown: "令 $x = 温度$。",
      messages: ['The formula "x = 温度" is not strict: letters of another script stand outside \\text{…}'],
    },
  ],
  check({ document }) {
    return listFormulas(document).flatMap(({ tex, tree, line, isDisplay }) => {
      if (tree.faults.length > 0) return [];
      const repaired = repairTex(tex);
      const found = new Set<string>();
      const strict = (code: string): "ignore" => {
        found.add(reasons[code] ?? code);
        return "ignore";
      };
      katex.renderToString(repaired, { displayMode: isDisplay, strict, throwOnError: false });
      const shown = showTex(tex);
      return [
        ...(repaired === tex
          ? []
          : [lintFinding(line, `The formula "${shown}" needs repair: an operator stands bare as an index`)]),
        ...[...found].map((reason) => lintFinding(line, `The formula "${shown}" is not strict: ${reason}`)),
      ];
    });
  },
});
