import type { PublishDocument } from "../../../document.js";
import { lintFinding, lintRule } from "../../lint-rule.js";
import { getCodeLines } from "../../text/prose.js";

/** A gloss: a symbol with what the text says it is. */
interface Gloss {
  readonly symbol: string;
  readonly words: string;
  readonly line: number;
}

const forms = [
  /\b(?:where|with|let|here|in which)\s+\$([^$]+)\$\s+(?:is|denotes?|be|stands for|represents)\s+(?:the |an? )?([^$.,;:()]{3,60})/gi,
  /(?:其中|这里|记|令|设)\s*\$([^$]+)\$\s*(?:是|为|表示|代表)\s*([^$，。；：、（）,.;:()]{2,30})/g,
  /(?:trong đó|với|gọi|ký hiệu)\s+\$([^$]+)\$\s+(?:là|biểu thị)\s+([^$.,;:()]{3,60})/gi,
];

const stopWords: ReadonlySet<string> = new Set(
  "the a an of for and or in on at to by is are with each our its this that một các của và".split(" "),
);

function listContent(words: string): ReadonlySet<string> {
  const lower = words.toLowerCase();
  const latin = (lower.match(/[\p{Script=Latin}\p{N}]{3,}/gu) ?? [])
    .filter((word) => !stopWords.has(word))
    .map((word) => word.replace(/s$/, ""));
  const han = [...(lower.match(/\p{Script=Han}/gu) ?? [])];
  return new Set([...latin, ...han]);
}

function listGlosses(document: PublishDocument): Gloss[] {
  const isCode = getCodeLines(document);
  return document.lines.flatMap((text, i) =>
    isCode[i]
      ? []
      : forms.flatMap((form) =>
          [...text.matchAll(form)].map(([, symbol, words]) => ({
            symbol: symbol.replace(/\s+/g, ""),
            words: words.trim(),
            line: i + 1,
          })),
        ),
  );
}

/** One symbol with two meanings. */
export const mathSymbolRedefinedRule = lintRule({
  id: "math.symbol-redefined",
  severity: "warning",
  description: "Finds a symbol that two sentences of the form “where X is …” explain without a word in common.",
  rationale:
    "A reader who looks a symbol up finds the wrong meaning. Two explanations that share a word count as the same; other ways of explaining a symbol are not read.",
  remedy: "Use another letter for one of the two, or make the explanations agree",
  examples: [
    {
      name: "the same meaning in other words",
      markdown: "Here where $A_t$ is the advantage.\n\nAgain where $A_t$ denotes an advantage estimate.",
      messages: [],
    },
    {
      name: "two meanings",
      markdown: "A sum where $\\beta$ is the KL weight.\n\nA mix where $\\beta$ is the noise schedule.",
      messages: ['"\\beta" is “noise schedule” here and “KL weight” on line 1'],
      lines: [3],
    },
    {
      name: "two meanings in Chinese",
      markdown: "其中 $G$ 是组大小。\n\n其中 $G$ 表示梯度。",
      messages: ['"G" is “梯度” here and “组大小” on line 1'],
    },
  ],
  check({ document }) {
    const first = new Map<string, Gloss>();
    return listGlosses(document).flatMap((gloss) => {
      const known = first.get(gloss.symbol);
      if (known === undefined) {
        first.set(gloss.symbol, gloss);
        return [];
      }
      const content = listContent(known.words);
      if ([...listContent(gloss.words)].some((word) => content.has(word))) return [];
      return [
        lintFinding(
          gloss.line,
          `"${gloss.symbol}" is “${gloss.words}” here and “${known.words}” on line ${known.line}`,
        ),
      ];
    });
  },
});
