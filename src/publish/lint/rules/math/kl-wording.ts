import { lintFinding, lintRule } from "../../lint-rule.js";
import { getCodeLines } from "../../text/prose.js";

/** A direction named beside a divergence. */
interface Wording {
  readonly word: "forward" | "reverse";
  readonly first: string;
  readonly second: string;
  readonly line: number;
}

const words = /\b(forward|reverse|backward)\b|(前向|正向)|(反向|逆向)|\b(thuận)\b|\b(nghịch|ngược)\b/giu;
const divergence =
  /(?:D_?\{?(?:\\(?:text|mathrm|mathbb)\{)?\s*KL\}*|\\?KL|\\operatorname\{KL\}|\\(?:text|mathrm)\{KL\})\s*(?:\\left|\\[bB]ig+l?)?\s*[([]\s*([^|‖]+?)\s*(?:\\,|\\;)*(?:\\(?:\||Vert|parallel)|\|\||‖|\\[bB]ig+\\\|)\s*(?:\\,|\\;)*([^$]+?)\s*(?:\\right|\\[bB]ig+r?)?[)\]](?=[^)\]]*(?:\$|$|[\s,，。.;+=-]))/gu;

function normalize(tex: string): string {
  return tex.replace(/\\[,;! ]|\s|\\(left|right|big|Big)|\([^()]*\)|[{}]/g, "");
}

function readWordings(line: string, number: number): Wording[] {
  return line.split(/[。；;!?！？]|\.(?=\s|$)/u).flatMap((sentence) => {
    const named = [...sentence.matchAll(words)];
    const divergences = [...sentence.matchAll(divergence)];
    // Several of either in one sentence cannot be told apart.
    if (named.length !== 1 || divergences.length !== 1) return [];
    const [{ 1: english, 2: ahead, 4: thuan }] = named;
    const word =
      english?.toLowerCase() === "forward" || ahead !== undefined || thuan !== undefined ? "forward" : "reverse";
    const [{ 1: first, 2: second }] = divergences;
    return [{ word, first: normalize(first), second: normalize(second), line: number }];
  });
}

/** A direction of the KL divergence that changes its meaning. */
export const mathKlWordingRule = lintRule({
  id: "math.kl-wording",
  severity: "note",
  description: "Finds “forward” or “reverse” beside a KL divergence whose order contradicts the first such sentence.",
  rationale:
    "Which order is called forward is a convention; a document may choose, but must keep it. The first sentence that names a direction with its formula sets the convention; sentences with several divergences are not read.",
  remedy: "Correct the word or the order of the arguments",
  examples: [
    {
      name: "both directions, consistently",
      markdown:
        "The forward KL $\\mathrm{KL}(p \\| q)$ covers modes.\n\nThe reverse KL $\\mathrm{KL}(q \\| p)$ seeks one.",
      messages: [],
    },
    {
      name: "the same order under the other word",
      markdown:
        "The forward KL $D_{\\text{KL}}(p \\| q)$ covers modes.\n\nThe reverse KL $D_{\\text{KL}}(p \\| q)$ seeks one.",
      messages: ["This order of the arguments is called forward on line 1 and reverse here"],
    },
  ],
  check({ document }) {
    const isCode = getCodeLines(document);
    const all = document.lines.flatMap((line, i) => (isCode[i] ? [] : readWordings(line, i + 1)));
    return all.flatMap((wording, i) => {
      const { word, first, second, line } = wording;
      const rival = all.slice(0, i).find((other) => {
        const isSame = other.first === first && other.second === second;
        const isSwapped = other.first === second && other.second === first;
        return (isSame && other.word !== word) || (isSwapped && other.word === word);
      });
      return rival === undefined
        ? []
        : [
            lintFinding(
              line,
              `This order of the arguments is called ${rival.first === first ? rival.word : rival.word === "forward" ? "reverse" : "forward"} on line ${rival.line} and ${word} here`,
            ),
          ];
    });
  },
});
