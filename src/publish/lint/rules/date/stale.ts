import { lintFinding, lintRule } from "../../lint-rule.js";
import { matchProse } from "../../text/prose.js";

const things =
  "models?|results?|research|work|methods?|releases?|papers?|advances|progress|findings|literature|generation|systems?|benchmarks?|numbers";
const forms = [
  new RegExp(`\\b(?:latest|newest|most recent|current(?:ly)? (?:best|strongest)) (?:[\\w-]+ )?(?:${things})\\b`, "gi"),
  /(?:最新|目前最强|当前最强|目前最好)(?:的)?\s*(?:[A-Za-z-]+\s*)?(?:模型|研究|工作|方法|论文|进展|成果|文献|结果|系统|一代)/g,
  /(?:mô hình|nghiên cứu|phương pháp|kết quả|phiên bản|bài báo|hệ thống) (?:[\p{L}]+ )?mới nhất/giu,
];

/** News without a date. */
export const dateStaleRule = lintRule({
  id: "date.stale",
  severity: "warning",
  description: "Finds “the latest models” and the like without a date in the sentence.",
  rationale: "The sentence is true on the day it is written; a year later nobody can tell what it meant.",
  remedy: "Name the thing, or add the year",
  examples: [
    {
      name: "a date, and what is latest by order",
      markdown: "As of 2025 the latest models use it. Keep the latest checkpoint.",
      messages: [],
    },
    {
      name: "no date",
      markdown: "The latest models use it.\n\n最新研究采用它。",
      messages: ['"latest models" has no date', '"最新研究" has no date'],
    },
  ],
  check({ document }) {
    return forms
      .flatMap((form) => matchProse(document, form))
      .filter(({ source }) => !/(?:19|20)\d{2}/.test(source))
      .sort((a, b) => a.line - b.line)
      .map(({ line, text }) => lintFinding(line, `"${text}" has no date`));
  },
});
