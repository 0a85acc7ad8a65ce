import { lintFinding, lintRule } from "../../lint-rule.js";
import { findLinked, listLinks, splitFileLink } from "../../text/links.js";

/** Links to files that are not there. */
export const linkFileRule = lintRule({
  id: "link.file",
  severity: "error",
  description: "Finds links and images whose file does not exist.",
  rationale: "The link is broken from the first day. Addresses on the web are not asked: linting works offline.",
  remedy: "Correct the path, relative to the document",
  examples: [
    {
      name: "a file, a document of the set and an address",
      markdown: "[a](fig.png) [b](b.md) [c](https://example.com/x)",
      files: ["fig.png"],
      others: { "b.md": "# B" },
      messages: [],
    },
    {
      name: "a file that is missing",
      markdown: "![a](img/none.png)",
      files: [],
      messages: ['The file "img/none.png" does not exist'],
    },
  ],
  findGap: ({ hasFile }) => (hasFile === undefined ? "the files beside the document are not known" : undefined),
  check({ document, set, hasFile }) {
    return listLinks(document).flatMap(({ url, line }) => {
      const target = splitFileLink(url);
      if (target === undefined || findLinked(target.path, document, set) !== undefined) return [];
      return hasFile?.(target.path) === false ? [lintFinding(line, `The file "${target.path}" does not exist`)] : [];
    });
  },
});
