import { lintFinding, lintRule } from "../../lint-rule.js";
import { listFormulas } from "../../tex/formulas.js";
import { textCommands, type TexNode } from "../../tex/parse-tex.js";

const allowed: ReadonlySet<string> = new Set(
  "\\quad \\qquad \\ldots \\dots \\textbackslash \\textasciitilde \\textasciicircum \\ss \\ae \\o \\aa \\i \\j \\S \\P \\TeX \\LaTeX \\KaTeX \\rm \\bf \\it \\sf \\tt \\small \\large \\tiny \\textless \\textgreater \\textbar \\textdollar \\textunderscore \\textdegree \\copyright \\pounds \\dag \\ddag".split(
    " ",
  ),
);

function listWords(nodes: readonly TexNode[]): TexNode[] {
  return nodes.flatMap((node) => [
    ...(node.kind === "words" && node.by !== undefined && textCommands.has(node.by) ? [node] : []),
    ...listWords(node.nodes),
  ]);
}

/** Maths inside words. */
export const mathTextCommandRule = lintRule({
  id: "math.text-command",
  severity: "warning",
  description: "Finds maths commands inside \\text{…}.",
  rationale: "Engines print such a command literally or reject the formula, and they differ in which.",
  remedy: "End the words before the command, or put it between dollars inside the words",
  examples: [
    { name: "words, accents and spacing", markdown: 'So $x = \\text{na\\"ive\\quad case 1\\_b}$.', messages: [] },
    { name: "maths between dollars", markdown: "$$x \\text{ if \\(\\alpha\\) or $\\beta$ hold}$$", messages: [] },
    {
      name: "a Greek letter among words",
      markdown: "So $x = \\text{rate \\alpha}$.",
      messages: ['"\\alpha" stands inside \\text{…}, where it is no maths'],
    },
  ],
  check({ document }) {
    return listFormulas(document).flatMap(({ tree, line }) =>
      listWords(tree.nodes).flatMap(({ text, by }) => {
        const plain = text.replace(/\$[^$]*\$|\\\([^]*?\\\)/g, "");
        const command = (plain.match(/\\[A-Za-z]+/g) ?? []).find(
          (found) => !allowed.has(found) && !textCommands.has(found),
        );
        return command === undefined
          ? []
          : [lintFinding(line, `"${command}" stands inside ${by}{…}, where it is no maths`)];
      }),
    );
  },
});
