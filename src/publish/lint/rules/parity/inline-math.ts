import { lintFinding, lintRule } from "../../lint-rule.js";

/** Inline formulas lost or added. */
export const parityInlineMathRule = lintRule({
  id: "parity.inline-math",
  severity: "warning",
  description: "Finds translations whose number of inline formulas differs from the original's.",
  rationale: "A sentence lost its symbol or gained one. Languages may need a symbol once more, so the count is a hint.",
  remedy: "Compare the paragraphs with the missing symbols",
  examples: [
    { name: "the same number", markdown: "令 $x$ 为", original: "Let $x$ be", messages: [] },
    {
      name: "one less",
      markdown: "令 $x$ 为",
      original: "Let $x$ and $y$ be",
      messages: ["inline formulas: 1 here, 2 in the original"],
    },
  ],
  findGap: ({ original }) => (original === undefined ? "the document translates no other" : undefined),
  check({ document, original }) {
    const [own, others] = [document.inlineMath.length, original?.inlineMath.length ?? 0];
    return own === others
      ? []
      : [lintFinding(document.bodyLine, `inline formulas: ${own} here, ${others} in the original`)];
  },
});
