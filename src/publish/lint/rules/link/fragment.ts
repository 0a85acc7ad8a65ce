import { lintFinding, lintRule } from "../../lint-rule.js";
import { findLinked, listAnchors, listLinks, splitFileLink } from "../../text/links.js";

/** Links to a place that another document does not have. */
export const linkFragmentRule = lintRule({
  id: "link.fragment",
  severity: "error",
  description: "Finds links to an anchor that another document of the set does not have.",
  rationale: "The right page opens at the wrong place. Documents that are not linted together are not looked into.",
  remedy: "Correct the anchor after #",
  examples: [
    {
      name: "an anchor of another document",
      markdown: "[b](b.md#part-one)",
      others: { "b.md": "## Part one" },
      messages: [],
    },
    {
      name: "an anchor that it lacks",
      markdown: "[b](b.md#part-two)",
      others: { "b.md": "## Part one" },
      messages: ['b.md has no anchor "#part-two"'],
    },
  ],
  check({ document, set }) {
    return listLinks(document).flatMap(({ url, line }) => {
      const target = splitFileLink(url);
      const linked = target === undefined ? undefined : findLinked(target.path, document, set);
      if (target?.fragment === undefined || linked === undefined || listAnchors(linked).has(target.fragment)) return [];
      return [lintFinding(line, `${target.path} has no anchor "#${target.fragment}"`)];
    });
  },
});
