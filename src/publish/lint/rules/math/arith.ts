import { lintFinding, lintRule } from "../../lint-rule.js";
import { areSidesEqual, evaluateTex } from "../../tex/evaluate-tex.js";
import { getFormulaLine, listFormulas, showTex } from "../../tex/formulas.js";
import { parseTex, type TexNode } from "../../tex/parse-tex.js";
import { splitRelations } from "../../tex/relations.js";
import { matchProse } from "../../text/prose.js";

const exact: ReadonlySet<string> = new Set(["=", "\\equiv"]);
const approximate: ReadonlySet<string> = new Set(["≈", "\\approx", "\\simeq"]);

/** A computation in prose: numbers joined by signs, a relation, and numbers; nothing that names a thing on either side. */
const identity =
  /(?<![\p{L}\p{N}_.,/×*+\-−–(])[(]?\d[\d,.]*%?(?:\s*[×*·/÷+\-−–^]\s*[(]?\d[\d,.]*%?[)]?)+(?:\s*[=≈]\s*\d[\d,.]*(?:\s*[×*·/÷+\-−–^]\s*\d[\d,.]*)*%?)+(?![\p{N}_%]|\s*[×*·/÷^]|\s*(?:[kKMGTB](?:i?B|FLOPs?)?\b|thousand|million|billion|trillion|[千万亿百]|nghìn|triệu|tỷ)|[.,]\d)/gu;

/** A false identity: the text of both sides with what the left one comes to. */
interface Falsehood {
  readonly left: string;
  readonly right: string;
  readonly value: number;
  readonly at: number;
}

function findFalsehoods(tex: string, nodes: readonly TexNode[]): Falsehood[] {
  const show = (side: readonly TexNode[]): string => showTex(tex.slice(side[0]?.start ?? 0, side.at(-1)?.end ?? 0));
  return splitRelations(nodes).flatMap((sides) =>
    sides.flatMap(({ sign, nodes: right }, i): Falsehood[] => {
      const left = sides[i - 1]?.nodes;
      if (left === undefined || sign === undefined || !(exact.has(sign) || approximate.has(sign))) return [];
      const [a, b] = [evaluateTex(left), evaluateTex(right)];
      if (a === undefined || b === undefined || areSidesEqual(a, b, approximate.has(sign))) return [];
      return [{ left: show(left), right: show(right), value: a.value, at: left[0]?.start ?? 0 }];
    }),
  );
}

function tell({ left, right, value }: Falsehood): string {
  const shown = Number(value.toPrecision(6));
  return String(shown) === left ? `"${left}" is not "${right}"` : `"${left}" is ${shown}, not "${right}"`;
}

/** A sum that does not add up. */
export const mathArithRule = lintRule({
  id: "math.arith",
  severity: "error",
  description: "Finds numeric identities that are false, in formulas and in prose.",
  rationale:
    "Numbers that do not add up cost all trust in the others. Only sides made of numbers alone are computed: thousands marks, powers, fractions and percentages are read, units and symbols are not. “=” allows rounding to the places shown, “≈” one unit in the last place or 1 %.",
  remedy: "Correct the side that is wrong; use ≈ where a value is rounded",
  examples: [
    {
      name: "identities that hold, thousands marks and powers of ten among them",
      markdown:
        "$80 \\times 4096 \\times 2 = 655{,}360 \\approx 0.66 \\times 10^6$, $\\frac{1}{3} \\approx 0.33$, $2^{10} = 1{,}024$.\n\nIn prose 60% + 40% = 100% and 12 / 4 = 3.",
      messages: [],
    },
    {
      name: "what is no identity of numbers",
      markdown:
        "$n = 64 \\times 4 = 256$, $K = 8, T = 16$, $2 \\times 80 \\text{ GB} = 160$, $a_1 = 3$, $0.05 \\sim 0.5$.",
      messages: [],
    },
    {
      name: "a product that is wrong",
      markdown: "$32{,}768 \\times 2 = 65{,}336$",
      messages: ['"32{,}768 \\times 2" is 65536, not "65{,}336"'],
    },
    {
      name: "parts that miss their total",
      markdown: "Of these 40% + 35% + 20% = 100% are known.",
      messages: ['"40% + 35% + 20%" is 0.95, not "100%"'],
    },
    {
      name: "a quotient far from what is shown",
      markdown: "The ratio $10/4 \\approx 3.5$.",
      messages: ['"10/4" is 2.5, not "3.5"'],
    },
  ],
  check({ document }) {
    const formulas = listFormulas(document).flatMap((formula) =>
      findFalsehoods(formula.tex, formula.tree.nodes).map((found) =>
        lintFinding(getFormulaLine(formula, found.at), tell(found)),
      ),
    );
    const prose = matchProse(document, identity).flatMap(({ text, line }) => {
      // In TeX a per cent sign begins a comment.
      const tex = text.replace(/[.,]$/, "").replaceAll("%", "\\%");
      return findFalsehoods(tex, parseTex(tex).nodes).map(({ left, right, ...found }) =>
        lintFinding(line, tell({ ...found, left: left.replaceAll("\\%", "%"), right: right.replaceAll("\\%", "%") })),
      );
    });
    return [...formulas, ...prose];
  },
});
