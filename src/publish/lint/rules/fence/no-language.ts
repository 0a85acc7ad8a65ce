import { lintFinding, lintRule } from "../../lint-rule.js";

/** Box drawing, blocks, arrows and geometric shapes, of which diagrams in text are made. */
const diagram = /[\u2500-\u25FF]|-->|<--|\+-{2,}|-{2,}\+|[→←↑↓↗↘]/;

/** Code of unknown language. */
export const fenceNoLanguageRule = lintRule({
  id: "fence.no-language",
  severity: "note",
  description: "Finds code fences without a language, diagrams excepted.",
  rationale: "Such code is neither coloured nor parsed.",
  remedy: "Name the language after the fence, or text for plain text",
  examples: [
    { name: "a language, and a diagram", markdown: "```text\nabc\n```\n\n```\n┌──┐\n└──┘\n```", messages: [] },
    { name: "no language", markdown: "```\nx = 1\n```", messages: ["The code block names no language"] },
  ],
  check({ document }) {
    return document.blocks.flatMap(({ type, language = "", code = "", lineStart, source }) =>
      type === "code" && language === "" && /^[\s>]*(?:[-*+\d.)]+\s+)*(`{3,}|~{3,})/.test(source) && !diagram.test(code)
        ? [lintFinding(lineStart, "The code block names no language")]
        : [],
    );
  },
});
