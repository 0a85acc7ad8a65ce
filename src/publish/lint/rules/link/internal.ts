import type { PublishDocument } from "../../../document.js";
import { lintFinding, lintRule } from "../../lint-rule.js";
import { decode, listAnchors, listLinks } from "../../text/links.js";

/** The anchor that code hosts make of a heading: punctuation dropped, every blank a hyphen. */
function makeHostSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

/** Returns the anchor that was meant, where the heading it was written for is there. */
function suggest({ blocks }: PublishDocument, wanted: string): string {
  const meant = blocks.find(
    ({ type, text }) => type === "heading" && makeHostSlug(text.replaceAll("`", "")) === wanted.toLowerCase(),
  );
  return meant?.anchor === undefined ? "" : `: the heading on line ${meant.lineStart} has "#${meant.anchor}"`;
}

/** Links that lead nowhere in their own document. */
export const linkInternalRule = lintRule({
  id: "link.internal",
  severity: "error",
  description: "Finds links to an anchor that the document does not have.",
  rationale: "Activating the link does nothing.",
  remedy: "Correct the anchor: headings in lower case, letters and digits of any script, hyphens for the rest",
  examples: [
    {
      name: "anchors of headings in two scripts and of a label",
      markdown: "# A b {#first}\n\n## 第 2 节\n\n[a](#first) [b](#第-2-节)",
      messages: [],
    },
    {
      name: "an anchor as code hosts make it",
      markdown: "## What's `new(x)`?\n\n[a](#whats-newx)",
      messages: ['The document has no anchor "#whats-newx": the heading on line 1 has "#what-s-new-x"'],
    },
    {
      name: "an anchor that is not there",
      markdown: "## Setup\n\n[a](#set-up)",
      messages: ['The document has no anchor "#set-up"'],
      lines: [3],
    },
  ],
  check({ document }) {
    const anchors = listAnchors(document);
    return listLinks(document).flatMap(({ url, line }) =>
      url.startsWith("#") && url !== "#" && url !== "#top" && !anchors.has(decode(url.slice(1)))
        ? [lintFinding(line, `The document has no anchor "${decode(url)}"${suggest(document, decode(url.slice(1)))}`)]
        : [],
    );
  },
});
