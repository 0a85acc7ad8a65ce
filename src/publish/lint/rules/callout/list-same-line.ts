import { findLeadingMark } from "../../../parse/callout-marks.js";
import { lintFinding, lintRule } from "../../lint-rule.js";

/** A list that begins on the line of a callout's mark. */
export const calloutListSameLineRule = lintRule({
  id: "callout.list-same-line",
  severity: "error",
  description: "Finds a list marker on the lead line of a callout.",
  rationale: "Markdown knows no list in the middle of a line: the marker is printed and the first item joins the text.",
  remedy: "Put the first item on a line of its own, marked with >",
  examples: [
    { name: "items on their own lines", markdown: "> 💡 **Steps**:\n>\n> - one\n> - two", messages: [] },
    { name: "a dash between title and text", markdown: "> 💡 **Steps** - take one", messages: [] },
    {
      name: "the first item behind the mark",
      markdown: "> 💡 - one\n> - two",
      messages: ["The list begins on the line of the mark"],
    },
    {
      name: "the first item behind the title",
      markdown: "> ⚠️ **Mind**: 1. one\n> 2. two",
      messages: ["The list begins on the line of the mark"],
    },
  ],
  check({ document }) {
    return document.blocks.flatMap(({ type, source, lineStart }) => {
      if (type !== "callout") return [];
      const [lead] = source.split("\n");
      const text = lead.replace(/^[\s>]*/, "");
      const mark = findLeadingMark(text)?.mark;
      if (mark === undefined) return [];
      const rest = text.slice(mark.length);
      const isList = /^\s+(?:\*\*[^*]+\*\*\s*[:：—–]\s*)?(?:[-*+]|\d+[.)])\s+\S/.test(rest);
      return isList ? [lintFinding(lineStart, "The list begins on the line of the mark")] : [];
    });
  },
});
