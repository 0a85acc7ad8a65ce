import { lintFinding, lintRule } from "../../lint-rule.js";
import { matchProse } from "../../text/prose.js";

const personal = [
  /\b(?:my|your) (?:advis[eo]r|supervisor|ph\.?d|thesis|dissertation|resume|cv|internship|manager|boss|professor|lab ?mates?|salary|visa|job search|interview (?:at|with|on))\b/gi,
  /\b(?:when|while|as) I (?:was|worked|studied|interned|interviewed) (?:at|for|with|in)\b/gi,
  /\b(?:as you (?:told|asked|mentioned to) me|you (?:told|asked) me|your background (?:in|is)|since you are an?)\b/gi,
  /(?:我的|你的|您的)(?:导师|老板|博士|硕士|论文|简历|实习|经历|背景|研究方向|offer|签证)|我(?:在|曾在)[^，。；]{1,12}(?:实习|读博|工作)|(?:如|像)你(?:之前)?(?:所说|告诉我|提到)/g,
  /(?:luận văn|luận án|thầy hướng dẫn|sơ yếu lý lịch|kỳ thực tập) của (?:tôi|bạn)/gi,
];

/** Remarks about one person. */
export const privacyProfileRule = lintRule({
  id: "privacy.profile",
  severity: "warning",
  description: "Finds remarks about the author or the reader as an individual: supervisor, thesis, internship, résumé.",
  rationale:
    "They slip in from the conversation in which a text was drafted and mean nothing to other readers, or reveal somebody.",
  remedy: "Write for any reader",
  examples: [
    {
      name: "the usual you and we",
      markdown: "You can run this in your terminal; we show how. 你的模型。",
      messages: [],
    },
    {
      name: "remarks about persons",
      markdown: "This fits your PhD.\n\n可以写进你的简历。",
      messages: ['"your PhD" speaks of one person', '"你的简历" speaks of one person'],
    },
  ],
  check({ document }) {
    return personal
      .flatMap((form) => matchProse(document, form))
      .sort((a, b) => a.line - b.line || a.column - b.column)
      .map(({ line, text }) => lintFinding(line, `"${text}" speaks of one person`));
  },
});
