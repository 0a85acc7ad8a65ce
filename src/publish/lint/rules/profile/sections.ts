import { findProfile } from "../../profiles.js";
import { lintFinding, lintRule } from "../../lint-rule.js";

/** Sections that the kind of document needs. */
export const profileSectionsRule = lintRule({
  id: "profile.sections",
  severity: "error",
  description: "Finds sections that the document's profile asks for and that are missing or empty.",
  rationale:
    "Readers of a kind of document look for them. The profile follows from kind or profile in the front matter; sections are told by their titles in English, Chinese or Vietnamese.",
  remedy: "Write the section, or choose another profile",
  examples: [
    {
      name: "a report with its sections",
      kind: "report",
      markdown: "## Summary\n\nA\n\n## Method\n\nB\n\n## Results\n\nC\n\n## Limits\n\nD",
      messages: [],
    },
    {
      name: "a tutorial without questions, its summary empty",
      kind: "tutorial",
      markdown: "## §0 TL;DR\n\n## §1 Basics\n\nA",
      messages: ['The section "Summary" is empty', 'The section "Questions" is missing'],
      lines: [1, 1],
    },
  ],
  findGap: ({ document }) =>
    findProfile(document) === undefined ? "the document names no kind or profile" : undefined,
  check({ document }) {
    const { blocks, bodyLine } = document;
    const headings = blocks.flatMap((block, i) => (block.type === "heading" ? [{ block, i }] : []));
    return (findProfile(document)?.sections ?? []).flatMap(({ name, titles }) => {
      const found = headings.filter(({ block }) => (block.depth ?? 1) <= 3 && titles.test(block.text));
      if (found.length === 0) return [lintFinding(bodyLine, `The section "${name}" is missing`)];
      const isFilled = found.some(({ block, i }) => {
        const end = headings.find((next) => next.i > i && (next.block.depth ?? 1) <= (block.depth ?? 1));
        return blocks.slice(i + 1, end?.i).some(({ type }) => type !== "heading");
      });
      return isFilled ? [] : [lintFinding(found[0].block.lineStart, `The section "${name}" is empty`)];
    });
  },
});
