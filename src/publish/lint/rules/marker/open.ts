import { lintFinding, lintRule } from "../../lint-rule.js";
import { matchProse } from "../../text/prose.js";

const words =
  /(?<![\p{L}\p{N}_-])(needs[-_ ]verif(?:y|ication)|to-?be-?verified|todo(?!\s*(?:list|app|item|列表|应用|清单)|-list)|tbd|tbc|fixme|citation needed|cite needed|待核实|待验证|待补充|cần kiểm chứng)(?![\p{L}\p{N}_])/giu;
const orders = /(?<![\p{L}\p{N}_])VERIFY(?![\p{L}\p{N}_])/gu;
const brackets =
  /(?<![\p{L}\p{N}_\]!])(?:[[（]\s*(?:verify|check|confirm|\?+|cite|citation|ref|source|author,? year|作者,?\s*年份)\s*[\]）]|\(\s*(?:verify|check|\?+|author,? year)\s*\))(?!\s*[[(:])/giu;

/** Returns whether words in brackets are a link to a definition of the document. */
function isLink(text: string, source: string): boolean {
  return text.startsWith("[") && source.toLowerCase().includes(`\n${text.toLowerCase()}:`);
}

/** Work left to do. */
export const markerOpenRule = lintRule({
  id: "marker.open",
  severity: "warning",
  description:
    "Finds open markers in the text: needs-verify, [verify], TODO, TBD, FIXME and placeholder citations, in any letter case.",
  rationale: "The author meant to come back. At release a marker is an error, in a draft a warning; code may hold any.",
  remedy: "Settle what the marker asks and remove it",
  examples: [
    {
      name: "ordinary words, and markers in code",
      markdown:
        "We verify this with a to-do list: `TODO`; call check(source), see [source](a.md).\n\n```py\n# TODO later\n```",
      messages: [],
    },
    {
      name: "markers in a draft",
      markdown: "It was 2021 [needs-verify].\n\nTodo: explain. See [?].",
      messages: ['The marker "needs-verify" is open', 'The marker "Todo" is open', 'The marker "[?]" is open'],
      lines: [1, 3, 3],
    },
    {
      name: "a marker at release",
      markdown: "It was 2021 (verify).",
      level: "release",
      messages: ['The marker "(verify)" is open'],
    },
  ],
  check({ document, level }) {
    const spans = document.lines.flatMap((line, i) =>
      // A statement marked as unverified is a marker in the dialect's own form.
      [...line.matchAll(/\]\{[^}]*\.(needs-verify)\b[^}]*\}/g)].map(([, name]) => ({ line: i + 1, text: name })),
    );
    const severity = level === "release" ? "error" : "warning";
    const inBrackets = matchProse(document, brackets).filter(({ text, line, column }) => {
      const next = document.lines[line - 1][column + text.length] ?? "";
      return !/[[(:]/.test(next) && !isLink(text, document.source);
    });
    const found = [words, orders].flatMap((form) => matchProse(document, form)).concat(inBrackets);
    return [...spans, ...found]
      .sort((a, b) => a.line - b.line)
      .map(({ line, text }) => lintFinding(line, `The marker "${text}" is open`, { severity }));
  },
});
