import { lintFinding, lintRule } from "../../lint-rule.js";

/** A pictograph that makes no callout. */
export const calloutUnknownMarkRule = lintRule({
  id: "callout.unknown-mark",
  severity: "warning",
  description: "Finds quotes that begin with a pictograph outside the map of callouts.",
  rationale: "The quote stays a plain quote although its author meant a box.",
  remedy: "Use one of 💡 ⚠️ ✅ ❌, or the form > [!NOTE]",
  examples: [
    { name: "a known mark and a plain quote", markdown: "> 💡 Good to know.\n\n> Said by someone.", messages: [] },
    {
      name: "an unknown mark",
      markdown: "> 🐘 Remember this.",
      messages: ["The quote begins with 🐘, which makes no callout"],
    },
  ],
  check({ document }) {
    return document.problems
      .filter(({ rule }) => rule === "callout.unknown-mark")
      .map(({ line }) => {
        const mark = /\p{Extended_Pictographic}\uFE0F?/u.exec(document.lines[line - 1])?.[0] ?? "a pictograph";
        return lintFinding(line, `The quote begins with ${mark}, which makes no callout`);
      });
  },
});
