import { lintFinding, lintRule } from "../../lint-rule.js";
import { listFormulas } from "../../tex/formulas.js";
import { flattenTex } from "../../tex/parse-tex.js";

/** Two ends where a range is meant. */
export const mathRangeSetRule = lintRule({
  id: "math.range-set",
  severity: "note",
  description: "Finds a set of two ends such as {1, T} whose letter is an upper bound elsewhere in the document.",
  rationale:
    "The set has two members; usually the whole range is meant. Where the letter is no bound, the set is left alone.",
  remedy: "Write `\\{1, \\dots, T\\}`",
  examples: [
    { name: "the range written out", markdown: "$t \\in \\{1, \\dots, T\\}$ and $\\sum_{t=1}^{T} r_t$", messages: [] },
    { name: "a set of two, its letter no bound", markdown: "Choose from $\\{0, c\\}$.", messages: [] },
    {
      name: "the ends only",
      markdown: "For $t \\in \\{1, T\\}$ take $\\sum_{t=1}^{T} r_t$.",
      messages: ['"\\{1,T\\}" has two members, and T is an upper bound elsewhere: a range may be meant'],
    },
  ],
  check({ document }) {
    const flat = listFormulas(document).map(({ tree, line }) => ({ text: flattenTex(tree.nodes), line }));
    const isBound = (letter: string): boolean =>
      flat.some(
        ({ text }) => text.includes(`^${letter}`) && new RegExp(`\\\\(sum|prod)[^+]*\\^${letter}`).test(text),
      ) || flat.some(({ text }) => new RegExp(`\\\\(l?dots|cdots) ?,${letter}\\b`).test(text));
    return flat.flatMap(({ text, line }) =>
      [...text.matchAll(/\\\{[01],([A-Za-z])\\\}/g)]
        .filter(([, letter]) => isBound(letter))
        .map(([set, letter]) =>
          lintFinding(
            line,
            `"${set}" has two members, and ${letter} is an upper bound elsewhere: a range may be meant`,
          ),
        ),
    );
  },
});
