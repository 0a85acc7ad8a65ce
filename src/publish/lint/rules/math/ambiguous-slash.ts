import { lintFinding, lintRule } from "../../lint-rule.js";
import { listFormulas } from "../../tex/formulas.js";
import { flattenTex } from "../../tex/parse-tex.js";

const argument =
  "(?:[A-Za-z]|\\\\(?!log|ln|exp|sin|cos|quad|cdot|times|left|right|[,;!])[A-Za-z]+ ?|\\d+)(?:[_^](?:\\{[^{}]*\\}|.))*";
const forms = [
  {
    form: new RegExp(`\\\\(?:log|ln|exp|sin|cos|tanh) ${argument}/(?!\\()`, "g"),
    what: "may divide inside or outside the function",
  },
  {
    form: /(?<![\d.])\d+\/\d+(?:[A-Za-z]|\\(?:pi|sigma|alpha|beta|lambda|mu|theta|sqrt) )/g,
    what: "may have its last factor above or below the line",
  },
];

/** A fraction in one line that reads two ways. */
export const mathAmbiguousSlashRule = lintRule({
  id: "math.ambiguous-slash",
  severity: "note",
  description: "Finds fractions written with a slash that read two ways, such as \\log a/b and 1/2x.",
  rationale:
    "Readers and programs bind the slash differently. A minus sign before a fraction changes nothing and is not reported.",
  remedy: "Write \\frac, or brackets",
  examples: [
    {
      name: "brackets and fractions",
      markdown: "$\\log(a/b)$, $\\frac{1}{2}x$, $(1/2)x$, $-a/b$, $1/2$",
      messages: [],
    },
    {
      name: "a logarithm before a slash",
      markdown: "$-\\log p/q$",
      messages: ['"\\log p/" may divide inside or outside the function'],
    },
    {
      name: "a factor after a slash",
      markdown: "$1/2x$",
      messages: ['"1/2x" may have its last factor above or below the line'],
    },
  ],
  check({ document }) {
    return listFormulas(document).flatMap(({ tree, line }) => {
      const flat = flattenTex(tree.nodes);
      return forms.flatMap(({ form, what }) =>
        [...flat.matchAll(form)].map(([text]) => lintFinding(line, `"${text.trim()}" ${what}`)),
      );
    });
  },
});
