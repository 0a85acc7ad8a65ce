import { lintFinding, lintRule } from "../../lint-rule.js";
import { findBannedEntries } from "../../text/ban-list.js";

/** Words of a private list. */
export const privacyTermRule = lintRule({
  id: "privacy.term",
  severity: "error",
  description: "Finds terms of the project's ban list in text, code and front matter, in every inflection.",
  rationale:
    "The list is given with --ban-list; it lies outside the repository, or holds salted hashes. Findings name the number of the entry, never the term. An ordinary word that happens to be listed is waived where it stands.",
  remedy: "Reword the sentence, or waive the line with a reason",
  examples: [
    { name: "other words", markdown: "The recruit command.", banList: "acme*\n内推", messages: [] },
    {
      name: "terms in any form",
      markdown: "We are hiring for ACME-Labs.\n\n欢迎内推。",
      banList: "hire\nacme labs\n内推",
      messages: [
        "The line holds entry 1 of the ban list",
        "The line holds entry 2 of the ban list",
        "The line holds entry 3 of the ban list",
      ],
      lines: [1, 1, 3],
    },
    {
      name: "a hashed term",
      markdown: "Project Bluebird starts.",
      banList: "sha256:salt:2:8b7f4d79689ce51f6a1e7a74146eb66f9ecfdb208ab1dc43076af3d8214ae822",
      messages: ["The line holds entry 1 of the ban list"],
    },
  ],
  findGap: ({ banList }) => (banList === undefined ? "no ban list was given" : undefined),
  check({ document, banList }) {
    if (banList === undefined) return [];
    return document.lines.flatMap((line, i) =>
      findBannedEntries(line, banList).map((entry) =>
        lintFinding(i + 1, `The line holds entry ${entry} of the ban list`),
      ),
    );
  },
});
