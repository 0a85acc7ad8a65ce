import type { PublishDocument } from "../../../document.js";
import { lintFinding, lintRule } from "../../lint-rule.js";
import { getFormulaLine, listFormulas, showTex } from "../../tex/formulas.js";
import { flattenTex, type TexNode } from "../../tex/parse-tex.js";
import { splitRelations } from "../../tex/relations.js";

/** A quantity with a name in words, and everything it is said to equal in one display. */
interface Definition {
  readonly left: string;
  readonly rights: readonly string[];
  readonly file: string;
  readonly line: number;
  readonly shown: string;
}

const equalSigns: ReadonlySet<string> = new Set(["=", "\\equiv", "\\triangleq", "\\coloneqq", "≡"]);

function hasWords(nodes: readonly TexNode[]): boolean {
  return nodes.some(({ kind, text, nodes: inner }) => (kind === "words" && /\p{L}{2}/u.test(text)) || hasWords(inner));
}

/** Drops what does not change a right side: sizes are gone already, end marks and stops remain. */
function normalize(nodes: readonly TexNode[]): string {
  return flattenTex(nodes)
    .replace(/\\(,|;|!|mathrm |operatorname )/g, "")
    .replace(/[.;]$/, "");
}

function listDefinitions(document: PublishDocument): Definition[] {
  return listFormulas(document).flatMap((formula) => {
    if (!formula.isDisplay) return [];
    return splitRelations(formula.tree.nodes).flatMap(([first, ...rest]): Definition[] => {
      const equal = rest.filter(({ sign }) => sign !== undefined && equalSigns.has(sign));
      if (first === undefined || equal.length === 0 || equal.length < rest.length || !hasWords(first.nodes)) return [];
      const [at] = first.nodes;
      return [
        {
          left: normalize(first.nodes),
          rights: equal.map(({ nodes }) => normalize(nodes)),
          file: document.file,
          line: at === undefined ? formula.line : getFormulaLine(formula, at.start),
          shown: showTex(formula.tex.slice(at?.start ?? 0, first.nodes.at(-1)?.end)),
        },
      ];
    });
  });
}

/** One name, two definitions. */
export const mathSameLhsRule = lintRule({
  id: "math.same-lhs",
  severity: "warning",
  description: "Finds displays that give the same named left side different right sides, in all documents of the set.",
  rationale:
    "One of the two is wrong, or they need different names. Only left sides named in words, such as L with the index DPO, are compared; letters like x_t are used afresh in every section.",
  remedy: "Make them equal, or say in the name what differs",
  examples: [
    {
      name: "the same equation twice, spaced differently",
      markdown: "$$L_{\\text{PG}} = a b$$\n\n$$L_{\\text{PG}}=a\\,b.$$",
      messages: [],
    },
    {
      name: "a chain that shares a step",
      markdown: "$$L_{\\text{PG}} = a = c$$\n\n$$L_{\\text{PG}} = c$$",
      messages: [],
    },
    {
      name: "two definitions",
      markdown: "$$L_{\\text{PG}} = a - b$$\n\n$$L_{\\text{PG}} = a + b$$",
      messages: ['"L_{\\text{PG}}" has another right side on line 1'],
      lines: [3],
    },
    {
      name: "two documents",
      markdown: "$$L_{\\text{PG}} = a - b$$",
      others: { "b.md": "$$L_{\\text{PG}} = a$$" },
      messages: ['"L_{\\text{PG}}" has another right side in b.md, line 1'],
    },
  ],
  check({ document, set }) {
    const own = listDefinitions(document);
    const others = set.filter((other) => other !== document && other.lang === document.lang).flatMap(listDefinitions);
    return own.flatMap((definition, i) => {
      const rival = [...own.slice(0, i), ...others].find(
        ({ left, rights }) => left === definition.left && !rights.some((right) => definition.rights.includes(right)),
      );
      if (rival === undefined) return [];
      const where = rival.file === document.file ? `on line ${rival.line}` : `in ${rival.file}, line ${rival.line}`;
      return [lintFinding(definition.line, `"${definition.shown}" has another right side ${where}`)];
    });
  },
});
