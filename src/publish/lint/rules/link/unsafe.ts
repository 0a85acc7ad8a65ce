import { isSafeUrl } from "../../../parse/addresses.js";
import { lintFinding, lintRule } from "../../lint-rule.js";
import { listLinks } from "../../text/links.js";

/** Links and images whose address a page may not hold. */
export const linkUnsafeRule = lintRule({
  id: "link.unsafe",
  severity: "warning",
  description: "Finds links and images whose address has another scheme than http, https or mailto.",
  rationale: "Such an address may run a script or read the reader's files: the page shows the text without it.",
  remedy: "Give an address on the web or a path relative to the document",
  examples: [
    {
      name: "addresses of the web, of mail and of files",
      markdown: "[a](https://example.com) [b](mailto:a@example.com) [c](b.md) [d](#e)\n\n# E",
      messages: [],
    },
    {
      name: "a script, also behind a reference",
      markdown: "[a](JavaScript:x) [b][c]\n\n![d](data:text/html,x)\n\n[c]: javascript:y",
      messages: [
        'The address "JavaScript:x" is not allowed',
        'The address "javascript:y" is not allowed',
        'The address "data:text/html,x" is not allowed',
      ],
      lines: [1, 1, 3],
    },
  ],
  check({ document }) {
    return listLinks(document)
      .filter(({ url }) => !isSafeUrl(url))
      .map(({ url, line }) => lintFinding(line, `The address ${JSON.stringify(url.slice(0, 80))} is not allowed`));
  },
});
