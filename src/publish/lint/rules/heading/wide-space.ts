import { lintFinding, lintRule } from "../../lint-rule.js";

/** Ideographic spaces in headings. */
export const headingWideSpaceRule = lintRule({
  id: "heading.wide-space",
  severity: "note",
  description:
    "Finds ideographic spaces in headings; one finding for a document, or for a translation that differs from its original.",
  rationale: "Text searches and slugs treat the wide space differently from a plain one.",
  remedy: "Write a plain space, or use the wide one throughout",
  examples: [
    { name: "plain spaces", markdown: "## 1. A\n\n### 1.1 B", messages: [] },
    {
      name: "wide spaces",
      markdown: "### 1.1　甲\n\n### 1.2　乙",
      messages: ["2 headings hold an ideographic space"],
      lines: [1],
    },
  ],
  check({ document, original }) {
    const headings = document.blocks.filter(({ type }) => type === "heading");
    const wide = headings.filter(({ source }) => source.includes("\u3000"));
    const others = original?.blocks.filter(({ type, source }) => type === "heading" && source.includes("\u3000")) ?? [];
    if (wide.length === 0) return [];
    const differs = original === undefined || others.length === wide.length ? "" : `, ${others.length} in the original`;
    const noun = wide.length === 1 ? "heading holds" : "headings hold";
    return [lintFinding(wide[0].lineStart, `${wide.length} ${noun} an ideographic space${differs}`)];
  },
});
