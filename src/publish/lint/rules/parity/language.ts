import { lintFinding, lintRule } from "../../lint-rule.js";
import { getProse } from "../../text/prose.js";

const eastAsian = /^(?:zh|ja|ko)\b/i;
const han = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Text left in the other language. */
export const parityLanguageRule = lintRule({
  id: "parity.language",
  severity: "error",
  description:
    "Finds translations that declare the original's language, hold letters of another script, or hold paragraphs of the original word for word.",
  rationale:
    "Part of the text was not translated, or the wrong text was. A few letters of another script may be names.",
  remedy: "Translate the part, or correct lang",
  thresholds: {
    maxLetters: {
      default: 20,
      description: "Chinese, Japanese or Korean letters in the prose of a text in another language",
    },
    minWords: { default: 12, description: "words of a paragraph that is compared with the original" },
  },
  examples: [
    {
      name: "a translated text with a name in the other script",
      markdown: "---\nlang: en\n---\n\nThe word 智能 means agent.",
      original: "---\nlang: zh\n---\n\n智能的意思是能力。",
      messages: [],
    },
    {
      name: "a paragraph that stayed as it was",
      markdown:
        "---\nlang: zh\n---\n\n我们训练模型。\n\nThe policy is trained on its own episodes and never sees the others at all.",
      original:
        "---\nlang: en\n---\n\nWe train.\n\nThe policy is trained on its own episodes and never sees the others at all.",
      messages: ["The paragraph stands in the original word for word"],
      lines: [7],
    },
    {
      name: "many letters of the other script, and the wrong language",
      markdown: "---\nlang: zh\n---\n\n这一段文字完全没有被翻译成英文所以很长很长很长。",
      original: "---\nlang: zh\n---\n\n别的。",
      messages: ["The translation declares the language of its original: zh"],
    },
    {
      name: "letters of the other script in English",
      markdown:
        "---\nlang: en\n---\n\nThis is a long English text about training agents with rewards, and 这一段文字完全没有被翻译成英文所以很长很长很长 stays.",
      original: "---\nlang: zh\n---\n\n别的。",
      messages: ["23 letters of another script stand in the text, first here"],
    },
  ],
  findGap: ({ original }) => (original === undefined ? "the document translates no other" : undefined),
  check({ document, original }, { maxLetters, minWords }) {
    if (original === undefined) return [];
    const { bodyLine, lang } = document;
    if (lang.split("-")[0] === original.lang.split("-")[0])
      return [lintFinding(bodyLine, `The translation declares the language of its original: ${lang}`)];
    const foreign = eastAsian.test(lang)
      ? []
      : getProse(document).flatMap((line, i) => [...line.matchAll(han)].map(() => i + 1));
    const letters =
      foreign.length > maxLetters
        ? [lintFinding(foreign[0], `${foreign.length} letters of another script stand in the text, first here`)]
        : [];
    const known = new Set(original.blocks.filter(({ type }) => type === "paragraph").map(({ text }) => text));
    const copied = document.blocks.filter(
      ({ type, text }) => type === "paragraph" && text.split(/\s+/).length >= minWords && known.has(text),
    );
    return [
      ...letters,
      ...copied.map(({ lineStart }) => lintFinding(lineStart, "The paragraph stands in the original word for word")),
    ];
  },
});
