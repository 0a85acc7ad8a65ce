import { lintFinding, lintRule } from "../../lint-rule.js";
import { getCodeLines } from "../../text/prose.js";

/** Section marks, numbers and level labels with text glued to them. */
const glued = /^(§[\p{Lu}\d]+(?:\.\d+)*|\d+(?:\.\d+)+|L\d)(?=[\p{L}"“「（(])(?![A-Za-z]\b)/u;

/** Headings without a space where one belongs. */
export const headingGluedRule = lintRule({
  id: "heading.glued",
  severity: "error",
  description:
    "Finds headings without a space after their # marks, or with text glued to a section mark, number or level label.",
  rationale:
    "Without the space after # the line is no heading at all; glued labels run together in the table of contents.",
  remedy: "Put a space there; --fix-safe adds the one after #",
  examples: [
    {
      name: "spaces of any width",
      markdown: "## §1 Basics\n\n### 1.1　直觉\n\n### L1 Must know\n\n### 3D scenes\n\n### L2: more",
      messages: [],
    },
    {
      name: "no space after the marks",
      markdown: "##Basics",
      messages: ['No space follows "##": the line is no heading'],
    },
    {
      name: "labels with text glued to them",
      markdown: "## §1基本\n\n### 1.1公式\n\n### L1必会题",
      messages: ['Text is glued to "§1"', 'Text is glued to "1.1"', 'Text is glued to "L1"'],
    },
  ],
  check({ document }) {
    const isCode = getCodeLines(document);
    const marks = document.lines.flatMap((line, i) => {
      const match = isCode[i] ? null : /^(#{2,6})[^\s#]/.exec(line);
      return match === null ? [] : [lintFinding(i + 1, `No space follows "${match[1]}": the line is no heading`)];
    });
    const labels = document.blocks.flatMap(({ type, text, lineStart }) => {
      const match = type === "heading" ? glued.exec(text) : null;
      return match === null ? [] : [lintFinding(lineStart, `Text is glued to "${match[1]}"`)];
    });
    return [...marks, ...labels];
  },
});
