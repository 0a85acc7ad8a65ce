import { lintFinding, lintRule } from "../../lint-rule.js";

/** Fences that run to the end of their container. */
export const fenceUnclosedRule = lintRule({
  id: "fence.unclosed",
  severity: "error",
  description: "Finds code fences that are never closed.",
  rationale: "The rest of the document, or of the quote or item around it, is shown as code.",
  remedy: "Close the fence with as many marks as opened it",
  examples: [
    { name: "closed fences, a longer one around a shorter", markdown: "````md\n```js\n1\n```\n````", messages: [] },
    { name: "a fence without an end", markdown: "```js\nlet a = 1;\n", messages: ['The fence "```" is never closed'] },
  ],
  check({ document }) {
    return document.blocks.flatMap(({ type, source, lineStart }) => {
      if (type !== "code") return [];
      const lines = source.trimEnd().split("\n");
      const open = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(`{3,}|~{3,})/.exec(lines[0])?.[1];
      if (open === undefined) return [];
      const close = /^[\s>]*(`{3,}|~{3,})\s*$/.exec(lines.at(-1) ?? "")?.[1];
      const isClosed = lines.length > 1 && close?.[0] === open[0] && close.length >= open.length;
      return isClosed ? [] : [lintFinding(lineStart, `The fence "${open}" is never closed`)];
    });
  },
});
