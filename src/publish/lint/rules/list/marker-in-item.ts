import { lintFinding, lintRule } from "../../lint-rule.js";
import { getCodeLines } from "../../text/prose.js";

/** Two markers for one item. */
export const listMarkerInItemRule = lintRule({
  id: "list.marker-in-item",
  severity: "warning",
  description: "Finds list items whose text begins with another list marker.",
  rationale: "The item becomes a list inside a list, with two bullets or numbers before one text.",
  remedy: "Drop one of the markers, or escape the dot: `1\\.`",
  examples: [
    { name: "items, tasks and a rule", markdown: "- one\n- [ ] two\n- -5 degrees\n\n- - -", messages: [] },
    {
      name: "two markers",
      markdown: "- - one\n\n1. 2. two",
      messages: ['The item begins with the marker "-" again', 'The item begins with the marker "2." again'],
    },
  ],
  check({ document }) {
    const isCode = getCodeLines(document);
    return document.lines.flatMap((line, i) => {
      if (isCode[i] || /^\s*(?:([-*_])\s*)(?:\1\s*){2,}$/.test(line)) return [];
      const match = /^[\s>]*(?:[-*+]|\d{1,3}[.)])\s+([-*+]|\d{1,3}[.)])\s+\S/.exec(line);
      return match === null ? [] : [lintFinding(i + 1, `The item begins with the marker "${match[1]}" again`)];
    });
  },
});
