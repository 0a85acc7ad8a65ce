import { visit } from "unist-util-visit";
import { lintFinding, lintRule } from "../../lint-rule.js";

/** Marks of emphasis that stayed marks. */
export const emphasisUnclosedRule = lintRule({
  id: "emphasis.unclosed",
  severity: "warning",
  description: "Finds `**`, `__` and `~~` left as text.",
  rationale: "The mark has no partner, or stands where Markdown does not take it as one; readers see the raw marks.",
  remedy: "Close it, move it next to the word, or escape it with a backslash",
  examples: [
    {
      name: "emphasis, powers and escaped marks",
      markdown: "**yes** and 2**3 and \\*\\*raw\\*\\*, a__b.",
      messages: [],
    },
    { name: "a mark without its partner", markdown: "This is **not closed.", messages: ['"**" is left as text'] },
  ],
  check({ document }) {
    const findings: ReturnType<typeof lintFinding>[] = [];
    visit(document.tree, "text", ({ value, position }) => {
      for (const { 0: mark, index } of value.matchAll(/(?<![\w*~])(\*\*|__|~~)(?=\S)|(?<=\S)(\*\*|__|~~)(?![\w*~])/g)) {
        const line = (position?.start.line ?? 1) + value.slice(0, index).split("\n").length - 1;
        const source = document.lines[line - 1] ?? "";
        if (!source.includes(`\\${mark[0]}`)) findings.push(lintFinding(line, `"${mark}" is left as text`));
      }
    });
    return findings;
  },
});
