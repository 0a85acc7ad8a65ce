import { lintFinding, lintRule } from "../../lint-rule.js";
import { getCodeLines } from "../../text/prose.js";

/** Lines that slip into a quote. */
export const quoteLazyContinuationRule = lintRule({
  id: "quote.lazy-continuation",
  severity: "warning",
  description: "Finds a quoted line that is directly followed by an unquoted line of text or maths.",
  rationale:
    "Markdown takes the unquoted line into the quote; other renderers end the quote there, and a display formula falls out of its box.",
  remedy: "Mark the line with >, or put a blank line before it",
  examples: [
    {
      name: "marked lines, and blocks that end a quote",
      markdown: "> one\n> two\n\ntext\n\n> three\n\n```\n> four\ntext\n```",
      messages: [],
    },
    {
      name: "text below a quote",
      markdown: "> one\ntwo",
      messages: ["An unquoted line follows the quote without a blank line"],
      lines: [1],
    },
    {
      name: "a display below a callout",
      markdown: "> ✅ **Theorem** — under these assumptions:\n$$a = b$$",
      messages: ["An unquoted line follows the quote without a blank line"],
    },
  ],
  check({ document }) {
    const isCode = getCodeLines(document);
    return document.lines.flatMap((line, i) => {
      const next = document.lines[i + 1];
      if (isCode[i] || next === undefined || isCode[i + 1] || !/^\s{0,3}>\s*\S/.test(line)) return [];
      const isEnd = /^\s*$|^\s*(?:>|#{1,6}\s|[-*+]\s|\d+[.)]\s|```|~~~|:::|<|(?:[-*_]\s*){3,}$)/.test(next);
      return isEnd ? [] : [lintFinding(i + 1, "An unquoted line follows the quote without a blank line")];
    });
  },
});
