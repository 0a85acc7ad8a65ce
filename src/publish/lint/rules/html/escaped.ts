import { problemRule } from "../../problem-rule.js";

/** Html outside the short list of allowed tags. */
export const htmlEscapedRule = problemRule({
  id: "html.escaped",
  severity: "warning",
  description: "Finds HTML outside the short list of allowed tags.",
  rationale: "It is shown as text, since a page that lets any HTML through is not safe.",
  remedy: "Use Markdown, or one of details, summary, br, sub, sup, kbd, figure, figcaption",
  examples: [
    { name: "allowed tags", markdown: "H<sub>2</sub>O<br>\n<kbd>Tab</kbd>", messages: [] },
    {
      name: "a division",
      markdown: "<div>text</div>",
      messages: [
        'The HTML "<div>" is not allowed: it is shown as text',
        'The HTML "</div>" is not allowed: it is shown as text',
      ],
    },
  ],
});
