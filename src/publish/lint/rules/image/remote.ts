import { isRemoteUrl, isSafeUrl } from "../../../parse/addresses.js";
import { lintFinding, lintRule } from "../../lint-rule.js";
import { listLinks } from "../../text/links.js";

/** Images that are not beside the document. */
export const imageRemoteRule = lintRule({
  id: "image.remote",
  severity: "warning",
  description: "Finds images on other sites.",
  rationale: "A page asks no other site for anything: where the image should be it shows a box with its text.",
  remedy: "Keep a copy of the image beside the document and give its path",
  examples: [
    { name: "an image beside the document", markdown: "![a](fig.png)", files: ["fig.png"], messages: [] },
    {
      name: "images on another site, one of them behind a reference",
      markdown: "![a](https://example.com/a.png)\n\n![b]\n\n[b]: //example.com/b.png",
      messages: [
        'The image "https://example.com/a.png" is on another site',
        'The image "//example.com/b.png" is on another site',
      ],
      lines: [1, 3],
    },
  ],
  check({ document }) {
    return listLinks(document)
      .filter(({ url, isImage }) => isImage && isRemoteUrl(url) && isSafeUrl(url))
      .map(({ url, line }) => lintFinding(line, `The image ${JSON.stringify(url.slice(0, 80))} is on another site`));
  },
});
