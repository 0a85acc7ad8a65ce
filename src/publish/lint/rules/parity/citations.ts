import type { PublishDocument } from "../../../document.js";
import { lintFinding, lintRule } from "../../lint-rule.js";
import { describeDifference } from "../../text/multiset.js";
import { getCodeLines } from "../../text/prose.js";

const ids = /(?<![\d.])\d{4}\.\d{4,5}(?![\d.]*\d)|\b10\.\d{4,9}\/[^\s)\]}>"，。；]+|(?<=[[;,\s(-])@[A-Za-z][\w:.-]*\w/g;

function listIds(document: PublishDocument): readonly string[] {
  const isCode = getCodeLines(document);
  const all = document.lines.flatMap((line, i) => (isCode[i] ? [] : (line.match(ids) ?? [])));
  return [...new Set(all.map((id) => id.replace(/[.,;:]$/, "")))];
}

/** Sources that only one language names. */
export const parityCitationsRule = lintRule({
  id: "parity.citations",
  severity: "error",
  description:
    "Finds arXiv ids, DOIs and citation keys that a translation names and its original does not, and the reverse.",
  rationale: "A source was dropped, added or mistyped in one language.",
  remedy: "Carry the source over",
  examples: [
    {
      name: "the same sources",
      markdown: "见 arXiv 2402.03300 和 [@li2023]。",
      original: "See arXiv 2402.03300 and [@li2023].",
      messages: [],
    },
    {
      name: "an id mistyped",
      markdown: "见 arXiv 2402.03301。",
      original: "See arXiv 2402.03300.",
      messages: ["The sources differ; only here: 2402.03301; only in the original: 2402.03300"],
    },
  ],
  findGap: ({ original }) => (original === undefined ? "the document translates no other" : undefined),
  check({ document, original }) {
    if (original === undefined) return [];
    const difference = describeDifference(listIds(document), listIds(original));
    return difference === undefined ? [] : [lintFinding(document.bodyLine, `The sources differ; ${difference}`)];
  },
});
