import { lintFinding, lintRule } from "../../lint-rule.js";
import { matchProse } from "../../text/prose.js";

const placeholders = [
  /\{\{[^{}]*\}\}|\{%[^{}]*%\}|<%[^%]*%>|\$\{[A-Za-z_][\w.]*\}/g,
  /\blorem ipsum\b/gi,
  /\[(?:Insert|INSERT|Your|YOUR|Fill in|FILL IN|Placeholder|PLACEHOLDER)\b[^\]]*\]|<(?:insert|your|placeholder)[^>]*>/g,
  /\b(?:YOUR|INSERT|REPLACE)_[A-Z_]+\b|\bPLACEHOLDER\b|\bX{3,}\b|(?<![\w{])\{(?:title|name|author|date|version|topic|summary)\}/g,
  /[\uE000-\uF8FF]/g,
];

/** What a template left behind. */
export const stylePlaceholderRule = lintRule({
  id: "style.placeholder",
  severity: "error",
  description: "Finds placeholders of templates, private-use characters and blind text in the prose.",
  rationale: "Something was to be filled in and was not. Code may hold any of these.",
  remedy: "Fill it in; put literal braces into code",
  examples: [
    { name: "code, maths and sets", markdown: "Use `{{name}}`, [Your own env](guide.md) and $\\{x\\}$.", messages: [] },
    {
      name: "template braces and blind text",
      markdown: "Hello {{name}}.\n\nLorem ipsum dolor.\n\n[Insert figure here] for YOUR_NAME.",
      messages: [
        '"{{name}}" is a placeholder',
        '"Lorem ipsum" is a placeholder',
        '"[Insert figure here]" is a placeholder',
        '"YOUR_NAME" is a placeholder',
      ],
    },
    { name: "a private-use character", markdown: "A \uE123 sign.", messages: ['"U+E123" is a placeholder'] },
  ],
  check({ document }) {
    return (
      placeholders
        .flatMap((form) => matchProse(document, form))
        // Words in brackets before a target are a link.
        .filter(({ line, column, text }) => !/[([]/.test(document.lines[line - 1][column + text.length] ?? ""))
        .sort((a, b) => a.line - b.line || a.column - b.column)
        .map(({ line, text }) => {
          const code = text.codePointAt(0) ?? 0;
          const shown = code >= 0xe000 && code <= 0xf8ff ? `U+${code.toString(16).toUpperCase()}` : text;
          return lintFinding(line, `"${shown}" is a placeholder`);
        })
    );
  },
});
