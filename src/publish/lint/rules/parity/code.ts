import { lintFinding, lintRule } from "../../lint-rule.js";

/** Returns code without comments, texts and blanks, which a translation may change. */
function normalize(language: string, code: string): string {
  const isHash = /^(?:py|python|sh|bash|shell|yaml|yml|r|ruby|toml)/.test(language);
  const texts = /"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;
  const comments = isHash ? /#.*$/gm : /\/\/.*$|\/\*[^]*?\*\/|#.*$/gm;
  return code.replace(texts, '""').replace(comments, "").replace(/\s+/g, "");
}

/** Code that changed in translation. */
export const parityCodeRule = lintRule({
  id: "parity.code",
  severity: "note",
  description: "Finds code blocks of a translation that differ from the original's beyond comments and texts.",
  rationale: "Code is not translated: one of the two was corrected. Diagrams and output may differ rightly.",
  remedy: "Carry the correction over",
  examples: [
    {
      name: "a comment translated",
      markdown: "```python\nx = 1  # 甲\n```",
      original: "```python\nx = 1  # first\n```",
      messages: [],
    },
    {
      name: "a value changed",
      markdown: "```python\nx = 2\n```",
      original: "```python\nx = 1\n```",
      messages: ["The code differs from that of code:1 in the original"],
    },
  ],
  findGap: ({ original }) => (original === undefined ? "the document translates no other" : undefined),
  check({ document, original }) {
    const own = document.blocks.filter(({ type }) => type === "code");
    const others = original?.blocks.filter(({ type }) => type === "code") ?? [];
    return own.flatMap(({ language = "", code = "", lineStart }, i) => {
      const other = others[i];
      if (other === undefined || language === "" || normalize(language, code) === normalize(language, other.code ?? ""))
        return [];
      return [lintFinding(lineStart, `The code differs from that of ${other.id} in the original`)];
    });
  },
});
