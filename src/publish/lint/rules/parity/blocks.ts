import type { PublishDocument } from "../../../document.js";
import { lintFinding, lintRule } from "../../lint-rule.js";

function countBlocks({ inventory }: PublishDocument): { readonly [what: string]: number } {
  const { h1, h2, h3, h4, tables, code_blocks, details, display_math, figures, callouts } = inventory;
  const boxes = Object.fromEntries(Object.entries(callouts).map(([kind, count]) => [`${kind} callouts`, count]));
  const headings = {
    "headings of level 1": h1,
    "headings of level 2": h2,
    "headings of level 3": h3,
    "headings of level 4": h4,
  };
  return {
    ...headings,
    tables,
    "code blocks": code_blocks,
    ...boxes,
    "folded parts": details,
    displays: display_math,
    figures,
  };
}

/** Blocks lost in translation. */
export const parityBlocksRule = lintRule({
  id: "parity.blocks",
  severity: "error",
  description:
    "Finds translations whose numbers of headings, tables, code blocks, callouts, folded parts, displays or figures differ from the original.",
  rationale: "Something was left out, added or merged; the two texts no longer say the same.",
  remedy: "Bring the texts together block by block",
  examples: [
    { name: "the same blocks", markdown: "## 甲\n\n$$a$$", original: "## A\n\n$$a$$", messages: [] },
    {
      name: "a table and a heading less",
      markdown: "## 甲",
      original: "## A\n\n## B\n\n| a |\n|---|\n| 1 |",
      messages: ["headings of level 2: 1 here, 2 in the original", "tables: 0 here, 1 in the original"],
    },
  ],
  findGap: ({ original }) => (original === undefined ? "the document translates no other" : undefined),
  check({ document, original }) {
    if (original === undefined) return [];
    const [own, others] = [countBlocks(document), countBlocks(original)];
    return Object.keys(own)
      .filter((what) => own[what] !== others[what])
      .map((what) => lintFinding(document.bodyLine, `${what}: ${own[what]} here, ${others[what]} in the original`));
  },
});
