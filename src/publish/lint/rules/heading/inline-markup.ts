import { visit } from "unist-util-visit";
import { lintFinding, lintRule } from "../../lint-rule.js";

const names: { readonly [type: string]: string } = {
  emphasis: "emphasis",
  strong: "emphasis",
  inlineCode: "code",
  inlineMath: "maths",
  delete: "emphasis",
};

/** Headings with markup. */
export const headingInlineMarkupRule = lintRule({
  id: "heading.inline-markup",
  severity: "note",
  description: "Finds emphasis, code or maths in headings.",
  rationale:
    "The page renders it in the table of contents too; bookmarks, search results and other renderers show it raw.",
  remedy: "Use plain words where they do as well",
  examples: [
    { name: "plain words", markdown: "## The loss of GRPO", messages: [] },
    { name: "maths and code", markdown: "## The loss $L$ in `train`", messages: ["The heading holds maths, code"] },
  ],
  check({ document }) {
    const findings: ReturnType<typeof lintFinding>[] = [];
    visit(document.tree, "heading", (heading) => {
      const found = new Set<string>();
      visit(heading, ({ type }) => {
        if (Object.hasOwn(names, type)) found.add(names[type]);
      });
      if (found.size > 0)
        findings.push(lintFinding(heading.position?.start.line ?? 1, `The heading holds ${[...found].join(", ")}`));
    });
    return findings;
  },
});
