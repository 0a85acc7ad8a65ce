import { makeSlug } from "../../../parse/headings.js";
import { lintFinding, lintRule } from "../../lint-rule.js";

/** Headings that would share an address. */
export const headingDuplicateIdRule = lintRule({
  id: "heading.duplicate-id",
  severity: "warning",
  description: "Finds headings that make the same anchor.",
  rationale: "The later one gets a number behind its anchor, which moves when a section is added before it.",
  remedy: "Word one of them differently, or give it a label of its own: ## Title {#label}",
  examples: [
    { name: "different headings", markdown: "## Setup\n\n## Results", messages: [] },
    {
      name: "the same heading twice",
      markdown: "## Results\n\n### Results!",
      messages: ['The anchor "results" is that of the heading on line 1 too'],
      lines: [3],
    },
  ],
  check({ document }) {
    const first = new Map<string, number>();
    return document.blocks.flatMap(({ type, text, lineStart, anchor }) => {
      const slug = makeSlug(text);
      // An anchor that is not made from the text is the author's own.
      if (type !== "heading" || anchor?.startsWith(slug) === false) return [];
      const known = first.get(slug);
      if (known === undefined) {
        first.set(slug, lineStart);
        return [];
      }
      return [lintFinding(lineStart, `The anchor "${slug}" is that of the heading on line ${known} too`)];
    });
  },
});
