import { problemRule } from "../../problem-rule.js";

/** Documents declared in one language and written in another. */
export const langMismatchRule = problemRule({
  id: "lang.mismatch",
  severity: "error",
  description: "Finds documents declared in one language and written in another.",
  rationale: "Screen readers, hyphenation and search go by the declared language.",
  remedy: "Correct lang in the front matter",
  examples: [
    {
      name: "the declared language",
      markdown: "---\nlang: zh\n---\n\n这是一个关于强化学习的中文文档，内容足够长，可以识别语言。",
      messages: [],
    },
    {
      name: "another one",
      markdown: "---\nlang: en\n---\n\n这是一个关于强化学习的中文文档，内容足够长，可以识别语言。",
      messages: ['The text is declared as "en" and written in "zh"'],
    },
  ],
});
