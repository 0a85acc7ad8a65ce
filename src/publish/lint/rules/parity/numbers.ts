import type { PublishDocument } from "../../../document.js";
import { lintFinding, lintRule } from "../../lint-rule.js";
import { describeDifference } from "../../text/multiset.js";
import { getProse } from "../../text/prose.js";

function listNumbers(document: PublishDocument): readonly string[] {
  return getProse(document).flatMap((line) => {
    const text = line.normalize("NFKC").replace(/^[\s>]*(?:\d+[.)]|#+\s*§?[\d.]*)\s/, "");
    const found = text.match(/(?<![\p{Script=Latin}\d.])\d+(?:,\d{3})*(?:\.\d+)?%?/gu) ?? [];
    return found.map((number) => number.replaceAll(",", ""));
  });
}

/** Numbers that changed in translation. */
export const parityNumbersRule = lintRule({
  id: "parity.numbers",
  severity: "warning",
  description: "Finds numbers in the prose of a translation that the original lacks, and the reverse.",
  rationale:
    "A figure was mistyped or corrected in one language only. Numbers written as words are not seen, so some differences are right.",
  remedy: "Carry the figure over",
  examples: [
    {
      name: "the same numbers, marked differently",
      markdown: "共 1,024 个，占 50%。",
      original: "In total 1024, or 50%.",
      messages: [],
    },
    {
      name: "a digit changed",
      markdown: "提升 4.2 点。",
      original: "It gains 2.4 points.",
      messages: ["The numbers differ; only here: 4.2; only in the original: 2.4"],
    },
  ],
  findGap: ({ original }) => (original === undefined ? "the document translates no other" : undefined),
  check({ document, original }) {
    if (original === undefined) return [];
    const difference = describeDifference(listNumbers(document), listNumbers(original));
    return difference === undefined ? [] : [lintFinding(document.bodyLine, `The numbers differ; ${difference}`)];
  },
});
