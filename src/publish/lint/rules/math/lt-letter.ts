import { lintFinding, lintRule } from "../../lint-rule.js";
import { listFormulas, showTex } from "../../tex/formulas.js";

/** A less-than sign that looks like a tag. */
export const mathLtLetterRule = lintRule({
  id: "math.lt-letter",
  severity: "note",
  description: "Finds `<` directly before a letter, `/` or `!` in maths.",
  rationale:
    "The page is safe, but a renderer that looks for tags before formulas swallows everything up to the next `>`.",
  remedy: "Write \\lt, or put a space after the sign",
  examples: [
    { name: "a space or the command", markdown: "For $i < j$ and $x_{\\lt t}$.", messages: [] },
    { name: "a letter after the sign", markdown: "Given $y_{<t}$.", messages: ['"<t" in a formula looks like a tag'] },
  ],
  check({ document }) {
    return listFormulas(document).flatMap(({ tex, line }) => {
      const match = /<[A-Za-z/!]/.exec(tex);
      return match === null ? [] : [lintFinding(line, `"${showTex(match[0])}" in a formula looks like a tag`)];
    });
  },
});
